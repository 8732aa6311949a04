import { randomInt } from 'node:crypto';
import { daySeconds } from '../../../contract/limits.ts';
import type { ProjectId } from '../../../contract/fields.ts';
import { mailBudget } from '../../accounts/sign-in/mail-limits.ts';
import { addressPlaces } from '../../limits/address-limits.ts';
import type { Counters } from '../../limits/counters.ts';
import { secondsLeft } from '../../instants.ts';
import type { LimitedPlace } from '../../limits/reserve-places.ts';
import type { RateLimitRule } from '../../limits/sliding-window.ts';
import { mailboxOf } from '../../people/people-list.ts';
import type { CodePurpose } from './visitor-code.ts';

/** Which limit is full: of the visitor's own connection or network, of the e-mail address, or of wrong codes for the project. */
export type VisitorLimit = 'caller' | 'network' | 'address' | 'project';

/** An office or a school opens a page at once behind one address. */
const mailsOfCaller: RateLimitRule[] = [{ limit: 60, windowSeconds: 3600 }];
/** A fifth of what {@link sharedLimits} allow, so that it takes five networks to use those up. */
const mailsOfNetwork: RateLimitRule[] = [
  { limit: 100, windowSeconds: 3600 },
  { limit: 400, windowSeconds: daySeconds },
];
/**
 * Mails to one mailbox for one project. No longer window: whoever knows an address could lock its holder out for as
 * long. {@link countVisitorGuess} limits what somebody guesses of all addresses of a project.
 */
const mailsToAddress: RateLimitRule[] = [
  { limit: 5, windowSeconds: 3600 },
  { limit: 20, windowSeconds: daySeconds },
];
/** Mails to one mailbox for all projects: pages of strangers fill nobody's mailbox. */
const mailsToMailbox: RateLimitRule[] = [{ limit: 20, windowSeconds: 3600 }];
/** Wrong codes of one caller, and of its whole network, for all projects. */
const guessesOfCaller: RateLimitRule[] = [
  { limit: 30, windowSeconds: 3600 },
  { limit: 100, windowSeconds: daySeconds },
];

/** The limits that each request for a mail counts toward, also one that another limit refuses: it has its cost. */
export function visitorAskPlaces(callerAddress: string): LimitedPlace<VisitorLimit>[] {
  return addressPlaces('visitor-mails-from', callerAddress, mailsOfCaller, mailsOfNetwork);
}

/** The limits that each mail to a visitor counts toward; the same for addresses on a list and others. */
export function visitorMailPlaces({ projectId, email }: CodePurpose): LimitedPlace<VisitorLimit>[] {
  const mailbox = tagged(email);
  return [
    { name: 'address', key: `visitor-mails-to#${projectId}#${mailbox}`, rules: mailsToAddress },
    { name: 'address', key: `visitor-mails-to#${mailbox}`, rules: mailsToMailbox },
  ];
}

/** All tags of a mailbox count together, and apart from it: they must not lock its plain address out. */
function tagged(email: string): string {
  return mailboxOf(email) + (mailboxOf(email) === email ? '' : '+');
}

/** The limits that each entered code counts toward until it proves right. */
export function visitorGuessPlaces(callerAddress: string): LimitedPlace<VisitorLimit>[] {
  return addressPlaces('visitor-codes-from', callerAddress, guessesOfCaller, guessesOfCaller);
}

/** Wrong codes for one project in a day, whichever addresses they are for: one chance in 3,300 to guess one. */
const guessesOfProject = 300;

/**
 * Counts a code before it is compared; `undefined` if the project has had too many wrong ones today. A listed domain
 * has as many addresses as somebody invents, and each has five tries. Long codes are accepted all the same. `release`
 * is for a right code.
 */
export async function countVisitorGuess(
  counters: Pick<Counters, 'count'>,
  projectId: ProjectId,
  now: Date,
): Promise<{ release(): Promise<unknown> } | undefined> {
  const key = `visitor-codes-wrong#${projectId}`;
  const release = () => counters.count(key, daySeconds, now, -1);
  if ((await counters.count(key, daySeconds, now)) <= guessesOfProject) return { release };
  await release();
  return undefined;
}

