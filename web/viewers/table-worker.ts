import { answerMessages } from './parts/worker-answer.ts';
import { readDelimited } from './tables/read-delimited.ts';

answerMessages(readDelimited);
