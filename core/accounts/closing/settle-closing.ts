import type { AccountId, Instant } from '../../../contract/fields.ts';
import { deleteDomain, type DomainDeps } from '../../domains/manage-domains.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { GrantStore } from '../../oauth/ports.ts';
import type { PlanChecks, PlanCheckTime } from '../../projects/history/account-history.ts';
import {
  changeAllProjects,
  resumedFields,
  type AllProjectsDeps,
} from '../../projects/moderation/suspend-account.ts';
import type { OwnedProjectStore } from '../../projects/owned-projects.ts';
import { removalOnRequest } from '../../projects/removal/removal.ts';
import type { UploadLinkStore } from '../../upload-links/upload-link.ts';
import type { DeliveryStore } from '../../webhooks/delivery.ts';
import type { WebhookStore } from '../../webhooks/webhook.ts';
import type { Account } from '../account.ts';
import type { PublisherStore } from '../publishers/trusted-publisher.ts';
import type { AccountRemoval, AccountStore, KeyStore, SessionStore } from '../ports.ts';
import { restorableUntil } from './close-account.ts';

/** Dependencies of {@link settleClosing}. */
export interface SettleClosingDeps extends Omit<AllProjectsDeps, 'accounts' | 'owned'> {
  accounts: Pick<AccountStore, 'get'>;
  owned: Pick<OwnedProjectStore, 'change' | 'scan' | 'list' | 'beginRemoval'>;
  history: Pick<PlanChecks, 'findCheck' | 'moveCheck' | 'forgetTime'>;
  removal: AccountRemoval;
  domainDeps: Omit<DomainDeps, 'ownNames'>;
  keys: Pick<KeyStore, 'list' | 'remove'>;
  publishers: Pick<PublisherStore, 'list' | 'remove'>;
  sessions: Pick<SessionStore, 'list' | 'remove'>;
  grants: Pick<GrantStore, 'list' | 'remove'>;
  links: Pick<UploadLinkStore, 'removeAll'>;
  webhooks: Pick<WebhookStore, 'list'>;
  deliveries: Pick<DeliveryStore, 'removeAll'>;
}

/** The time of one run of maintenance. */
export interface RunTime {
  now: Date;
  /** Nothing new is begun once this is true. */
  isLate: () => boolean;
}

/** What one run did not finish is gone on with after this. Written first, so that others have their turn. */
const retrySeconds = 300;

/**
 * Takes the projects of a closed account offline, brings those of a reopened one back, and removes
 * an account that stayed closed. Repeated until it succeeds. False for any other account; the
 * caller then compares its plan.
 */
export async function settleClosing(
  deps: SettleClosingDeps,
  time: PlanCheckTime,
  run: RunTime,
): Promise<boolean> {
  const account = await deps.accounts.get(time.accountId);
  if (account?.closedAt !== undefined) {
    await settleClosed(deps, account, time, run);
    return true;
  }
  if (account?.reopenedAt === undefined || account.suspendedAt !== undefined) return false;
  const { id, reopenedAt } = account;
  const check = await deps.history.findCheck(id);
  if (check === undefined) return !(await bringBack(deps, account, reopenedAt, run));
  const later = { ...check, dueAt: instant(plusSeconds(run.now, retrySeconds)) };
  await deps.history.moveCheck(check, later);
  if (await bringBack(deps, account, reopenedAt, run)) {
    await deps.history.moveCheck(later, check);
    await deps.history.forgetTime({ accountId: id, dueAt: later.dueAt });
    return false;
  }
  await deps.history.forgetTime(time);
  return true;
}

async function bringBack(
  deps: SettleClosingDeps,
  { id }: Account,
  reopenedAt: Instant,
  { isLate }: RunTime,
): Promise<boolean> {
  const isDone = await changeAllProjects(deps, id, {
    expects: 'active',
    next: (project) => resumedFields(project, reopenedAt),
    isLate,
  });
  if (isDone) await deps.removal.endReopening(id, reopenedAt);
  return isDone;
}

async function settleClosed(
  deps: SettleClosingDeps,
  account: Account,
  time: PlanCheckTime,
  { now, isLate }: RunTime,
): Promise<void> {
  const { id: accountId, closedAt = instant(now) } = account;
  const check = await deps.history.findCheck(accountId);
  if (check?.dueAt !== time.dueAt) return deps.history.forgetTime(time);
  const dueAt = restorableUntil(closedAt);
  if (dueAt <= instant(now)) {
    // An owner who signs in at this moment either gets the account back or finds it gone.
    if (await deps.removal.begin(accountId, closedAt, instant(now))) {
      await removeAccount(deps, account, now);
    }
    return deps.history.forgetTime(time);
  }
  const later = { ...check, dueAt: instant(plusSeconds(now, retrySeconds)) };
  if (!(await deps.history.moveCheck(check, later))) return;
  await deps.history.forgetTime(time);
  const isDone = await changeAllProjects(deps, accountId, {
    expects: 'suspended',
    next: (project) => (project.suspendedAt === null ? { suspendedAt: closedAt } : undefined),
    isLate,
  });
  if (!isDone) return;
  await deps.history.moveCheck(later, { accountId, dueAt, pruneAt: null });
  await deps.history.forgetTime(later);
}

/**
 * The account's own rows are removed last, so that maintenance finds the account again after a
 * crash.
 */
async function removeAccount(deps: SettleClosingDeps, account: Account, now: Date): Promise<void> {
  const { id } = account;
  await removeProjects(deps, id, now);
  for (const domain of await deps.domainDeps.domains.list(id)) {
    const owner = { account, address: '', requestId: 'maintenance' };
    await deleteDomain(deps.domainDeps, owner, { domainId: domain.id });
  }
  for (const key of await deps.keys.list(id)) await deps.keys.remove(id, key.id);
  for (const one of await deps.publishers.list(id)) await deps.publishers.remove(id, one.id);
  for (const session of await deps.sessions.list(id)) await deps.sessions.remove(id, session.id);
  for (const grant of await deps.grants.list(id)) await deps.grants.remove(grant);
  // Senders of file requests gave their names to this account.
  await deps.links.removeAll(id);
  for (const webhook of await deps.webhooks.list(id)) await deps.deliveries.removeAll(webhook.id);
  await deps.removal.removeRows(account);
}

const pageSize = 100;

/**
 * The sweep deletes their files. A project that is not listed yet still counts; the next run finds
 * it.
 */
async function removeProjects(
  deps: SettleClosingDeps,
  accountId: AccountId,
  now: Date,
): Promise<void> {
  for (;;) {
    const query = { accountId, archived: 'all', limit: pageSize, offset: 0 } as const;
    const projects = await deps.owned.list(query);
    let removed = 0;
    for (const { id } of projects) {
      const project = await deps.projects.get(id);
      if (project === undefined || project.removingAt !== null) continue;
      if (await deps.owned.beginRemoval(removalOnRequest(project, 0, now))) removed += 1;
    }
    if (removed === 0) break;
  }
  const left = await deps.accounts.get(accountId);
  if (left !== undefined && left.projectCount > 0) {
    throw new Error(`account ${accountId} still has ${left.projectCount} projects`);
  }
}
