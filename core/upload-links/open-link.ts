import type { Account } from '../accounts/account.ts';
import { type CredentialDeps, liveCredential } from '../accounts/keys/live-credential.ts';
import type { AccountStore } from '../accounts/ports.ts';
import { stateOf } from '../accounts/suspension.ts';
import { requirePaid } from '../accounts/require-paid.ts';
import type { AccountCaller, Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { callerKey } from '../limits/caller-key.ts';
import { type Counters, countAttempt } from '../limits/counters.ts';
import type { Rule } from '../limits/sliding-window.ts';
import type { ProjectStore } from '../ports.ts';
import { hashToken } from '../projects/claims/claim-token.ts';
import type { Project } from '../projects/project.ts';
import type { UploadStore } from '../uploads/ports.ts';
import type { UploadLinkStore } from './ports.ts';
import type { UploadLink } from './upload-link.ts';

/** What opening an upload link needs. */
export interface OpenLinkDeps extends CredentialDeps {
  links: UploadLinkStore;
  accounts: Pick<AccountStore, 'get'>;
  projects: Pick<ProjectStore, 'get'>;
  uploads: Pick<UploadStore, 'get'>;
}

/** What finding an upload link needs. */
export type FindLinkDeps = Pick<OpenLinkDeps, 'links' | 'accounts' | 'keys' | 'grants' | 'now'>;

/** A link that may be used, and in whose name. */
export interface OpenLink {
  tokenHash: string;
  link: UploadLink;
  /** Whoever has the link, with the account that it stands for. */
  guest: AccountCaller;
  /** The project that gets a new version. */
  project: Project | undefined;
}

/**
 * Counts a request with a token before anything of it is read, one that leads nowhere too.
 * @throws CodedError RATE_LIMITED
 */
export async function admitLinkUse(
  deps: { counters: Pick<Counters, 'count'>; tempLimits: { attempts: Rule }; now(): Date },
  caller: Caller,
): Promise<void> {
  const key = `link-attempts#${callerKey(caller.address)}`;
  const counted = { key, rule: deps.tempLimits.attempts, what: 'requests with upload links' };
  await countAttempt(deps.counters, caller, counted, deps.now());
}

/**
 * What a token leads to, ready to be used.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND, FREE_TIER_RESTRICTED
 */
export async function openLink(
  deps: OpenLinkDeps,
  caller: Caller,
  token: string,
): Promise<OpenLink> {
  const { tokenHash, link, account } = await findLink(deps, token);
  if (link.state === 'taken') throw linkInUse();
  if (link.state === 'used' && !(await isFreeAgain(deps, tokenHash, link))) {
    throw notFound('This upload link has been used; it works once.');
  }
  const project = await projectOf(deps, link);
  if (project !== undefined) requirePaidOwner(account, deps.now());
  return { tokenHash, link, guest: { ...caller, account }, project };
}

/**
 * A link whose time is not over, used or not, and the account that it stands for.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND
 */
export async function findLink(
  deps: FindLinkDeps,
  token: string,
): Promise<{ tokenHash: string; link: UploadLink; account: Account }> {
  const tokenHash = hashToken(token);
  const link = await deps.links.find(tokenHash);
  if (link === undefined) throw notFound('There is no such upload link.');
  if (Date.parse(link.expiresAt) <= deps.now().getTime()) {
    throw notFound('The time of this upload link is over.');
  }
  const account = await deps.accounts.get(link.accountId);
  if (account === undefined) throw notFound('There is no such upload link.');
  if (stateOf(account) !== 'active') throw linkOfSuspended();
  await requireMaker(deps, link);
  return { tokenHash, link, account };
}

/** What somebody let others do ends when they cannot do it themselves any more. */
async function requireMaker(
  deps: CredentialDeps,
  { accountId, madeWith }: UploadLink,
): Promise<void> {
  if (madeWith === null) return;
  if ((await liveCredential(deps, accountId, madeWith)) !== undefined) return;
  throw notFound(
    madeWith.kind === 'app'
      ? 'The app that made this upload link was disconnected.'
      : 'The API key that made this upload link does not work any more.',
  );
}

/** Whoever has a link is told of its account that it cannot be used, and nothing more. */
export function linkOfSuspended(): CodedError {
  return notFound('The account behind this upload link cannot be used at the moment.');
}

/** Somebody is publishing by a link; who comes second cannot know yet whether it works again. */
export function linkInUse(): CodedError {
  return new CodedError('UPLOAD_LINK_NOT_FOUND', {
    error: 'This upload link is being used by another upload.',
    nextStep: 'Wait until that has ended. If it is refused the link works again; else ask for one.',
  });
}

/** A worker found out later that the upload which used the link cannot be published. */
async function isFreeAgain(
  { uploads, links }: OpenLinkDeps,
  tokenHash: string,
  { uploadId }: UploadLink,
): Promise<boolean> {
  if (uploadId === null || (await uploads.get(uploadId))?.state !== 'failed') return false;
  await links.reopen(tokenHash, uploadId);
  return true;
}

async function projectOf(
  { projects }: OpenLinkDeps,
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
    throw new CodedError(
      'FREE_TIER_RESTRICTED',
      {
        error: 'The plan of the account behind this link does not include new versions any more.',
        nextStep: 'Tell whoever gave you this link; it works again on a paid plan.',
        requiredTier: 'starter',
      },
      { cause },
    );
  }
}

function notFound(error: string): CodedError {
  return new CodedError('UPLOAD_LINK_NOT_FOUND', { error });
}
