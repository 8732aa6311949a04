import { answerMessages } from './parts/worker-answer.ts';
import { readSpreadsheet } from './tables/read-spreadsheet.ts';

answerMessages(readSpreadsheet);
