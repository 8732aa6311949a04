import { AccountId, MailKind, ProjectId } from '../../contract/fields.ts';
import { updateMailChoices } from '../accounts/mail-choices.ts';
import type { AccountStore } from '../accounts/ports.ts';
import { changeAsOperator, OperatorError } from '../projects/moderation/operator-change.ts';
import type { ChangeProjectDeps } from '../projects/change/change-project.ts';
import { isSignatureOf, type RotatingSecret, signatureOf } from '../secrets/rotating-secret.ts';
import { ShareLinkId, type ShareLinkStore } from '../share-links/share-link.ts';

/** The mails that a link in them stops: those to an owner about opens of a project, or by one share link. */
export interface MailStop {
  projectId: ProjectId;
  linkId: ShareLinkId | undefined;
  ownerId: AccountId;
}

/** All mails of a kind to an owner. */
export interface KindStop {
  kind: MailKind;
  ownerId: AccountId;
}

/** What is stopped, for the page of the link: all mails of a kind, or those about one project or share link. */
export type StoppedMails = { kind: MailKind } | { title: string; linkName: string | null };

/** The dependencies of {@link findMails} and {@link stopMails}. */
export interface MailStopDeps
  extends Pick<ChangeProjectDeps, 'projects' | 'owned' | 'edge' | 'onFailure' | 'now'> {
  shareLinks: Pick<ShareLinkStore, 'find' | 'update'>;
  accounts: Pick<AccountStore, 'get' | 'switchMails'>;
  accessSecret: RotatingSecret;
}

/**
 * The token of a link that stops mails, as RFC 8058 §3.1 asks for: nobody can forge it, and whoever has it needs no
 * sign-in. It gives nothing else, and it ends when the owner's account gets another address: somebody else may read the
 * mailbox of the earlier one. `<project>.<share link or ->.<owner>.<HMAC-SHA256>`, or `<kind>.-.<owner>.<HMAC-SHA256>`
 * @param email the address that the mail is sent to
 */
export function mailStopToken(
  secret: RotatingSecret,
  stop: MailStop | KindStop,
  email: string,
): string {
  const content = serialize(stop);
  return `${content}.${signatureOf(secret, 'mail-stop', `${content}\n${email}`)}`;
}

/**
 * Finds the mails that a link stops, and does not stop them: mail scanners open links. Undefined for a wrong link,
 * and where the project or the share link is gone or has another owner.
 */
export async function findMails(
  deps: Pick<MailStopDeps, 'projects' | 'shareLinks' | 'accounts' | 'accessSecret'>,
  token: string,
): Promise<KindStop | (MailStop & Exclude<StoppedMails, { kind: MailKind }>) | undefined> {
  const read = readToken(token);
  const account = read && (await deps.accounts.get(read.stop.ownerId));
  if (read === undefined || account === undefined) return undefined;
  if (!isGenuine(deps.accessSecret, read, account.email)) return undefined;
  const { stop } = read;
  if ('kind' in stop) return stop;
  const project = await deps.projects.get(stop.projectId);
  if (project === undefined || project.removingAt !== null || project.ownerId !== stop.ownerId) {
    return undefined;
  }
  const { title } = project;
  if (stop.linkId === undefined) return { ...stop, title, linkName: null };
  const link = await deps.shareLinks.find(stop.projectId, stop.linkId);
  return link && { ...stop, title, linkName: link.name };
}

/** Stops the mails of a link, as `notify: off` does; undefined where {@link findMails} finds none. May be repeated. */
export async function stopMails(
  deps: MailStopDeps,
  token: string,
): Promise<StoppedMails | undefined> {
  const found = await findMails(deps, token);
  if (found === undefined) return undefined;
  if ('kind' in found) {
    const { kind, ownerId } = found;
    const account = await deps.accounts.get(ownerId);
    if (account !== undefined)
      await updateMailChoices(deps, { account }, { mails: { [kind]: false } });
    return found;
  }
  const { projectId, linkId, ownerId } = found;
  if (linkId !== undefined) {
    return (await deps.shareLinks.update(projectId, linkId, { notify: null })) ? found : undefined;
  }
  try {
    await changeAsOperator(deps, projectId, (project) =>
      project.ownerId === ownerId && project.notify !== undefined
        ? { notify: undefined }
        : undefined,
    );
    return found;
  } catch (error) {
    // It was deleted between the two steps.
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}

const tokenShape = /^([0-9a-f-]{36}|[a-z]{1,20})\.(-|[\w-]{1,64})\.([0-9a-f-]{36})\.([\w-]{43})$/;

interface ReadToken {
  stop: MailStop | KindStop;
  signature: string;
}

function readToken(token: string): ReadToken | undefined {
  const [, subject, link = '-', owner, signature = ''] = tokenShape.exec(token) ?? [];
  const ownerId = AccountId.safeParse(owner).data;
  const stop = ownerId && readStop(ownerId, subject, link);
  return stop && { stop, signature };
}

function isGenuine(secret: RotatingSecret, { stop, signature }: ReadToken, email: string): boolean {
  return isSignatureOf(secret, 'mail-stop', `${serialize(stop)}\n${email}`, signature);
}

function readStop(
  ownerId: AccountId,
  subject: string | undefined,
  link: string,
): MailStop | KindStop | undefined {
  const kind = MailKind.safeParse(subject).data;
  if (kind !== undefined && link === '-') return { kind, ownerId };
  const projectId = ProjectId.safeParse(subject).data;
  const linkId = link === '-' ? undefined : ShareLinkId.safeParse(link).data;
  if (projectId === undefined || (link !== '-' && linkId === undefined)) return undefined;
  return { projectId, linkId, ownerId };
}

function serialize(stop: MailStop | KindStop): string {
  return 'kind' in stop
    ? `${stop.kind}.-.${stop.ownerId}`
    : `${stop.projectId}.${stop.linkId ?? '-'}.${stop.ownerId}`;
}
