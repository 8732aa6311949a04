import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import * as z from 'zod';
import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb/document-client.ts';
import { hitTable } from '../../adapters/dynamodb/hits/hit-table.ts';
import { linkOpens } from '../../adapters/dynamodb/hits/link-opens.ts';
import { visitMonths } from '../../adapters/dynamodb/hits/visit-months.ts';
import { shareLinkReader } from '../../adapters/dynamodb/projects/share-link-row.ts';
import { mailNotices } from '../../adapters/dynamodb/projects/mail-notices.ts';
import { webhookTable } from '../../adapters/dynamodb/webhooks/webhook-table.ts';
import { countHits } from '../../core/analytics/count-hits.ts';
import { countTraffic } from '../../core/analytics/count-traffic.ts';
import { Hit } from '../../core/analytics/hit.ts';
import { Traffic } from '../../core/analytics/traffic.ts';
import { mailAlert, PasswordAlert } from '../../core/visit/access/wrong-tries.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { logDeferredCleanup, logError, logger, redactFailures } from '../shared/logger.ts';
import { ownerMailers } from './owner-mailers.ts';
import { lazy } from '../shared/lazy.ts';
import { deployedPlans } from '../shared/deployed-limits.ts';
import { projectStores } from '../shared/project-stores.ts';
import { setting } from '../shared/settings.ts';

/** The fields of an SQS event that we use. */
const QueueEvent = z.object({
  Records: z.array(z.object({ messageId: z.string(), body: z.string() })),
});

const services = lazy(() => {
  const client = documentClient();
  const now = () => new Date();
  const tables = {
    analytics: setting('ANALYTICS_TABLE'),
    projects: setting('PROJECTS_TABLE'),
    accounts: setting('ACCOUNTS_TABLE'),
  };
  const mailers = ownerMailers();
  return {
    ...projectStores(client),
    accounts: accountRepository(client, tables.accounts),
    webhooks: webhookTable(client, tables.accounts),
    hits: hitTable(client, tables, now),
    months: visitMonths(client, tables),
    mailer: mailers,
    alertMailer: mailers,
    notices: mailNotices(client, tables.projects),
    shareLinks: { find: shareLinkReader(documentItems(client), tables.projects) },
    linkOpens: linkOpens(client, tables.analytics),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    plans: deployedPlans(),
    onFailure: logDeferredCleanup,
    now,
  };
});

/** A message of the queue: a visit or open to count, sent bytes, or an alert for an owner. */
const Message = z.union([Hit, Traffic, PasswordAlert]);

/** Counts visits and opens, and mails alerts to owners. SQS delivers failed messages again. */
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
    const uncounted = await countTraffic(
      services(),
      messages.flatMap(({ content }) => (content?.kind === 'traffic' ? content : [])),
    );
    const unsentMessageIds = await mailAlerts(messages);
    logger.info('counted', { hits: hits.length, failed: failed.size });
    return {
      batchItemFailures: messages
        .filter(({ messageId, content }) => {
          if (content === undefined || unsentMessageIds.has(messageId)) return true;
          if (content.kind === 'traffic') return uncounted.has(content);
          return isHit(content) && failed.has(content.id);
        })
        .map(({ messageId }) => ({ itemIdentifier: messageId })),
    };
  });

type Message = z.infer<typeof Message>;

function isHit(content: Message | undefined): content is Hit {
  return content?.kind === 'visit' || content?.kind === 'open';
}

/** Sends each alert; returns the ids of the messages whose mail could not be sent. */
async function mailAlerts(
  messages: readonly { messageId: string; content: Message | undefined }[],
): Promise<ReadonlySet<string>> {
  const unsentMessageIds = new Set<string>();
  for (const { messageId, content } of messages) {
    if (content?.kind !== 'password-alert') continue;
    await mailAlert(services(), content).catch((error: unknown) => {
      unsentMessageIds.add(messageId);
      logDeferredCleanup(content, error);
    });
  }
  return unsentMessageIds;
}

/** An invalid message fails until the queue moves it to the dead-letter queue, which has an alarm. */
function readMessage(body: string): Message | undefined {
  try {
    return Message.parse(JSON.parse(body));
  } catch (error) {
    logError('not a hit', error);
    return undefined;
  }
}
