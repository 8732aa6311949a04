import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { idempotencyTable } from '../../adapters/dynamodb/idempotency-table.ts';
import { deployedSecret } from './deployed-secrets.ts';
import { lazy } from './lazy.ts';
import { logError } from './logger.ts';
import { setting } from './settings.ts';

/** The dependencies for running a repeated request once, except the remaining time. */
export const idempotencyServices = lazy(() => ({
  responses: idempotencyTable(documentClient(), setting('COUNTERS_TABLE')),
  secret: deployedSecret('ORIGIN_SECRET_ARN'),
  now: () => new Date(),
  onFailure: (error: unknown) => logError('response not stored', error),
}));
