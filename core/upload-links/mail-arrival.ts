import type { Instant, ProjectId } from '../../contract/fields.ts';
import type { Account } from '../accounts/account.ts';
import { getsMail } from '../accounts/mail-choices.ts';
import type { AccountStore } from '../accounts/ports.ts';
import { isRecipientRefused } from '../accounts/sign-in/mail-limits.ts';
import { accountState } from '../accounts/suspension.ts';
import { mailStopToken } from '../analytics/mail-stops.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { Counters } from '../limits/counters.ts';
import { leaseNotice, mayMailArrival } from '../mail-notices.ts';
import type { MailNotices, ProjectStore, RequestNotice } from '../ports.ts';
import type { Addresses } from '../projects/addresses/addresses.ts';
import type { Project } from '../projects/project.ts';
import type { RotatingSecret } from '../secrets/rotating-secret.ts';
import { mailsApartSeconds } from './note-arrival.ts';
import { mayMailReceipt } from './receipt-limits.ts';
import type { ReceivedUpload, UploadLink, UploadLinkStore } from './upload-link.ts';

interface ArrivalMail {
  title: string;
  projectId: ProjectId;
  /** Where visitors see the files. */
  url: string;
  fileCount: number;
  bytes: number;
  stopToken: string;
}

/** What a mail about the uploads of a file request says: those since the mail before, and how many there are. */
export interface RequestMail extends Pick<ArrivalMail, 'fileCount' | 'bytes' | 'stopToken'> {
  title: string | null;
  uploads: number;
  received: number;
  maxUploads: number;
  closesAt: Instant;
}

/** What the receipt of a sender says: nothing that the sender or the owner wrote. */
export interface ReceiptMail
  extends Pick<ReceivedUpload, 'number' | 'receivedAt' | 'fileCount' | 'bytes'> {
  /** The proven address of who asked for the files. */
  asker: string;
}

/** Mails owners about files that came by an upload link, and senders about what they sent. */
export interface ArrivalMailer {
  sendArrival(email: string, mail: ArrivalMail): Promise<void>;
  sendRequestMail(email: string, mail: RequestMail): Promise<void>;
  sendReceipt(email: string, mail: ReceiptMail): Promise<void>;
}

/** The dependencies of {@link mailArrival}. */
export interface MailArrivalDeps {
  projects: Pick<ProjectStore, 'get' | 'listVersions'>;
  accounts: Pick<AccountStore, 'get'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  notices: MailNotices;
  links: Pick<UploadLinkStore, 'find' | 'listReceived' | 'findReceipt' | 'noteMailed'>;
  counters: Counters;
  arrivalMailer: ArrivalMailer;
  accessSecret: RotatingSecret;
  onFailure(item: unknown, error: unknown): void;
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
  const mail = { title, projectId, url, fileCount, bytes, stopToken: stopTokenOf(deps, account) };
  await deps.arrivalMailer.sendArrival(account.email, mail);
}

function stopTokenOf(
  { accessSecret }: Pick<MailArrivalDeps, 'accessSecret'>,
  { id: ownerId, email }: Account,
) {
  return mailStopToken(accessSecret, { kind: 'uploads', ownerId }, email);
}

/**
 * Mails about a file request that are due: to its owner about all uploads since the mail before, or the receipt of one
 * upload to its sender. Returns false if there was nothing to do.
 */
export async function mailRequest(
  deps: MailArrivalDeps,
  key: RequestNotice,
  now: Date,
): Promise<boolean> {
  const lastAt = await leaseNotice(deps.notices, key, now);
  if (lastAt === undefined) return false;
  const link = isOver(lastAt, now) ? undefined : await deps.links.find(key.requestHash);
  const account = link && (await deps.accounts.get(link.accountId));
  const request = { ...key, link, account };
  // Before the receipt is sent: one that fails is not sent again, because its address is not proven.
  if (key.number === undefined) await mailArrivals(deps, request, now);
  await deps.notices.end(key, lastAt, instant(plusSeconds(now, mailsApartSeconds)));
  if (key.number !== undefined) await mailReceipt(deps, request, now);
  return true;
}

interface RequestOf extends RequestNotice {
  link: UploadLink | undefined;
  account: Account | undefined;
}

async function mailArrivals(
  deps: MailArrivalDeps,
  { requestHash, link, account }: RequestOf,
  now: Date,
): Promise<void> {
  if (link?.request === undefined || !getsMail(account, 'uploads')) return;
  const { maxUploads } = link.request;
  const page = { limit: maxUploads, below: Number.POSITIVE_INFINITY };
  const list = await deps.links.listReceived(account.id, link.id, page);
  const found = list?.received.filter(({ number }) => number > (link.mailed?.number ?? 0)) ?? [];
  const [newest] = found;
  if (newest === undefined || !(await mayMailArrival(deps, account.id, now))) return;
  await deps.arrivalMailer.sendRequestMail(account.email, {
    title: link.title,
    uploads: found.length,
    fileCount: sum(found.map(({ fileCount }) => fileCount)),
    bytes: sum(found.map(({ bytes }) => bytes)),
    received: link.received ?? 0,
    maxUploads,
    closesAt: link.expiresAt,
    stopToken: stopTokenOf(deps, account),
  });
  await deps.links.noteMailed(requestHash, { at: instant(now), number: newest.number });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

async function mailReceipt(
  deps: MailArrivalDeps,
  { requestHash, number = 0, link, account }: RequestOf,
  now: Date,
): Promise<void> {
  if (link === undefined || account === undefined || accountState(account) !== 'active') return;
  const sent = await deps.links.findReceipt(requestHash, number);
  if (sent === undefined) return;
  const { receivedAt, fileCount, bytes, senderEmail: email } = sent;
  const limited = { accountId: account.id, linkId: link.id, email };
  if (!(await mayMailReceipt(deps.counters, limited, now))) return;
  await deps.arrivalMailer
    .sendReceipt(email, { number, receivedAt, fileCount, bytes, asker: account.email })
    .catch((error: unknown) => {
      if (!isRecipientRefused(error)) deps.onFailure({ kind: 'receipt', linkId: link.id }, error);
    });
}
