import { answerMessages } from './parts/worker-answer.ts';
import { pageAsXml } from './reader/page-as-xml.ts';

answerMessages((bytes: Uint8Array<ArrayBuffer>) => pageAsXml(bytes));
