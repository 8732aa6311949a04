import { answerMessages } from './parts/worker-answer.ts';
import { sendInPortions } from './tables/portions.ts';
import { readParquet } from './tables/read-parquet.ts';
import type { TableRequest } from './tables/sheet.ts';

answerMessages(async (request: TableRequest, send) =>
  sendInPortions(await readParquet(request), send),
);
