import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import * as z from 'zod';
import { accountRepository } from '../adapters/account-repository.ts';
import { documentClient } from '../adapters/dynamodb.ts';
import { hitTable } from '../adapters/hit-table.ts';
import { visitMonths } from '../adapters/visit-months.ts';
import { countHits } from '../core/analytics/count-hits.ts';
import { Hit } from '../core/analytics/hit.ts';
import { leftToSweep } from './runtime/left-to-sweep.ts';
import { limitMailer } from './runtime/limit-mailer.ts';
import { logger } from './runtime/logger.ts';
import { once } from './runtime/once.ts';
import { deployedPlans } from './runtime/plans.ts';
import { projectStores } from './runtime/project-stores.ts';
import { redactFailures } from './runtime/redact-failures.ts';
import { setting } from './runtime/settings.ts';

/** What we read of an SQS event. */
const QueueEvent = z.object({
  Records: z.array(z.object({ messageId: z.string(), body: z.string() })),
});

const services = once(() => {
  const client = documentClient();
  const table = setting('ANALYTICS_TABLE');
  return {
    ...projectStores(client),
    accounts: accountRepository(client, setting('ACCOUNTS_TABLE')),
    hits: hitTable(client, table),
    months: visitMonths(client, table),
    mailer: limitMailer(),
    plans: deployedPlans(),
    onFailure: leftToSweep,
    now: () => new Date(),
  };
});

/** Counts visits and opens; what could not be counted comes again by itself. */
export const handler = middy<unknown, unknown>()
  .use(injectLambdaContext(logger))
  .use(redactFailures())
  .handler(async (event: unknown) => {
    const messages = QueueEvent.parse(event).Records.map(({ messageId, body }) => ({
      messageId,
      hit: readHit(body),
    }));
    const failed = await countHits(
      services(),
      messages.flatMap(({ hit }) => hit ?? []),
    );
    logger.info('counted', { hits: messages.length, failed: failed.size });
    return {
      batchItemFailures: messages
        .filter(({ hit }) => hit === undefined || failed.has(hit.id))
        .map(({ messageId }) => ({ itemIdentifier: messageId })),
    };
  });

/** A message that is none of ours is given up by the queue, where an alarm shows it. */
function readHit(body: string): Hit | undefined {
  try {
    return Hit.parse(JSON.parse(body));
  } catch (error) {
    logger.error('not a hit', { error: error instanceof Error ? error : String(error) });
    return undefined;
  }
}
