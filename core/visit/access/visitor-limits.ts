import { daySeconds } from '../../../contract/limits.ts';
import type { ProjectId } from '../../../contract/fields.ts';
import { mailBudget } from '../../accounts/sign-in/mail-limits.ts';
import { addressPlaces } from '../../limits/address-limits.ts';
import type { Counters } from '../../limits/counters.ts';
import { epochSeconds } from '../../instants.ts';
import type { LimitedPlace } from '../../limits/reserve-places.ts';
import type { RateLimitRule } from '../../limits/sliding-window.ts';
import type { CodePurpose } from './visitor-code.ts';

/** Which limit is full: of the visitor's own network, of the e-mail address, of the project, or of the service. */
export type VisitorLimit = 'caller' | 'network' | 'address' | 'project' | 'service';

/** An office or a school opens a page at once behind one address. */
const mailsOfCaller: RateLimitRule[] = [{ limit: 60, windowSeconds: 3600 }];
/**
 * Mails to one address for one project. With five tries for each code, sixty a month also limit how often somebody
 * guesses the code of a foreign address: about once in 3,000 months.
 */
const mailsToAddress: RateLimitRule[] = [
  { limit: 5, windowSeconds: 3600 },
  { limit: 20, windowSeconds: daySeconds },
  { limit: 60, windowSeconds: 30 * daySeconds },
];
/** Mails to one address for all projects: pages of strangers fill nobody's mailbox. */
const mailsToMailbox: RateLimitRule[] = [{ limit: 20, windowSeconds: 3600 }];
/** Wrong codes of one network, for all projects. */
const guessesOfCaller: RateLimitRule[] = [
  { limit: 30, windowSeconds: 3600 },
  { limit: 100, windowSeconds: daySeconds },
];

/** The limits that each mail to a visitor counts toward; the same for addresses on a list and others. */
export function visitorMailPlaces(
  { projectId, email }: CodePurpose,
  callerAddress: string,
): LimitedPlace<VisitorLimit>[] {
  return [
    ...addressPlaces('visitor-mails-from', callerAddress, mailsOfCaller),
    { name: 'address', key: `visitor-mails-to#${projectId}#${email}`, rules: mailsToAddress },
    { name: 'address', key: `visitor-mails-to#${email}`, rules: mailsToMailbox },
  ];
}

/** The limits that each entered code counts toward until it proves right. */
export function visitorGuessPlaces(callerAddress: string): LimitedPlace<VisitorLimit>[] {
  return addressPlaces('visitor-codes-from', callerAddress, guessesOfCaller);
}

/** Limits that many visitors share at once: they are counted, because a list of times would be written over and over. */
const sharedLimits = (projectId: ProjectId) =>
  [
    { by: 'project', key: `visitor-mails-of#${projectId}`, limit: 300, windowSeconds: 3600 },
    { by: 'project', key: `visitor-mails-of#${projectId}`, limit: 1000, windowSeconds: daySeconds },
    // Of the mails with codes of the whole deployment, half: visitors must never keep owners from signing in.
    { by: 'service', key: 'mailed-codes', ...mailBudget, limit: mailBudget.limit / 2 },
  ] as const;

/**
 * Counts a mail for its project and in the deployment's budget of mails with codes. Nothing is counted where one of
 * them is used up.
 */
export async function countVisitorMail(
  counters: Pick<Counters, 'count'>,
  projectId: ProjectId,
  now: Date,
): Promise<{ by: VisitorLimit; retryAfterSeconds: number } | undefined> {
  const counted = new Array<{ key: string; windowSeconds: number }>();
  for (const { by, key, limit, windowSeconds } of sharedLimits(projectId)) {
    counted.push({ key, windowSeconds });
    if ((await counters.count(key, windowSeconds, now)) <= limit) continue;
    await Promise.all(counted.map((one) => counters.count(one.key, one.windowSeconds, now, -1)));
    return { by, retryAfterSeconds: windowSeconds - (epochSeconds(now) % windowSeconds) };
  }
  return undefined;
}
