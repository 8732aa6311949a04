import { answerMessages } from './parts/worker-answer.ts';
import { sendInPortions } from './tables/portions.ts';
import { readSevenZip } from './tables/read-seven-zip.ts';
import type { TableRequest } from './tables/sheet.ts';

answerMessages((request: TableRequest, send) => sendInPortions(readSevenZip(request), send));
