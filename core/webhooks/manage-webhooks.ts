import { randomUUID } from 'node:crypto';
import { daySeconds } from '../../contract/limits.ts';
import type { ProjectId } from '../../contract/fields.ts';
import {
  accountEvents,
  type WebhookEvent,
  type WebhookFormat,
  WebhookId,
} from '../../contract/operations/webhooks.ts';
import type { Plans } from '../accounts/account.ts';
import type { AccountCaller, CredentialCaller } from '../caller.ts';
import { CodedError, invalidField } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import { countAttempt, type Counters } from '../limits/counters.ts';
import type { ProjectStore } from '../ports.ts';
import { requireOwnedProject } from '../projects/owned-projects.ts';
import { effectiveLimits } from '../projects/quota.ts';
import { formatOf } from './message.ts';
import { newWebhookSecret } from './signature.ts';
import { requireAddress } from './webhook-address.ts';
import type { Webhook, WebhookStore } from './webhook.ts';

/** The dependencies for managing webhooks. */
export interface WebhookDeps {
  projects: Pick<ProjectStore, 'get'>;
  webhooks: WebhookStore;
  counters: Pick<Counters, 'count'>;
  plans: Plans;
  /** Whether webhooks may be on this computer, over http: in the local cloud alone. */
  allowsLoopback: boolean;
  now(): Date;
}

/** The most of one account, whatever its plan: a transaction has a row for each (docs/decisions/0154). */
const maxWebhooksOfAccount = 10;

/** A receiver that nobody knows yet can hang for two seconds before it counts as slow: one cannot be made anew at will. */
const newLimit = { limit: 20, windowSeconds: 3600 };

/** The former secret is valid for so long beside a new one. */
const formerSecretSeconds = daySeconds;

interface WebhookChoices {
  url?: string | undefined;
  events?: WebhookEvent[] | undefined;
  format?: WebhookFormat | undefined;
}

/**
 * Creates a webhook, which ends with the key that made it. Its secret is in the response, and in no other.
 * @throws CodedError INVALID_REQUEST, NOT_FOUND, RATE_LIMITED, WEBHOOK_LIMIT_REACHED
 */
export async function createWebhook(
  deps: WebhookDeps,
  caller: CredentialCaller,
  input: WebhookChoices & {
    url: string;
    events: WebhookEvent[];
    projectId?: ProjectId | undefined;
  },
) {
  const { url, events, projectId = null, format = formatOf(url) } = input;
  requireAddress(deps, url, 'INVALID_REQUEST');
  requireEventsOf(projectId, events, 'INVALID_REQUEST');
  if (projectId !== null) await requireOwnedProject(deps.projects, caller, projectId);
  const now = deps.now();
  const key = `new-webhooks#${caller.account.id}`;
  await countAttempt(deps.counters, caller, { key, rule: newLimit, what: 'new webhooks' }, now);
  const secret = newWebhookSecret();
  const webhook: Webhook = {
    id: WebhookId.parse(randomUUID()),
    url,
    events: [...new Set(events)],
    projectId,
    format,
    enabled: true,
    failingSince: null,
    ...keyOf(caller),
    secrets: [{ secret, until: null }],
    createdAt: instant(now),
  };
  const { maxWebhooks } = effectiveLimits(deps.plans, caller.account, now);
  const most = Math.min(
    maxWebhooks === -1 ? maxWebhooksOfAccount : maxWebhooks,
    maxWebhooksOfAccount,
  );
  const isCreated = await deps.webhooks.change(caller.account.id, (all) =>
    all.length < most ? { next: [webhook, ...all], result: true } : { result: false },
  );
  if (isCreated) return { ...describe(webhook), secret };
  throw new CodedError('WEBHOOK_LIMIT_REACHED', {
    error: `Your plan allows ${most} webhooks, and your account has as many.`,
  });
}

/** The webhooks that exist for the caller, newest first. */
export async function listWebhooks(
  { webhooks }: Pick<WebhookDeps, 'webhooks'>,
  caller: AccountCaller,
) {
  const all = await webhooks.list(caller.account.id);
  return { webhooks: all.filter((one) => isSeen(one, caller)).map(describe) };
}

/**
 * Changes a webhook. Switched on again, its failures are forgotten.
 * @throws CodedError NOT_FOUND, VALIDATION_FAILED
 */
