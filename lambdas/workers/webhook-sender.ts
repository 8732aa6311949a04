import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { keyTable } from '../../adapters/dynamodb/accounts/key-table.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { deliveryTable } from '../../adapters/dynamodb/webhooks/delivery-table.ts';
import { webhookTable } from '../../adapters/dynamodb/webhooks/webhook-table.ts';
import { webhookClient } from '../../adapters/outgoing-http/webhook-client.ts';
import { laneQueue } from '../../adapters/sqs/lane-queue.ts';
import { WebhookId } from '../../contract/operations/webhooks.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { sendLane } from '../../core/webhooks/send-deliveries.ts';
import { logDeferredCleanup, logger, redactFailures } from '../shared/logger.ts';
import { lazy } from '../shared/lazy.ts';
import { isLocal, setting } from '../shared/settings.ts';
import { ownerMailers } from './owner-mailers.ts';

const Text = z.object({ S: z.string() }).transform(({ S }) => S);

/** A line that began, as the stream of its table tells. */
const NewLane = z
  .object({ dynamodb: z.object({ Keys: z.object({ pk: Text, sk: Text }) }) })
  .transform(({ dynamodb: { Keys } }) => ({
    webhookId: WebhookId.parse(Keys.pk.replace(/^WEBHOOK#/, '')),
    subject: Keys.sk.replace(/^LANE#/, ''),
  }));
/** A line to send, as its queue gives it. */
const QueuedLane = z.object({ body: z.string() });
const LaneJob = z.object({ webhookId: WebhookId, subject: z.string() });

const services = lazy(() => {
  const client = documentClient();
  return {
    webhooks: webhookTable(client, setting('ACCOUNTS_TABLE')),
    deliveries: deliveryTable(client, setting('PROJECTS_TABLE')),
    client: webhookClient(),
    accounts: accountRepository(client, setting('ACCOUNTS_TABLE')),
    keys: keyTable(client, setting('ACCOUNTS_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    webhookMailer: ownerMailers(),
    startLane: laneQueue(setting('WEBHOOK_QUEUE_URL')),
    allowsLoopback: isLocal(),
    onFailure: logDeferredCleanup,
    now: () => new Date(),
  };
});

/** A line has its sender for so long, then others have their turn. */
const turnMs = 5000;
/** No delivery begins with less time than this: an attempt takes ten seconds. */
const reserveMs = 15_000;

/**
 * Sends the lines that its queue names. New lines, which the stream names, it only passes to the queue: there a slow
 * receiver holds up nobody else. A line that the stream loses is found by the sweep.
 */
export const handler = middy<unknown, void>()
  .use(injectLambdaContext(logger))
  .use(redactFailures())
  .handler(async (event: unknown, context: Context) => {
    const { Records } = z.object({ Records: z.array(z.union([QueuedLane, NewLane])) }).parse(event);
    for (const record of Records) {
      if ('webhookId' in record) await services().startLane(record);
      else await sendLane(services(), LaneJob.parse(JSON.parse(record.body)), turnOf(context));
    }
  });

/** Tells whether the turn of a line that begins now is over. */
function turnOf(context: Context): () => boolean {
  const endsAt = Math.max(context.getRemainingTimeInMillis() - turnMs, reserveMs);
  return () => context.getRemainingTimeInMillis() < endsAt;
}
