import { daySeconds } from '../../contract/limits.ts';
import type { Instant, ProjectId } from '../../contract/fields.ts';
import type { AccountStore } from '../accounts/ports.ts';
import { getsMail } from '../accounts/mail-choices.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { Counters, LimitReader } from '../limits/counters.ts';
import type { MailNotices, ProjectNotice, ProjectStore } from '../ports.ts';
import { type ShareLink, ShareLinkId, type ShareLinkStore } from '../share-links/share-link.ts';
import { changeAsOperator, type OperatorDeps } from '../projects/moderation/operator-change.ts';
import type { Project } from '../projects/project.ts';
import type { Hit } from './hit.ts';
import type { HitReader, LinkOpens } from './ports.ts';
import { type describeOpens, describeHit, readOpens } from './project-opens.ts';
import { hadAllOpenMails, leaseNotice, mayMailOpen } from '../mail-notices.ts';
import type { RotatingSecret } from '../secrets/rotating-secret.ts';
import { mailStopToken } from './mail-stops.ts';
import { isOpenByPerson } from './open-events.ts';

/** What a mail about opens says. */
export interface OpenMail {
  kind: 'first' | 'daily';
  title: string;
  projectId: ProjectId;
  /** The share link that was opened; null for the project as a whole. */
  linkName: string | null;
  /** Of the link that stops these mails; see `mail-stops.ts`. */
  stopToken: string;
  /** Opens in the last 24 hours. */
  opens: number;
  /** The latest opens, newest first, at most ten. */
  latest: ReturnType<typeof describeOpens>['recentOpens'];
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

interface MailChoice {
  notify?: 'first' | 'daily' | null | undefined;
  firstOpenMailedAt?: Instant | null | undefined;
}

/** Which mail the next open of a project or by a link causes; nothing if none. */
export function wantedMail({
  notify,
  firstOpenMailedAt = null,
}: MailChoice): 'first' | 'daily' | undefined {
  if (notify === 'first' && firstOpenMailedAt !== null) return undefined;
  return notify ?? undefined;
}

/** The dependencies of {@link noteOpens}. */
export interface NoteOpensDeps {
  notices: Pick<MailNotices, 'note'>;
  shareLinks: Pick<ShareLinkStore, 'find'>;
  linkOpens: Pick<LinkOpens, 'removeLink'>;
  now(): Date;
}

/**
 * Notes the opens by people among hits of a project, if its owner wants mails about all its opens or
 * those by a link. Opens that were counted before are noted again, so that none is lost in a crash.
 * Opens that were counted after their link was deleted are forgotten: nobody would remove them later.
 */
export async function noteOpens(
  deps: NoteOpensDeps,
  project: Project,
  hits: readonly Hit[],
): Promise<void> {
  const opens = hits.filter(isOpenByPerson);
  await note(deps, { projectId: project.id }, project, opens);
  for (const linkId of new Set(opens.flatMap(({ link }) => link?.id ?? []))) {
    const { data: id } = ShareLinkId.safeParse(linkId);
    const link = id && (await deps.shareLinks.find(project.id, id));
    if (link === undefined) {
      await deps.linkOpens.removeLink(project.id, linkId);
      continue;
    }
    const byLink = opens.filter((hit) => hit.link?.id === linkId);
    await note(deps, { projectId: project.id, link: { kind: 'share', id: linkId } }, link, byLink);
  }
}

async function note(
  { notices, now }: Pick<NoteOpensDeps, 'notices'> & { now: () => Date },
  key: ProjectNotice,
  choice: MailChoice,
  opens: readonly Hit[],
): Promise<void> {
  const kind = wantedMail(choice);
  const at = opens
    .map((hit) => hit.at)
    .toSorted()
    .at(-1);
  if (kind === undefined || at === undefined) return;
  await notices.note(key, { at, dueAt: mailDueAt(kind, now()) });
}

/** The dependencies of {@link mailOpens}. */
export interface MailOpensDeps extends Omit<OperatorDeps, 'sites' | 'roots'> {
  projects: Pick<ProjectStore, 'get' | 'getVersion'>;
  shareLinks: Pick<ShareLinkStore, 'find' | 'update'>;
  accounts: Pick<AccountStore, 'get'>;
  notices: MailNotices;
  openHits: HitReader;
  counters: Pick<Counters, 'reserve'> & LimitReader;
  openMailer: OpenMailer;
  accessSecret: RotatingSecret;
}

/**
 * Mails the owner of a project about its opens or those by a share link, if that is due and still
 * wanted. A mail that may not have been sent is sent again. Returns false if there was nothing to do.
 */
export async function mailOpens(
  deps: MailOpensDeps,
  key: ProjectNotice,
  now: Date,
): Promise<boolean> {
  const lastAt = await leaseNotice(deps.notices, key, now);
  if (lastAt === undefined) return false;
  const project = await deps.projects.get(key.projectId);
  const { data: linkId } = ShareLinkId.safeParse(key.link?.id);
  const link = linkId && (await deps.shareLinks.find(key.projectId, linkId));
  const choice = key.link === undefined ? project : link;
  const kind = project?.removingAt === null && choice ? wantedMail(choice) : undefined;
  if (project !== undefined && kind !== undefined) {
    await mailOwner(deps, { project, link, kind }, now);
  }
  await deps.notices.end(key, lastAt, mailDueAt(kind ?? 'daily', now));
  return true;
}

interface WantedMail {
  project: Project;
  link: ShareLink | undefined;
  kind: 'first' | 'daily';
}

async function mailOwner(deps: MailOpensDeps, wanted: WantedMail, now: Date): Promise<void> {
  const { project, link, kind } = wanted;
  const { id: projectId, ownerId, title } = project;
  const account = ownerId === null ? undefined : await deps.accounts.get(ownerId);
  if (!getsMail(account, 'opens')) return;
  // Reading the opens costs more than all the rest.
  if (await hadAllOpenMails(deps, account.id, now)) return;
  const opened = await opensOf(deps.openHits, projectId, link, now);
  // Hits that are delivered again later make a notice without a new open.
  if (kind === 'daily' && opened.opens === 0) return;
  // The next open tries again.
  if (!(await mayMailOpen(deps, account.id, now))) return;
  const linkName = link?.name ?? null;
  const stop = { projectId, linkId: link?.id, ownerId: account.id };
  const stopToken = mailStopToken(deps.accessSecret, stop, account.email);
  const mail = { kind, title, projectId, linkName, stopToken, ...opened };
  await deps.openMailer.sendOpens(account.email, mail);
  if (kind === 'first') await markMailed(deps, wanted, now);
}

/** The opens of a day, and the latest ten. */
async function opensOf(
  hits: HitReader,
  projectId: ProjectId,
  link: ShareLink | undefined,
  now: Date,
): Promise<Pick<OpenMail, 'opens' | 'latest'>> {
  if (link === undefined) {
    const { opens, recentOpens } = await readOpens(hits, projectId, now);
    return { opens: opens.last24h, latest: recentOpens };
  }
  const from = instant(plusSeconds(now, -daySeconds));
  const query = { projectId, kind: 'open', before: '~', from, limit: hitsOfLinkMail } as const;
  const found = await hits.newest(query);
  const byLink = found.hits.filter((hit) => hit.link?.id === link.id);
  return { opens: byLink.length, latest: byLink.slice(0, 10).map(describeHit) };
}

/** Opens of a project that are read for a mail about one link. Of more in a day, the latest are counted. */
const hitsOfLinkMail = 500;

async function markMailed(
  deps: MailOpensDeps,
  { project, link }: WantedMail,
  now: Date,
): Promise<void> {
  const mailed = { firstOpenMailedAt: instant(now) };
  if (link !== undefined) {
    await deps.shareLinks.update(project.id, link.id, mailed);
    return;
  }
  await changeAsOperator(deps, project.id, (found) =>
    wantedMail(found) === 'first' ? mailed : undefined,
  );
}