export async function updateWebhook(
  deps: WebhookDeps,
  caller: CredentialCaller,
  { webhookId, ...changes }: WebhookChoices & { webhookId: string; enabled?: boolean | undefined },
) {
  const { url, enabled } = changes;
  if (url !== undefined) requireAddress(deps, url, 'VALIDATION_FAILED');
  const format = changes.format ?? (url === undefined ? undefined : formatOf(url));
  const sent = Object.entries({ ...changes, format }).filter(([, value]) => value !== undefined);
  const changed = await changeOne(deps, caller, webhookId, (webhook) => {
    requireEventsOf(webhook.projectId, changes.events ?? [], 'VALIDATION_FAILED');
    return {
      ...webhook,
      ...keyOf(caller),
      ...Object.fromEntries(sent),
      ...((enabled === true || url !== undefined) && { failingSince: null }),
    };
  });
  return describe(changed);
}

/** Such a webhook would wait for an event that never comes. */
function requireEventsOf(
  projectId: ProjectId | null,
  events: readonly WebhookEvent[],
  code: 'INVALID_REQUEST' | 'VALIDATION_FAILED',
): void {
  const wrong = events.filter((one) => projectId !== null && accountEvents.includes(one));
  if (wrong.length === 0) return;
  throw invalidField(
    'events',
    `${wrong.join(' and ')}: only for webhooks without projectId, because it is about the account`,
    { code },
  );
}

/**
 * Deletes a webhook. What waits is not sent; its deliveries end with their time to live.
 * @throws CodedError NOT_FOUND
 */
export async function deleteWebhook(
  { webhooks }: Pick<WebhookDeps, 'webhooks'>,
  caller: AccountCaller,
  { webhookId }: { webhookId: string },
) {
  await webhooks.change(caller.account.id, (all) => {
    const { id } = findSeen(all, caller, webhookId);
    return { next: all.filter((one) => one.id !== id), result: undefined };
  });
  return { deleted: true as const };
}

/**
 * Gives a webhook a new secret. The former one signs too for a day.
 * @throws CodedError NOT_FOUND
 */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  caller: CredentialCaller,
  { webhookId }: { webhookId: string },
) {
  const secret = newWebhookSecret();
  const formerUntil = instant(plusSeconds(deps.now(), formerSecretSeconds));
  await changeOne(deps, caller, webhookId, (webhook) => {
    const [former] = webhook.secrets;
    const kept = former === undefined ? [] : [{ ...former, until: formerUntil }];
    return { ...webhook, ...keyOf(caller), secrets: [{ secret, until: null }, ...kept] };
  });
  return { secret, formerUntil };
}

async function changeOne(
  deps: Pick<WebhookDeps, 'webhooks'>,
  caller: AccountCaller,
  webhookId: string,
  next: (webhook: Webhook) => Webhook,
): Promise<Webhook> {
  return deps.webhooks.change(caller.account.id, (all) => {
    const webhook = next(findSeen(all, caller, webhookId));
    return { next: all.map((one) => (one.id === webhook.id ? webhook : one)), result: webhook };
  });
}

/** @throws CodedError NOT_FOUND */
export async function requireWebhook(
  { webhooks }: { webhooks: Pick<WebhookStore, 'list'> },
  caller: AccountCaller,
  webhookId: string,
): Promise<Webhook> {
  return findSeen(await webhooks.list(caller.account.id), caller, webhookId);
}

function findSeen(all: readonly Webhook[], caller: AccountCaller, webhookId: string): Webhook {
  const webhook = all.find((one) => one.id === webhookId && isSeen(one, caller));
  if (webhook !== undefined) return webhook;
  throw new CodedError('NOT_FOUND', { error: 'You have no webhook with this id.' });
}

/** For a key for some projects alone, only their webhooks exist. */
function isSeen({ projectId }: Webhook, { projectIds }: AccountCaller): boolean {
  return projectIds === undefined || (projectId !== null && projectIds.includes(projectId));
}

function keyOf({ credential }: CredentialCaller): Pick<Webhook, 'keyHash'> {
  return { keyHash: credential.kind === 'key' ? credential.keyHash : undefined };
}

function describe({
  id,
  url,
  events,
  projectId,
  format,
  enabled,
  failingSince,
  createdAt,
}: Webhook) {
  return { id, url, events, projectId, format, enabled, failingSince, createdAt };
}
