import { answerMessages } from './parts/worker-answer.ts';
import { sendInPortions } from './tables/portions.ts';
import { readSpreadsheet } from './tables/read-spreadsheet.ts';
import type { TableRequest } from './tables/sheet.ts';

answerMessages(async (request: TableRequest, send) =>
  sendInPortions(await readSpreadsheet(request, (start) => send({ start })), send),
);
