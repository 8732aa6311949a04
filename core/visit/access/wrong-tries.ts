import { daySeconds } from '../../../contract/limits.ts';
import * as z from 'zod';
import { AccountId, Instant, ProjectId } from '../../../contract/fields.ts';
import { instant } from '../../instants.ts';
import type { ServingRecord } from '../serving-record.ts';
import type { AccountStore } from '../../accounts/ports.ts';
import type { Counters } from '../../limits/counters.ts';
import type { ProjectStore } from '../../ports.ts';
import type { Addresses } from '../../projects/addresses/addresses.ts';

/** The counter of a project's wrong password attempts. */
export interface WrongTryCount {
  tries: number;
  /** When the first of them was made. */
  since: Date;
  /** When the owner was last notified. */
  alertedAt: Date | undefined;
}

/** Counts wrong attempts, one row for a project; exact under simultaneous requests. */
export interface WrongTries {
  count(projectId: ProjectId, now: Date): Promise<WrongTryCount>;
  /** Replaces the counter `previous` by `next`; false when another request has done so first. */
  restart(projectId: ProjectId, previous: WrongTryCount, next: WrongTryCount): Promise<boolean>;
}

/** A message in the hit queue that requests a mail to the owner. */
export const PasswordAlert = z.object({
  kind: z.literal('password-alert'),
  projectId: ProjectId,
  ownerId: AccountId,
  /** `since` is the first wrong attempt, `at` the one that exceeded the threshold. */
  since: Instant,
  at: Instant,
});
export type PasswordAlert = z.infer<typeof PasswordAlert>;

/** The queue of alerts. */
export interface PasswordAlerts {
  send(alert: PasswordAlert): Promise<void>;
}

/** The dependencies for counting wrong attempts. */
export interface WrongTryDeps {
  wrongTries: WrongTries;
  alerts: PasswordAlerts;
  /** Until when a project's attempts are not counted; a cache of this process. */
  quietUntil: Map<ProjectId, Date>;
}

/** More wrong attempts than this notify the owner. */
const alertAbove = 100;
/** Attempts within this time are counted together, so that a slow attack is noticed too. */
const countWindowMs = 30 * daySeconds * 1000;
/** At most one mail for a project in this interval. */
const mailIntervalMs = daySeconds * 1000;
const rememberedProjects = 1000;

/**
 * Counts an attempt that was wrong, or refused before it was compared. More than a hundred cause a
 * mail to the owner, at most one a day for a project.
 *
 * While no mail may be sent, nothing is counted, so that a flood of attempts is not a flood of writes.
 */
export async function recordWrongTry(
  deps: WrongTryDeps,
  { projectId, ownerId }: Pick<ServingRecord, 'projectId' | 'ownerId'>,
  now: Date,
): Promise<void> {
  if (ownerId === null || isQuiet(deps, projectId, now)) return;
  const count = await deps.wrongTries.count(projectId, now);
  if (now.getTime() - count.since.getTime() > countWindowMs) {
    await deps.wrongTries.restart(projectId, count, { ...count, tries: 1, since: now });
    return;
  }
  if (count.tries <= alertAbove) return;
  const pausedUntil = (count.alertedAt?.getTime() ?? Number.NEGATIVE_INFINITY) + mailIntervalMs;
  if (pausedUntil > now.getTime()) {
    setQuiet(deps, projectId, new Date(pausedUntil));
    return;
  }
  const next = { tries: 0, since: now, alertedAt: now };
  if (!(await deps.wrongTries.restart(projectId, count, next))) return;
  const alert = { projectId, ownerId, since: instant(count.since), at: instant(now) };
  try {
    await deps.alerts.send({ kind: 'password-alert', ...alert });
  } catch (error) {
    // The alert was not sent: the next wrong attempt sends it.
    await deps.wrongTries.restart(projectId, next, count);
    throw error;
  }
}

function isQuiet({ quietUntil }: WrongTryDeps, projectId: ProjectId, now: Date): boolean {
  const until = quietUntil.get(projectId);
  return until !== undefined && until > now;
}

function setQuiet({ quietUntil }: WrongTryDeps, projectId: ProjectId, until: Date): void {
  quietUntil.set(projectId, until);
  for (const oldest of quietUntil.keys()) {
    if (quietUntil.size <= rememberedProjects) return;
    quietUntil.delete(oldest);
  }
}

/** The content of the mail about wrong attempts. */
export interface PasswordAlertMail {
  title: string;
  url: string;
  since: string;
}

/** Sends the mail about wrong attempts. */
export interface AlertMailer {
  sendAlert(email: string, mail: PasswordAlertMail): Promise<void>;
}

/** The dependencies for mailing an alert. */
export interface MailAlertDeps {
  projects: Pick<ProjectStore, 'get'>;
  accounts: Pick<AccountStore, 'get'>;
  counters: Pick<Counters, 'count' | 'reserve' | 'release'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  alertMailer: AlertMailer;
  now(): Date;
}

/** The queue may deliver an alert again for hours; it is mailed once. */
const mailOnce = [{ limit: 1, windowSeconds: 7 * daySeconds }];

/**
 * Mails to one account in a day, for all its projects: otherwise somebody could create projects and
 * try passwords to cause any number of mails.
 */
const mailsOfAccount = 5;

/** Mails an alert to the owner, unless the account has had its mails of the day, or the project has meanwhile been deleted, changed its owner or lost its password. */
export async function mailAlert(deps: MailAlertDeps, alert: PasswordAlert): Promise<void> {
  const { projectId, ownerId, since, at } = alert;
  const project = await deps.projects.get(projectId);
  const isCurrent =
    project?.removingAt === null && project.ownerId === ownerId && project.access === 'password';
  const account = isCurrent ? await deps.accounts.get(ownerId) : undefined;
  if (account === undefined || !isCurrent) return;
  const key = `password-alert#${projectId}#${at}`;
  const now = deps.now();
  const outcome = await deps.counters.reserve(key, mailOnce, now);
  if (!outcome.reserved) return;
  const ofAccount = `password-alerts#${ownerId}`;
  if ((await deps.counters.count(ofAccount, daySeconds, now)) > mailsOfAccount) return;
  const mail = { title: project.title, url: deps.addresses.siteUrl(project.host), since };
  try {
    await deps.alertMailer.sendAlert(account.email, mail);
  } catch (error) {
    await deps.counters.count(ofAccount, daySeconds, now, -1);
    await deps.counters.release(key, now);
    throw error;
  }
}
