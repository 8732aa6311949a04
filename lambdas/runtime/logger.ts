import { Logger } from '@aws-lambda-powertools/logger';

/** JSON lines with the function's name, the request's id and its X-Ray trace. */
export const logger = new Logger();
