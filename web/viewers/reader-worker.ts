import { answerMessages } from './parts/worker-answer.ts';
import { readDocument, type ReadingRequest } from './reader/read-document.ts';

answerMessages((request: ReadingRequest) => readDocument(request));
