import { Logger } from '@aws-lambda-powertools/logger';
import { redactField } from './redact-secrets.ts';

/** JSON lines with the function's name, the request's id and its X-Ray trace; nothing in them grants anything. */
export const logger = new Logger({ jsonReplacerFn: redactField });