/**
 * Limits that many visitors share at once: they are counted, because a list of times would be written over and over.
 * Strangers with many networks can use them up, so whom the owner knows has room beyond them
 * ({@link isMailedWhileBusy}).
 */
const sharedLimits = (projectId: ProjectId) =>
  [
    { key: `visitor-mails-of#${projectId}`, limit: 500, windowSeconds: 3600 },
    { key: `visitor-mails-of#${projectId}`, limit: 2000, windowSeconds: daySeconds },
    // Half of the mails for signing in, and counted apart: neither can use up the other's.
    { key: 'mailed-visitor-codes', ...mailBudget, limit: mailBudget.limit / 2 },
  ] as const;

/**
 * How an owner knows a reader: by the address, which is on the list, or by its domain, which is there, and because the
 * address was proved in the last 30 days. Whoever opens a page for all who prove an address is known by neither: it
 * may be a stranger's.
 */
export type KnownReader = 'listed' | 'returning';

/** Who asks for a code, and for the page of which owner. */
export interface AskingReader extends CodePurpose {
  ownerId: string;
  known?: KnownReader | undefined;
}

/**
 * Mails to known readers beyond the limits of pages and mailboxes, which strangers use up: an owner lists whom they
 * like, and as many as they like. Two mails do for an hour, because a long code works until tomorrow, in one browser; so
 * nobody uses up what others need by asking again. Few go to one mailbox: an owner may list somebody to fill it.
 */
function limitsOfKnown({ ownerId, projectId, email, known = 'returning' }: AskingReader) {
  const ofOwner = `${known}-visitor-mails-of#${ownerId}`;
  return [
    { key: `known-visitor-mail#${projectId}#${tagged(email)}`, limit: 2, windowSeconds: 3600 },
    {
      key: `known-visitor-mail#${ownerId}#${mailboxOf(email)}`,
      limit: 10,
      windowSeconds: 3600,
    },
    // A fifth of what the installation sends, so that it takes five accounts to use that up.
    { key: ofOwner, limit: 100, windowSeconds: 3600 },
    { key: ofOwner, limit: 500, windowSeconds: daySeconds },
    { key: 'known-visitor-mails', ...mailBudget, limit: mailBudget.limit / 2 },
  ];
}

/**
 * Whether a reader still gets a mail where those limits are used up: a known one, while there is room. Others,
 * and whom an earlier limit refuses, count under a name of their own, so that the work is the same. Each reader meets a
 * limit between half of it and all: who sends up to an exact one, and then asks for somebody else's address, would see
 * by the next own mail whether that one was counted, and so is listed.
 */
export async function isMailedWhileBusy(
  counters: Pick<Counters, 'count'>,
  reader: AskingReader,
  now: Date,
): Promise<boolean> {
  let isMailed = reader.known !== undefined;
  for (const { key, limit, windowSeconds } of limitsOfKnown(reader)) {
    const counted = isMailed ? key : `others-${key}`;
    const most = limit === 2 ? 2 : randomInt(limit / 2, limit + 1);
    if ((await counters.count(counted, windowSeconds, now)) > most) isMailed = false;
  }
  return isMailed;
}

/**
 * Counts a mail for its project and in the deployment's budget of mails to visitors. Nothing is counted where one of
 * them is used up: the result is the wait for it, in seconds.
 */
export async function countVisitorMail(
  counters: Pick<Counters, 'count'>,
  projectId: ProjectId,
  now: Date,
): Promise<number | undefined> {
  const counted = new Array<{ key: string; windowSeconds: number }>();
  for (const { key, limit, windowSeconds } of sharedLimits(projectId)) {
    counted.push({ key, windowSeconds });
    if ((await counters.count(key, windowSeconds, now)) <= limit) continue;
    await Promise.all(counted.map((one) => counters.count(one.key, one.windowSeconds, now, -1)));
    return secondsLeft(windowSeconds, now);
  }
  return undefined;
}
