import { answerMessages } from './parts/worker-answer.ts';
import { sendInPortions } from './tables/portions.ts';
import { readDatabase } from './tables/read-database.ts';
import type { TableRequest } from './tables/sheet.ts';

answerMessages(async (request: TableRequest, send) =>
  sendInPortions(await readDatabase(request), send),
);
