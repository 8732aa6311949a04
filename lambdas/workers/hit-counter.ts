import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import * as z from 'zod';
import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { hitTable } from '../../adapters/dynamodb/hits/hit-table.ts';
import { visitMonths } from '../../adapters/dynamodb/hits/visit-months.ts';
import { countHits } from '../../core/analytics/count-hits.ts';
import { Hit } from '../../core/analytics/hit.ts';
import { mailAlert } from '../../core/visit/access/mail-alert.ts';
import { PasswordAlert } from '../../core/visit/access/wrong-tries.ts';
import { alertMailer } from './alert-mailer.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { leftToSweep } from '../shared/left-to-sweep.ts';
import { limitMailer } from './limit-mailer.ts';
import { logger } from '../shared/logger.ts';
import { once } from '../shared/once.ts';
import { deployedPlans } from '../shared/plans.ts';
import { projectStores } from '../shared/project-stores.ts';
import { redactFailures } from '../shared/redact-failures.ts';
import { setting } from '../shared/settings.ts';

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
    alertMailer: alertMailer(),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    plans: deployedPlans(),
    onFailure: leftToSweep,
    now: () => new Date(),
  };
});

/** What a message may be: a visit or open to be counted, or news for an owner. */
const Message = z.union([Hit, PasswordAlert]);

/** Counts visits and opens and tells owners what is for them; what could not be done comes again by itself. */
export const handler = middy<unknown, unknown>()
  .use(injectLambdaContext(logger))
  .use(redactFailures())
  .handler(async (event: unknown) => {
    const messages = QueueEvent.parse(event).Records.map(({ messageId, body }) => ({
      messageId,
      content: readMessage(body),
    }));
    const hits = messages.flatMap(({ content }) => (isHit(content) ? content : []));
    const failed = await countHits(services(), hits);
    const untold = await mailAlerts(messages);
    logger.info('counted', { hits: hits.length, failed: failed.size });
    return {
      batchItemFailures: messages
        .filter(({ messageId, content }) => {
          if (content === undefined || untold.has(messageId)) return true;
          return isHit(content) && failed.has(content.id);
        })
        .map(({ messageId }) => ({ itemIdentifier: messageId })),
    };
  });

type Message = z.infer<typeof Message>;

function isHit(content: Message | undefined): content is Hit {
  return content !== undefined && content.kind !== 'password-alert';
}

/** Sends each alert; gives the messages whose mail could not be sent. */
async function mailAlerts(
  messages: readonly { messageId: string; content: Message | undefined }[],
): Promise<ReadonlySet<string>> {
  const untold = new Set<string>();
  for (const { messageId, content } of messages) {
    if (content?.kind !== 'password-alert') continue;
    await mailAlert(services(), content).catch((error: unknown) => {
      untold.add(messageId);
      leftToSweep(content, error);
    });
  }
  return untold;
}

/** A message that is none of ours is given up by the queue, where an alarm shows it. */
function readMessage(body: string): Message | undefined {
  try {
    return Message.parse(JSON.parse(body));
  } catch (error) {
    logger.error('not a hit', { error: error instanceof Error ? error : String(error) });
    return undefined;
  }
}
