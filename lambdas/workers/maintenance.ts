import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { mailExpiry } from '../../core/projects/removal/mail-expiry.ts';
import type { Project } from '../../core/projects/project.ts';
import type { RotatingSecret } from '../../core/secrets/rotating-secret.ts';
import { StoreId, type StoreKey } from '../../core/content/content-keys.ts';
import { type AccountId, type DomainId, ProjectId } from '../../contract/fields.ts';
import type { PlanCheckTime } from '../../core/projects/history/account-history.ts';
import { processPlanCheck } from '../../core/projects/history/check-plan.ts';
import { type RunTime, settleClosing } from '../../core/accounts/closing/settle-closing.ts';
import { advanceDomain } from '../../core/domains/advance-domain.ts';
import { removeKeptCertificate } from '../../core/domains/removal/kept-certificate.ts';
import type { KeptCertificate, NoticeKey } from '../../core/ports.ts';
import { resumeTrim } from '../../core/projects/history/history-limit.ts';
import { resumeUpload } from '../../core/projects/publishing/publish-queued-upload.ts';
import { removeStoredFiles } from '../../core/projects/removal/abandoned-upload.ts';
import {
  type ProjectRemains,
  removeProjectData,
  sweep,
} from '../../core/projects/removal/sweep.ts';
import { domainServices } from '../domains/domain-services.ts';
import { logDeferredCleanup, logger, redactFailures } from '../shared/logger.ts';
import { deployedSecret, refreshSecrets } from '../shared/deployed-secrets.ts';
import { lazy } from '../shared/lazy.ts';
import { ownerMailers } from './owner-mailers.ts';
import { reportDomainTrouble } from '../domains/report-domain-trouble.ts';
import { projectServices } from '../shared/project-services.ts';
import { accountRemoval } from '../../adapters/dynamodb/accounts/account-closing.ts';
import { keyTable } from '../../adapters/dynamodb/accounts/key-table.ts';
import { publisherTable } from '../../adapters/dynamodb/accounts/publisher-table.ts';
import { sessionTable } from '../../adapters/dynamodb/accounts/session-table.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { hitReader } from '../../adapters/dynamodb/hits/hit-reader.ts';
import { shareLinkTable } from '../../adapters/dynamodb/projects/share-link-table.ts';
import { mailNotices } from '../../adapters/dynamodb/projects/mail-notices.ts';
import { mailArrival, mailRequest } from '../../core/upload-links/mail-arrival.ts';
import { mailOpens } from '../../core/analytics/open-mails.ts';
import { uploadLinkTable } from '../../adapters/dynamodb/uploads/upload-link-table.ts';
import { deliveryTable } from '../../adapters/dynamodb/webhooks/delivery-table.ts';
import { webhookTable } from '../../adapters/dynamodb/webhooks/webhook-table.ts';
import { laneQueue } from '../../adapters/sqs/lane-queue.ts';
import { startDueLane } from '../../core/webhooks/send-deliveries.ts';
import type { LaneKey } from '../../core/webhooks/webhook.ts';
import { oauthGrantTable } from '../../adapters/dynamodb/oauth/oauth-grant-table.ts';
import { setting } from '../shared/settings.ts';

const Text = z.object({ S: z.string() }).transform(({ S }) => S);

const StreamRecord = z.object({
  dynamodb: z.object({
    Keys: z.object({ pk: Text, sk: Text }),
    OldImage: z.looseObject({ host: Text.optional(), claimHash: Text.optional() }).optional(),
  }),
});

/** A DynamoDB stream event, as Lambda delivers it. */
export const StreamEvent = z.object({ Records: z.array(StreamRecord) });
export type StreamEvent = z.infer<typeof StreamEvent>;

/** The data that remains to be removed after DynamoDB's TTL has deleted a row. */
type ExpiredRemains =
  | ({ kind: 'project' } & ProjectRemains)
  | { kind: 'intent'; projectId: ProjectId; store: StoreId };

