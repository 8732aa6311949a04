import type { Instant } from '../../contract/fields.ts';
import { type CredentialDeps, findActiveCredential } from '../accounts/keys/live-credential.ts';
import type { AccountCaller, CredentialCaller } from '../caller.ts';
import { type AssignDomainDeps, requireAssignable } from '../domains/assign-domain.ts';
import { CodedError, invalidField } from '../errors.ts';
import {
  isOpen,
  linkSeconds,
  newUploadLinkId,
  type UploadLink,
  UploadLinkId,
  type UploadLinkStore,
} from './upload-link.ts';
import { closingTime, type FileRequest, newFileRequest, type NewRequest } from './file-request.ts';
import { inlineUploadBytes, isFileRequest } from '../../contract/operations/upload-links.ts';
import { type Account, type Plans, requirePaid } from '../accounts/account.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { ProjectStore } from '../ports.ts';
import type { Addresses } from '../projects/addresses/addresses.ts';
import { requireOwnedProject } from '../projects/owned-projects.ts';
import type { Project } from '../projects/project.ts';
import { effectiveLimits, requireQuota } from '../projects/quota.ts';
import { uploadCharge } from './upload-charge.ts';
import { uploadLimits } from '../projects/publishing/upload-limits.ts';
import { hashSecretText, newToken } from '../secret-text.ts';

/** The dependencies for listing upload links. */
export interface ListUploadLinksDeps extends CredentialDeps {
  links: Pick<UploadLinkStore, 'listOpen'>;
}

/**
 * The account's usable upload links, newest first, without their tokens. Omits links whose key or
 * app grant has ended.
 */
export async function listUploadLinks(deps: ListUploadLinksDeps, { account }: AccountCaller) {
  const open = await deps.links.listOpen(account.id, deps.now());
  const makers = new Map<string, ReturnType<typeof findActiveCredential>>();
  const makerOf = ({ madeWith }: UploadLink) => {
    const key = JSON.stringify(madeWith);
    const known = makers.get(key);
    if (known !== undefined) return known;
    const found = findActiveCredential(deps, account.id, madeWith);
    makers.set(key, found);
    return found;
  };
  const described = await Promise.all(
    open.map(async (link) => {
      const staysOpen = link.request !== undefined && link.madeWith.kind === 'session';
      return { link, madeBy: (await makerOf(link)) ?? (staysOpen ? formerBrowser : undefined) };
    }),
  );
  return {
    uploadLinks: described.flatMap(({ link, madeBy }) =>
      madeBy === undefined ? [] : [describe(link, madeBy, deps.now())],
    ),
  };
}

/** The name of a browser that is signed out; its file requests stay. */
const formerBrowser = { kind: 'session', name: 'A browser that is signed out' } as const;

/**
 * What arrived by a file request of the account, newest first.
 * @throws CodedError NOT_FOUND
 */
export async function listSenders(
  deps: { links: Pick<UploadLinkStore, 'listReceived'> },
  { account }: AccountCaller,
  input: { id: string; limit: number; cursor?: string | undefined },
) {
  const { data: id } = UploadLinkId.safeParse(input.id);
  const page = { limit: input.limit, below: Number(input.cursor ?? Infinity) };
  const found = id && (await deps.links.listReceived(account.id, id, page));
  if (found === undefined) throw noSuchLink();
  const { received, hasMore } = found;
  return { senders: received, nextCursor: hasMore ? String(received.at(-1)?.number) : null };
}

/**
 * Deletes a link of the account; the next request with its token is refused.
 * @throws CodedError NOT_FOUND
 */
export async function deleteUploadLink(
  deps: { links: Pick<UploadLinkStore, 'remove'> },
  { account }: AccountCaller,
  input: { id: string },
) {
  const { data: id } = UploadLinkId.safeParse(input.id);
  if (id === undefined || !(await deps.links.remove(account.id, id))) {
    throw noSuchLink();
  }
  return { deleted: true };
}

function noSuchLink(): CodedError {
  return new CodedError('NOT_FOUND', {
    error: 'There is no upload link with this id in your account.',
  });
}

function describe(
  link: UploadLink,
  madeBy: NonNullable<Awaited<ReturnType<typeof findActiveCredential>>>,
  now: Date,
) {
  const { id, title, projectId, domainId, createdAt, expiresAt, request, received = 0 } = link;
  const described = { id, title, projectId, domainId, createdAt, expiresAt, madeBy };
  if (request === undefined) return described;
  return { ...described, request: { ...request, received, isOpen: isOpen(link, now) } };
}

/** The dependencies for making upload links. */
export interface CreateUploadLinkDeps {
  links: Pick<UploadLinkStore, 'create'>;
  projects: Pick<ProjectStore, 'get'>;
  addresses: Pick<Addresses, 'uploadUrl' | 'uploadPageUrl'>;
  domains: AssignDomainDeps['domains'];
  plans: Plans;
  now(): Date;
}

/** The purpose of a new link: a new version of a project, a new project, or a file request. */
interface NewUploadLink extends NewRequest {
  title?: string | undefined;
  projectId?: string | undefined;
  domainId?: string | undefined;
  notify?: boolean | undefined;
}

/**
 * Makes a link with which anybody can publish once for the caller's account.
 * @throws CodedError FREE_TIER_RESTRICTED, NOT_FOUND, DOMAIN_NOT_READY
 */
