import { type Account, FreePlanRefusal, requirePaid } from '../accounts/account.ts';
import type { Credential } from '../accounts/keys/credential.ts';
import { type CredentialDeps, findActiveCredential } from '../accounts/keys/live-credential.ts';
import type { AccountStore } from '../accounts/ports.ts';
import { accountState } from '../accounts/suspension.ts';
import type { PublishingCaller, Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { countByAddress } from '../limits/address-limits.ts';
import type { Counters } from '../limits/counters.ts';
import type { RateLimitRule } from '../limits/sliding-window.ts';
import type { ProjectStore } from '../ports.ts';
import type { Project } from '../projects/project.ts';
import { ReferenceNotFound } from '../projects/change/reference-not-found.ts';
import { UploadId, type UploadStore } from '../uploads/upload.ts';
import { isCutOff, isFull, type UploadLink, type UploadLinkStore } from './upload-link.ts';
import { hashSecretText } from '../secret-text.ts';

/** The dependencies for using an upload link. */
export interface UsableLinkDeps extends CredentialDeps {
  links: UploadLinkStore;
  accounts: Pick<AccountStore, 'get'>;
  projects: Pick<ProjectStore, 'get'>;
  uploads: Pick<UploadStore, 'get'>;
}

/** The dependencies for finding an upload link. */
export type FindLinkDeps = Pick<
  UsableLinkDeps,
  'links' | 'accounts' | 'keys' | 'sessions' | 'grants' | 'uploads' | 'now'
>;

/** A token, and the upload that began with it. */
export interface LinkUse {
  token: string;
  uploadId?: string | undefined;
}

/** A link that can be used, and the account that it publishes for. */
export interface UsableLink {
  tokenHash: string;
  link: UploadLink;
  /** When the upload began: a link that ended after that still takes it. */
  startedAt: Date;
  /** The caller, acting for the link's account. */
  guest: PublishingCaller;
  /** The project that gets a new version. */
  project: Project | undefined;
}

/**
 * Counts a request with a token before it is read; an unknown token counts too.
 * @throws CodedError RATE_LIMITED
 */
export async function admitLinkUse(
  deps: { counters: Pick<Counters, 'count'>; tempLimits: { attempts: RateLimitRule }; now(): Date },
  caller: Caller,
): Promise<void> {
  const what = 'requests with upload links';
  const counted = { name: 'link-attempts', rule: deps.tempLimits.attempts, what };
  await countByAddress(deps.counters, caller, counted, deps.now());
}

/**
 * The link of a token, checked and ready to use.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND, FREE_TIER_RESTRICTED
 */
export async function findUsableLink(
  deps: UsableLinkDeps,
  caller: Caller,
  use: LinkUse,
): Promise<UsableLink> {
  const { tokenHash, link, account, startedAt } = await findLink(deps, use);
  if (isFull(link)) throw requestFull();
  if (isCutOff(link, deps.now())) throw cutOff();
  if (link.state === 'locked') throw linkInUse();
  if (link.state === 'used' && !(await reopenIfFailed(deps, tokenHash, link))) {
    throw notFound('This upload link has been used; it works once.');
  }
  const project = await targetProject(deps, link);
  if (project !== undefined) requirePaidOwner(account, deps.now());
  const publishedBy = { kind: 'link', id: link.id, name: link.title } as const;
  return {
    tokenHash,
    link,
    startedAt,
    guest: {
      ...caller,
      account,
      publishedBy,
      linkHash: tokenHash,
      linkUploads: link.request?.maxUploads,
    },
    project,
  };
}

/**
 * A link that has not expired, or had not when the upload began, used or not, and its account.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND
 */
export async function findLink(
  deps: FindLinkDeps,
  { token, uploadId }: LinkUse,
): Promise<Pick<UsableLink, 'tokenHash' | 'link' | 'startedAt'> & { account: Account }> {
  const tokenHash = hashSecretText(token);
  const link = await deps.links.find(tokenHash);
  if (link === undefined) throw notFound('There is no such upload link.');
  const startedAt = await startOf(deps, { tokenHash, link, uploadId });
  if (Date.parse(link.expiresAt) <= startedAt.getTime()) {
    throw notFound(`This ${link.request ? 'file request is closed' : 'upload link has expired'}.`);
  }
  const account = await deps.accounts.get(link.accountId);
  if (account === undefined) throw notFound('There is no such upload link.');
  if (accountState(account) !== 'active') throw accountUnavailable();
  await requireLiveCredential(deps, link);
  return { tokenHash, link, account, startedAt };
}

/** When an upload began: now, or earlier if it went to storage first. Of a link that is open it makes no difference. */
async function startOf(
  { uploads, now }: Pick<FindLinkDeps, 'uploads' | 'now'>,
  { tokenHash, link, uploadId }: Pick<UsableLink, 'tokenHash' | 'link'> & Omit<LinkUse, 'token'>,
): Promise<Date> {
  const at = now();
  const id = UploadId.safeParse(uploadId).data;
  if (id === undefined || Date.parse(link.expiresAt) > at.getTime()) return at;
  const upload = await uploads.get(id);
  return upload?.linkHash === tokenHash ? new Date(upload.createdAt) : at;
}

const endReasons = {
  key: 'The API key that made this upload link no longer works.',
  session: 'The browser that made this upload link was signed out.',
  app: 'The app that made this upload link was disconnected.',
} satisfies Record<Credential['kind'], string>;

/**
 * A link ends with the credential that made it: its owner could no longer publish either. A file request outlives the
 * browser, which is signed in for a shorter time than the request may be open.
 */
async function requireLiveCredential(
  deps: CredentialDeps,
  { accountId, madeWith, request }: UploadLink,
): Promise<void> {
  if (request !== undefined && madeWith.kind === 'session') return;
  if ((await findActiveCredential(deps, accountId, madeWith)) !== undefined) return;
  throw notFound(endReasons[madeWith.kind]);
}

/**
 * Says only that the account cannot be used, because the holder of the link must not learn its
 * state.
 */
function accountUnavailable(): CodedError {
  return notFound('The account of this upload link cannot be used at the moment.');
}

/** Another upload is using the link. Whether the link works again depends on that upload. */
export function linkInUse(): CodedError {
  return new CodedError('UPLOAD_LINK_NOT_FOUND', {
    error: 'This upload link is being used by another upload.',
    nextStep:
      'Wait until that upload has ended. If it fails, the link works again. Otherwise ask for a new link.',
  });
}

/** All uploads of a file request were received, or are being published at this moment. */
export function requestFull(): CodedError {
  return new CodedError('UPLOAD_LINK_NOT_FOUND', {
    error: 'This file request has received all the uploads that it takes.',
    nextStep: 'Tell the person who sent it to you, or ask for a new link.',
  });
}

function cutOff(): CodedError {
  return new CodedError('UPLOAD_LINK_NOT_FOUND', {
    error: 'An upload by this link was cut off; it may have been published. The link works once.',
    nextStep:
      'Ask the person who gave you this link whether your files arrived, or for a new link.',
  });
}

/** Makes a link usable again after a worker could not publish the upload that used it. */
async function reopenIfFailed(
  { uploads, links }: UsableLinkDeps,
  tokenHash: string,
  link: UploadLink,
): Promise<boolean> {
  const { uploadId } = link;
  if (uploadId === null || (await uploads.get(uploadId))?.state !== 'failed') return false;
  await links.reopen(tokenHash, link, uploadId);
  return true;
}

async function targetProject(
  { projects }: UsableLinkDeps,
  { projectId, accountId }: UploadLink,
): Promise<Project | undefined> {
  if (projectId === null) return undefined;
  const project = await projects.get(projectId);
  if (project?.ownerId === accountId && project.removingAt === null) return project;
  throw notFound('The project that this upload link is for was deleted.');
}

function requirePaidOwner(account: Account, now: Date): void {
  try {
    requirePaid(account, now);
  } catch (cause) {
    throw planEnded(cause);
  }
}

function planEnded(cause: unknown): CodedError {
  return new CodedError(
    'FREE_TIER_RESTRICTED',
    {
      error: 'The plan of the account behind this link no longer includes this.',
      nextStep:
        'Tell the person who gave you this link. It works again when they have a paid plan.',
      requiredTier: 'starter',
    },
    { cause },
  );
}

function notFound(error: string): CodedError {
  return new CodedError('UPLOAD_LINK_NOT_FOUND', { error });
}

const noDomain = 'The custom domain that this link publishes to takes no projects now.';

const noRoom =
  'The account of this link does not have enough storage or projects left for this upload.';

const askOwner = 'Tell the person who gave you this link. It works again when their plan has room.';

const sendLess = 'Send less, or begin with POST /v1/upload-links/{link}/uploads.';

/** The same error without numbers of the account, for a caller who has only a link. */
export function redactForGuest(error: CodedError): CodedError {
  const { code } = error;
  if (code === 'ACCOUNT_SUSPENDED') return accountUnavailable();
  if (code === 'PROJECT_LIMIT_REACHED' || code === 'STORAGE_LIMIT_REACHED') {
    const nextStep = `${askOwner} Nothing was kept.`;
    return new CodedError(code, { error: noRoom, nextStep });
  }
  if (code === 'DOMAIN_NOT_READY' || error instanceof ReferenceNotFound) {
    const nextStep = 'Tell the person who gave you this link. Nothing was kept.';
    return new CodedError('DOMAIN_NOT_READY', { error: noDomain, nextStep });
  }
  if (error instanceof FreePlanRefusal) return planEnded(error);
  const isTooMuch = code === 'PAYLOAD_TOO_LARGE' || code === 'TOO_MANY_FILES';
  if (isTooMuch || (code === 'ARCHIVE_INVALID' && error.fields.nextStep !== undefined)) {
    const nextStep = `${sendLess} Nothing was kept.`;
    return new CodedError(code, { error: error.message, nextStep });
  }
  return error;
}
