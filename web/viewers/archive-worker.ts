import { answerMessages } from './parts/worker-answer.ts';
import { sendInPortions } from './tables/portions.ts';
import { readArchive } from './tables/read-archive.ts';
import type { TableRequest } from './tables/sheet.ts';

answerMessages(async (request: TableRequest, send) =>
  sendInPortions(await readArchive(request), send),
);
