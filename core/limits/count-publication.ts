import { effectiveTier } from '../accounts/account.ts';
import type { AccountCaller } from '../caller.ts';
import { countAttempt, type RequestLimitDeps } from './counters.ts';
import { countByLink } from './link-limits.ts';

/**
 * In an hour an account may publish as often as it may call in so many minutes, and those who have its upload links,
 * whose uploads cost more, as often as in so many more.
 */
const publications = {
  ofOwner: { minutes: 10, name: 'publications', what: 'publications of one account' },
  ofLinks: { minutes: 3, name: 'publications-by-links', what: 'uploads by links' },
};

/**
 * Counts one publication of an account: a version that is made, or made live, or is refused: its files may be stored by
 * then. What each writes, with the deliveries to webhooks, and what its removal costs later is many times the price of
 * a request. Uploads by links have a counter of their own: whoever has one must not keep the owner from publishing, nor
 * learn the owner's plan; one link has at most two thirds of it, so that its senders do not stop those of the others.
 * @throws CodedError RATE_LIMITED over so many times the plan's `requestsPerMinute` in an hour
 */
export async function countPublication(
  { counters, plans, ...deps }: RequestLimitDeps,
  caller: AccountCaller,
): Promise<void> {
  const now = deps.now();
  const { id } = caller.account;
  const perMinute = plans[effectiveTier(caller.account, now)].requestsPerMinute;
  if (perMinute === -1) return;
  const isByLink = caller.linkHash !== undefined;
  const { minutes, name, what } = publications[isByLink ? 'ofLinks' : 'ofOwner'];
  const rule = { limit: minutes * perMinute, windowSeconds: 3600 };
  const counted = { what, isUntold: isByLink };
  const ofSender = { ...rule, limit: Math.ceil(perMinute / 2) };
  const most = Math.ceil((rule.limit * 2) / 3);
  await countByLink(counters, caller, { ...counted, key: name, rule: ofSender, most }, now);
  await countAttempt(counters, caller, { ...counted, key: `${name}#${id}`, rule }, now);
}
