import { daySeconds } from '../../contract/limits.ts';
import type { Instant, ProjectId } from '../../contract/fields.ts';
import type { AccountStore } from '../accounts/ports.ts';
import { accountState } from '../accounts/suspension.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { Counters } from '../limits/counters.ts';
import type { MailNotices, ProjectStore } from '../ports.ts';
import type { Addresses } from '../projects/addresses/addresses.ts';
import { changeAsOperator, type OperatorDeps } from '../projects/moderation/operator-change.ts';
import type { Project } from '../projects/project.ts';
import type { Hit } from './hit.ts';
import type { HitReader } from './ports.ts';
import { readOpens } from './project-opens.ts';
import { leaseNotice, mayMail } from '../mail-notices.ts';
import { toRecordedHit } from './recorded-hit.ts';

/** What a mail about opens says. */
export interface OpenMail {
  kind: 'first' | 'daily';
  title: string;
  projectId: ProjectId;
  /** Opens in the last 24 hours. */
  opens: number;
  /** The latest opens, newest first, at most ten. */
  latest: Awaited<ReturnType<typeof readOpens>>['recentOpens'];
}

/** Mails owners about opens. */
export interface OpenMailer {
  sendOpens(email: string, mail: OpenMail): Promise<void>;
}

/** The hour, in UTC, at which daily mails are due. */
const mailHour = 7;

/** When the mail about an open is due: at once for the first, in the morning for those of a day. */
export function mailDueAt(kind: 'first' | 'daily', at: Date): Instant {
  if (kind === 'first') return instant(at);
  const due = new Date(at);
  due.setUTCHours(mailHour, 0, 0, 0);
  return instant(due > at ? due : plusSeconds(due, daySeconds));
}

/** Which mail the next open of a project causes; nothing if none. */
export function wantedMail({ notify, firstOpenMailedAt }: Project): 'first' | 'daily' | undefined {
  return notify === 'first' && firstOpenMailedAt !== undefined ? undefined : notify;
}

/**
 * Notes the opens by people among hits, for projects whose owners want mails about them. Opens that
 * were counted before are noted again, so that none is lost in a crash.
 */
export async function noteOpens(
  deps: { notices: Pick<MailNotices, 'note'>; now(): Date },
  project: Project,
  hits: readonly Hit[],
): Promise<void> {
  const kind = wantedMail(project);
  if (kind === undefined) return;
  const opens = hits.filter((hit) => (toRecordedHit(hit)?.counts.opens ?? 0) > 0);
  const at = opens
    .map((hit) => hit.at)
    .toSorted()
    .at(-1);
  if (at === undefined) return;
  await deps.notices.note({ projectId: project.id }, { at, dueAt: mailDueAt(kind, deps.now()) });
}

/** The dependencies of {@link mailOpens}. */
export interface MailOpensDeps extends Omit<OperatorDeps, 'sites' | 'roots'> {
  projects: Pick<ProjectStore, 'get' | 'getVersion'>;
  accounts: Pick<AccountStore, 'get'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  notices: MailNotices;
  openHits: Pick<HitReader, 'summary'>;
  counters: Pick<Counters, 'count'>;
  openMailer: OpenMailer;
}

/**
 * Mails the owner of a project about its opens, if that is due and still wanted. A mail that may
 * not have been sent is sent again. Returns false if there was nothing to do.
 */
export async function mailOpens(
  deps: MailOpensDeps,
  projectId: ProjectId,
  now: Date,
): Promise<boolean> {
  const lastAt = await leaseNotice(deps.notices, { projectId }, now);
  if (lastAt === undefined) return false;
  const project = await deps.projects.get(projectId);
  const kind = project?.removingAt === null ? wantedMail(project) : undefined;
  if (project !== undefined && kind !== undefined) await mailOwner(deps, project, kind, now);
  await deps.notices.end({ projectId }, lastAt, mailDueAt(kind ?? 'daily', now));
  return true;
}

async function mailOwner(
  deps: MailOpensDeps,
  { id, ownerId, title }: Project,
  kind: 'first' | 'daily',
  now: Date,
): Promise<void> {
  const account = ownerId === null ? undefined : await deps.accounts.get(ownerId);
  if (account === undefined || accountState(account) !== 'active') return;
  const { opens, recentOpens } = await readOpens(deps.openHits, id, now);
  // Hits that are delivered again later make a notice without a new open.
  if (kind === 'daily' && opens.last24h === 0) return;
  if (await mayMail(deps, account.id, now)) {
    const mail = { kind, title, projectId: id, opens: opens.last24h, latest: recentOpens };
    await deps.openMailer.sendOpens(account.email, mail);
  }
  if (kind === 'daily') return;
  await changeAsOperator(deps, id, ({ notify, firstOpenMailedAt }) =>
    notify === 'first' && firstOpenMailedAt === undefined
      ? { firstOpenMailedAt: instant(now) }
      : undefined,
  );
}