export async function createUploadLink(
  deps: CreateUploadLinkDeps,
  caller: CredentialCaller,
  { title, projectId, domainId, notify = false, ...choices }: NewUploadLink,
) {
  const now = deps.now();
  const { account } = caller;
  const request = requestOf(projectId, choices);
  const project = await targetOf(deps, caller, { target: projectId ?? choices.into, request });
  const domain = domainId === undefined ? null : await requireAssignable(deps, caller, domainId);
  requireRoom(deps, account, { project, isAdded: request !== undefined });
  const token = newToken();
  const expiresAt = endOf(choices, now);
  await deps.links.create(hashSecretText(token), {
    id: newUploadLinkId(now),
    accountId: account.id,
    madeWith: caller.credential,
    title: title ?? null,
    projectId: project?.id ?? null,
    domainId: domain?.id ?? null,
    ...(notify && { notify }),
    createdAt: instant(now),
    expiresAt,
    state: 'waiting',
    uploadId: null,
    ...(request !== undefined && { request }),
  });
  const { maxBytes } = uploadLimits(effectiveLimits(deps.plans, account, now));
  const uploadUrl = deps.addresses.uploadUrl(token);
  return {
    uploadUrl,
    pageUrl: deps.addresses.uploadPageUrl(token),
    expiresAt,
    maxBytes: Math.min(inlineUploadBytes, maxBytes, ...bytesOf(request)),
    ...uploadCommands(uploadUrl, request),
  };
}

function endOf({ closesAt }: NewRequest, now: Date): Instant {
  return closesAt === undefined
    ? instant(plusSeconds(now, linkSeconds))
    : closingTime(closesAt, now);
}

/** The project that is to get new versions, if there is one. @throws CodedError FREE_TIER_RESTRICTED, NOT_FOUND, INVALID_REQUEST */
async function targetOf(
  deps: CreateUploadLinkDeps,
  caller: CredentialCaller,
  { target, request }: { target: string | undefined; request: FileRequest | undefined },
): Promise<Project | null> {
  if (target === undefined) return null;
  requirePaid(caller.account, deps.now());
  const project = await requireOwnedProject(deps.projects, caller, target);
  if (request !== undefined) requireCollecting(project, request);
  return project;
}

/** What a file request asks for, if the link is one. @throws CodedError INVALID_REQUEST */
function requestOf(projectId: string | undefined, choices: NewRequest): FileRequest | undefined {
  if (!isFileRequest(choices)) return undefined;
  if (projectId !== undefined) throw replacesNothing();
  return newFileRequest(choices);
}

/** The limit of a file request, if it has one. */
function bytesOf(request: FileRequest | undefined): number[] {
  return request?.maxBytes === undefined ? [] : [request.maxBytes];
}

/** Several uploads would replace one another. */
function replacesNothing(): CodedError {
  return invalidField(
    'projectId',
    'does not go with the fields of a file request, whose uploads replace nothing; `into` adds them to a project',
  );
}

/** What strangers send is never part of a site, and visitors do not see it before the owner. @throws CodedError INVALID_REQUEST */
function requireCollecting({ type, access }: Project, { private: isPrivate }: FileRequest): void {
  if (type === 'html' || type === 'zip')
    throw invalidField('into', 'must be a list of files: this project is a site');
  if (isPrivate && access !== 'private') {
    throw invalidField(
      'into',
      'must be a private project; with `private: false` visitors see at once what arrives',
    );
  }
}

/** A link that could publish nothing is refused at once, not when somebody has sent the file. */
function requireRoom(
  deps: Pick<CreateUploadLinkDeps, 'plans' | 'now'>,
  account: Account,
  target: { project: Project | null; isAdded: boolean },
): void {
  const limits = effectiveLimits(deps.plans, account, deps.now());
  requireQuota(uploadCharge(limits, { account, ...target, bytes: 1 }), account);
}

/** The shell commands for an upload link. `FILE` stands for the path of one file. */
interface UploadCommands {
  /** For files that fit into one request. */
  curl: string;
  /** For a file of any size: asks for a signed URL, sends the file to it, and publishes. */
  curlAnySize: string;
}

/**
 * Commands that need only `sh`, `curl` and `sed`.
 *
 * One PUT is not enough for large files: the API accepts 10 MB, and the edge function in front of
 * it cannot sign a URL for storage. Redirects do not help: after a 303 curl sends a GET, and after
 * a 307 it sends the whole file again to an address that refuses it.
 * @param link the address of the link, which has no characters that a shell acts on
 * @param request who asks for a name or an address gets them with the files; their places are for the sender to fill in
 */
function uploadCommands(link: string, request: FileRequest | undefined): UploadCommands {
  const sender = [
    ...(request?.askName === true ? [['senderName', 'YOUR NAME'] as const] : []),
    ...(request?.askEmail === true ? [['senderEmail', 'you@example.org'] as const] : []),
  ];
  const json = "-H 'content-type: application/json'";
  const call = `curl -sS --fail-with-body ${json}`;
  const valueOf = (name: string) => `$(printf %s "$A" | sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/')`;
  const announcement = String.raw`{\"files\":[{\"path\":\"$(basename "$F")\",\"size\":$(($(wc -c <"$F")))}]}`;
  const begin = `A=$(${call} "$L/uploads" -d "${announcement}")`;
  const send = `curl -sS -f -T "$F" "${valueOf('url')}"`;
  const more = sender.map(([name, value]) => String.raw`,\"${name}\":\"${value}\"`).join('');
  const publish = String.raw`${call} -X PUT "$L" -d "{\"uploadId\":\"${valueOf('uploadId')}\"${more}}"`;
  const fields = sender.map(([name, value]) => ` --form-string '${name}=${value}'`).join('');
  return {
    curl: `curl -X PUT${fields} -F files=@FILE '${link}'`,
    curlAnySize: `F='FILE' L='${link}'; if ${begin}; then ${send} && ${publish}; else echo "$A"; false; fi`,
  };
}
