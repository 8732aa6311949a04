import type { Instant, ProjectId } from '../../contract/fields.ts';
import type { AccountStore } from '../accounts/ports.ts';
import { getsMail } from '../accounts/mail-choices.ts';
import { plusSeconds } from '../instants.ts';
import type { Counters } from '../limits/counters.ts';
import { leaseNotice, mayMailArrival } from '../mail-notices.ts';
import type { MailNotices, ProjectStore } from '../ports.ts';
import type { Addresses } from '../projects/addresses/addresses.ts';
import type { Project } from '../projects/project.ts';

/** What a mail about files that came by an upload link says. */
interface ArrivalMail {
  title: string;
  projectId: ProjectId;
  /** Where visitors see the files. */
  url: string;
  fileCount: number;
  bytes: number;
}

/** Mails owners about files that came by an upload link. */
export interface ArrivalMailer {
  sendArrival(email: string, mail: ArrivalMail): Promise<void>;
}

/** The dependencies of {@link mailArrival}. */
export interface MailArrivalDeps {
  projects: Pick<ProjectStore, 'get' | 'listVersions'>;
  accounts: Pick<AccountStore, 'get'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  notices: MailNotices;
  counters: Pick<Counters, 'count'>;
  arrivalMailer: ArrivalMailer;
}

/** By then a worker has published an upload, or has given it up. */
const giveUpSeconds = 3 * 3600;

/**
 * Mails the owner of a project about files that came by an upload link, once they are published.
 * While a worker still stores them, the notice waits. Returns false if there was nothing to do.
 */
export async function mailArrival(
  deps: MailArrivalDeps,
  { projectId, linkId }: { projectId: ProjectId; linkId: string },
  now: Date,
): Promise<boolean> {
  const key = { projectId, link: { kind: 'upload', id: linkId } } as const;
  const lastAt = await leaseNotice(deps.notices, key, now);
  if (lastAt === undefined) return false;
  const project = await deps.projects.get(projectId);
  const isThere = project?.removingAt === null && project.takedown === null;
  if (isThere && !(await hasVersionBy(deps, projectId, linkId)) && !isOver(lastAt, now))
    return true;
  if (isThere && !isOver(lastAt, now)) await mailOwner(deps, project, now);
  await deps.notices.end(key, lastAt, lastAt);
  return true;
}

function isOver(at: Instant, now: Date): boolean {
  return plusSeconds(new Date(at), giveUpSeconds) <= now;
}

async function hasVersionBy(
  { projects }: Pick<MailArrivalDeps, 'projects'>,
  projectId: ProjectId,
  linkId: string,
): Promise<boolean> {
  const versions = await projects.listVersions(projectId);
  return versions.some(
    ({ publishedBy }) => publishedBy.kind === 'link' && publishedBy.id === linkId,
  );
}

async function mailOwner(
  deps: MailArrivalDeps,
  { id: projectId, ownerId, title, host, fileCount, bytes }: Project,
  now: Date,
): Promise<void> {
  const account = ownerId === null ? undefined : await deps.accounts.get(ownerId);
  if (!getsMail(account, 'uploads')) return;
  if (!(await mayMailArrival(deps, account.id, now))) return;
  const url = deps.addresses.siteUrl(host);
  await deps.arrivalMailer.sendArrival(account.email, { title, projectId, url, fileCount, bytes });
}
