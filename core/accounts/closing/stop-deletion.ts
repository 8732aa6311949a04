import { AccountId, type Instant } from '../../../contract/fields.ts';
import type { Caller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { instant } from '../../instants.ts';
import { countByAddress } from '../../limits/address-limits.ts';
import type { Counters } from '../../limits/counters.ts';
import type { Account } from '../account.ts';
import type { AccountStore } from '../ports.ts';
import { isSameText } from '../sign-in/code-secrets.ts';
import { reopenAccount, restorableUntil } from './close-account.ts';

/** The link in mails to an account that is being deleted. */
export interface StopLink {
  /** `<account>.<token>`, the last segment of its address. */
  link: string;
  /** Until when the deletion can be stopped. */
  until: Instant;
}

/** The dependencies of {@link findDeletion} and {@link stopDeletion}. */
export interface StopDeletionDeps {
  accounts: Pick<AccountStore, 'get' | 'findByEmail' | 'reopen'>;
  counters: Pick<Counters, 'count'>;
  now(): Date;
}

const opened = {
  name: 'stop-links',
  rule: { limit: 30, windowSeconds: 60 },
  what: 'requests with links that stop a deletion',
};

/**
 * The one link that stops the deletion of an account now; undefined if it is not being deleted. Each deletion has
 * a token of its own, so no link works for a later one. Pure.
 */
export function stopLinkOf(
  { id, closedAt, stopToken, removingAt }: Account,
  now: Date,
): StopLink | undefined {
  if (closedAt === undefined || stopToken === undefined || removingAt !== undefined)
    return undefined;
  const until = restorableUntil(closedAt);
  return until > instant(now) ? { link: `${id}.${stopToken}`, until } : undefined;
}

/**
 * Finds the deletion that a link would stop, and does not stop it: mail scanners open links. The
 * result is the same for a wrong link, one of an earlier deletion, and one of an account that no
 * longer exists.
 * @throws CodedError RATE_LIMITED
 */
export async function findDeletion(
  deps: StopDeletionDeps,
  caller: Caller,
  link: string,
): Promise<{ account: Account; until: Instant } | undefined> {
  const now = deps.now();
  await countByAddress(deps.counters, caller, opened, now);
  const accountId = AccountId.safeParse(link.split('.', 1)[0]).data;
  const account = accountId && (await deps.accounts.get(accountId));
  const current = account && stopLinkOf(account, now);
  if (account === undefined || current === undefined) return undefined;
  return isSameText(link, current.link) ? { account, until: current.until } : undefined;
}

/**
 * Stops the deletion that a link belongs to, as a sign-in of the account's owner does. False if
 * there is no such deletion.
 * @throws CodedError RATE_LIMITED
 */
export async function stopDeletion(
  deps: StopDeletionDeps,
  caller: Caller,
  link: string,
): Promise<boolean> {
  const found = await findDeletion(deps, caller, link);
  if (found === undefined) return false;
  try {
    await reopenAccount(deps, found.account, deps.now());
    return true;
  } catch (error) {
    // Between the two steps, somebody else stopped it, or its removal began.
    if (error instanceof CodedError && error.code === 'UNAVAILABLE') return false;
    throw error;
  }
}