/** Lists the data to remove for each expired row; skips rows without such data. */
export function findRemains(event: StreamEvent): ExpiredRemains[] {
  return event.Records.flatMap(({ dynamodb: { Keys, OldImage } }): ExpiredRemains[] => {
    const projectId = ProjectId.safeParse(Keys.pk.replace(/^PROJECT#/, '')).data;
    if (projectId === undefined) return [];
    const store = StoreId.safeParse(Keys.sk.replace(/^INTENT#/, '')).data;
    if (store !== undefined) return [{ kind: 'intent', projectId, store }];
    const { host, claimHash } = OldImage ?? {};
    return Keys.sk === 'META' ? [{ kind: 'project', projectId, host, claimHash }] : [];
  });
}

/** With less time than this remaining, the run ends, and the rest is left to the next one. */
const reserveMs = 5000;

/** Read only where it is needed, because most runs of the sweep send no mail. */
async function accessSecret(): Promise<RotatingSecret> {
  await refreshSecrets();
  return deployedSecret('ACCESS_SECRET_ARN');
}

const services = lazy(() => {
  const mailers = ownerMailers();
  const own = { ...projectServices(), planMailer: mailers, expiryMailer: mailers, accessSecret };
  const domains = {
    ...domainServices({ reportTrouble: reportDomainTrouble }),
    now: () => new Date(),
  };
  const client = documentClient();
  const mails = {
    ...domains,
    projects: own.projects,
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    links: uploadLinkTable(client, setting('PROJECTS_TABLE')),
    notices: mailNotices(client, setting('PROJECTS_TABLE')),
    openHits: hitReader(client, setting('ANALYTICS_TABLE'), {
      now: domains.now,
      onFailure: logDeferredCleanup,
    }),
    shareLinks: shareLinkTable(client, setting('PROJECTS_TABLE')),
    openMailer: own.planMailer,
    arrivalMailer: own.planMailer,
  };
  const lanes = {
    deliveries: deliveryTable(client, setting('PROJECTS_TABLE')),
    startLane: laneQueue(setting('WEBHOOK_QUEUE_URL')),
  };
  const { deliveries } = lanes;
  const closing = { ...own, ...accountStores(), deliveries, domainDeps: domains };
  return {
    ...own,
    mailExpiry: (project: Project, now: Date) =>
      mailExpiry({ ...own, counters: mails.counters }, project, now),
    resumeUpload: (key: StoreKey, now: Date) =>
      resumeUpload({ ...own, counters: mails.counters }, key, now),
    settlePlanTime: async (time: PlanCheckTime, run: RunTime) =>
      (await settleClosing(closing, time, run)) || processPlanCheck(own, time, run.now),
    advanceDomain: (id: DomainId, now: Date) => advanceDomain(domains, id, now),
    async sendNotice(key: NoticeKey | LaneKey, now: Date) {
      if ('webhookId' in key) return startDueLane(lanes, key, now);
      const deps = { ...mails, accessSecret: await accessSecret() };
      if ('requestHash' in key) return mailRequest(deps, key, now);
      const { projectId, link } = key;
      if (link?.kind === 'upload') return mailArrival(deps, { projectId, linkId: link.id }, now);
      return mailOpens(deps, { projectId, link }, now);
    },
    removeCertificate: (kept: KeptCertificate, now: Date) =>
      removeKeptCertificate(domains, kept, now),
    resumeTrim: (accountId: AccountId, now: Date) => resumeTrim(own, accountId, now),
  };
});

/** Runs the sweep every minute. For events of the table's stream, removes everything that belonged to the expired row. */
export const handler = middy<unknown, unknown>()
  .use(injectLambdaContext(logger))
  .use(redactFailures())
  .handler(async (event: unknown, context: Context) => {
    const expired = StreamEvent.safeParse(event);
    if (expired.success) return removeExpiredRows(expired.data);
    const result = await sweep(
      services(),
      new Date(),
      () => context.getRemainingTimeInMillis() - reserveMs,
    );
    // Logs only runs that did something: it runs every minute, and log lines are billed.
    if (Object.values(result).some((count) => count > 0)) logger.info('swept', { ...result });
    if (result.failures > 0) throw new Error(`${result.failures} things could not be removed`);
    return result;
  });

async function removeExpiredRows(event: StreamEvent): Promise<void> {
  for (const remains of findRemains(event)) {
    if (remains.kind === 'intent') {
      await removeStoredFiles(services(), remains.projectId, remains.store);
    } else {
      await removeProjectData(services(), remains);
    }
  }
}

/** The stores of an account's data other than projects, for its removal. */
function accountStores() {
  const client = documentClient();
  const table = setting('ACCOUNTS_TABLE');
  return {
    removal: accountRemoval(client, table),
    keys: keyTable(client, table),
    publishers: publisherTable(client, table),
    sessions: sessionTable(client, table),
    grants: oauthGrantTable(client, setting('OAUTH_TABLE')),
    links: uploadLinkTable(client, setting('PROJECTS_TABLE')),
    webhooks: webhookTable(client, table),
  };
}
