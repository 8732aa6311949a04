import { daySeconds } from '../contract/limits.ts';
import type { AccountId, Instant } from '../contract/fields.ts';
import { instant, plusSeconds } from './instants.ts';
import type { Counters, LimitReader } from './limits/counters.ts';
import type { MailNotices, NoticeKey } from './ports.ts';

/** A mail that could not be sent is retried after this. */
const retrySeconds = 600;

/**
 * Takes a mail that is due, and returns when the latest event was that it is about; nothing if no
 * mail is due, or another caller has it. Unless the notice is ended, the mail is due again later.
 */
export function leaseNotice(
  notices: Pick<MailNotices, 'lease'>,
  key: NoticeKey,
  now: Date,
): Promise<Instant | undefined> {
  return notices.lease(key, now, instant(plusSeconds(now, retrySeconds)));
}

/** What a notice is about: a project, or a file request. */
export function noticeSubject(key: NoticeKey): string {
  return 'requestHash' in key ? key.requestHash : key.projectId;
}

/** Mails about projects to one account in any 24 hours. */
const mailsOfAccount = (accountId: AccountId) =>
  [`notice-mails#${accountId}`, [{ limit: 50, windowSeconds: daySeconds }]] as const;

/** The part of them that visitors and senders of files cause, who need no account: the rest is for everything else. */
const visitorMailsOfAccount = (accountId: AccountId) =>
  [`visitor-mails#${accountId}`, [{ limit: 45, windowSeconds: daySeconds }]] as const;

/** The part of those for senders of files. */
const arrivalMailsOfAccount = (accountId: AccountId) =>
  [`arrival-mails#${accountId}`, [{ limit: 25, windowSeconds: daySeconds }]] as const;

/** Counts a mail about files that arrived; false if the account has had its mails of the day, or those about arrivals. */
export async function mayMailArrival(
  deps: { counters: Pick<Counters, 'reserve'> },
  accountId: AccountId,
  now: Date,
): Promise<boolean> {
  const { reserved } = await deps.counters.reserve(...arrivalMailsOfAccount(accountId), now);
  return reserved && mayMailOpen(deps, accountId, now);
}

/** Whether an account has had its mails of the day, or those that visitors cause; counts none. */
export async function hadAllOpenMails(
  { counters }: { counters: LimitReader },
  accountId: AccountId,
  now: Date,
): Promise<boolean> {
  const all = [mailsOfAccount(accountId), visitorMailsOfAccount(accountId)] as const;
  const read = await Promise.all(all.map(([key, rules]) => counters.peek(key, rules, now)));
  return read.some(({ reserved }) => !reserved);
}

/** Counts a mail about opens; false if the account has had its mails of the day, or those that visitors cause. */
export async function mayMailOpen(
  deps: { counters: Pick<Counters, 'reserve'> },
  accountId: AccountId,
  now: Date,
): Promise<boolean> {
  const { reserved } = await deps.counters.reserve(...visitorMailsOfAccount(accountId), now);
  return reserved && mayMail(deps, accountId, now);
}

/** Counts a mail about a project; false if the account has had its mails of the day. */
export async function mayMail(
  { counters }: { counters: Pick<Counters, 'reserve'> },
  accountId: AccountId,
  now: Date,
): Promise<boolean> {
  return (await counters.reserve(...mailsOfAccount(accountId), now)).reserved;
}
