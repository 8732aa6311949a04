import { answerMessages } from './parts/worker-answer.ts';
import { sendInPortions } from './tables/portions.ts';
import { readDelimited } from './tables/read-delimited.ts';
import type { TableRequest } from './tables/sheet.ts';

answerMessages((request: TableRequest, send) =>
  sendInPortions(
    readDelimited(request, (start) => send({ start })),
    send,
  ),
);
