import { answerMessages } from './parts/worker-answer.ts';
import { sendInPortions } from './tables/portions.ts';
import { readArrow } from './tables/read-arrow.ts';
import type { TableRequest } from './tables/sheet.ts';

answerMessages((request: TableRequest, send) => sendInPortions(readArrow(request), send));
