import type { KeyCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { isExpired as isKeyExpired } from '../../accounts/keys/api-key.ts';
import type { KeyStore } from '../../accounts/ports.ts';
import { epochSeconds, instant, plusSeconds } from '../../instants.ts';
import type { ProjectStore } from '../../ports.ts';
import { ownerStamp } from '../../visit/access/access-token.ts';
import { linkSeconds, newOwnerLinkToken, ownerSeconds } from '../../visit/access/owner-link.ts';
import { isExpired } from '../removal/ending.ts';
import { ownedProject } from '../owned-project.ts';
import type { OwnerAccessStore } from '../settings/owner-access.ts';
import type { Project } from '../project.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';

/** What making links for owners needs. */
export interface ViewLinkDeps {
  projects: Pick<ProjectStore, 'get'>;
  keys: Pick<KeyStore, 'find'>;
  ownerAccess: Pick<OwnerAccessStore, 'note'>;
  addresses: { siteUrl(host: string): string };
  accessSecret: RotatingSecret;
  now(): Date;
}

/**
 * A link by which the owner views a project whatever its access; what they open with it counts as
 * the owner's. It works once, within ten minutes, never past the project's end.
 *
 * Order matters. First it is noted that the key made a link, then the revision is read that the link
 * is of, then the key is looked up again. Whoever deletes the key meanwhile either finds the note and
 * ends that revision, or deleted it before the last look.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE, API_KEY_INVALID
 */
export async function viewLink(
  deps: ViewLinkDeps,
  caller: KeyCaller,
  input: { projectId: string },
) {
  const { id } = await ownedProject(deps.projects, caller, input.projectId);
  await noteAccess(deps, caller, id);
  const project = await ownedProject(deps.projects, caller, id);
  const now = deps.now();
  requireViewable(project, now);
  await requireKey(deps, caller);
  const expires = epochSeconds(endOf(project, now, linkSeconds));
  const link = { projectId: project.id, stamp: ownerStamp(project), expires };
  const token = newOwnerLinkToken(deps.accessSecret, link);
  return {
    url: `${deps.addresses.siteUrl(project.host)}/_slipway/owner/${token}`,
    expiresAt: instant(new Date(expires * 1000)),
  };
}

/** A key from before keys had ids is in no list and can be deleted by nobody. */
async function noteAccess(
  deps: ViewLinkDeps,
  { account, key }: Pick<KeyCaller, 'account' | 'key'>,
  projectId: Project['id'],
): Promise<void> {
  if (key.id === undefined) return;
  const until = instant(plusSeconds(deps.now(), linkSeconds + ownerSeconds));
  await deps.ownerAccess.note({ accountId: account.id, keyId: key.id, projectId, until });
}

async function requireKey(
  deps: ViewLinkDeps,
  { credential }: Pick<KeyCaller, 'credential'>,
): Promise<void> {
  const key = await deps.keys.find(credential.keyHash);
  if (key !== undefined && !isKeyExpired(key, deps.now())) return;
  throw new CodedError('API_KEY_INVALID', { error: 'This API key was deleted.' });
}

/**
 * Refuses a link to what nobody can view, its owner neither.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE
 */
export function requireViewable(project: Project, now: Date): void {
  if (isExpired(project, now)) {
    throw unviewable(
      'has expired',
      'Give it another end with PATCH /v1/projects/{projectId}, then ask again.',
    );
  }
  if (project.archivedAt !== null) {
    throw unviewable(
      'is archived',
      'Bring it back with POST /v1/projects/{projectId}/unarchive, then ask again.',
    );
  }
  if (project.version > 0) return;
  throw new CodedError('UPLOAD_INCOMPLETE', {
    error: 'The first upload of this project is not published yet.',
    nextStep: 'Wait until GET /v1/projects/{projectId} shows another status than `uploading`.',
  });
}

/** `seconds` from now, and never past the project's end. */
export function endOf({ expiresAt }: Project, now: Date, seconds: number): Date {
  const later = plusSeconds(now, seconds);
  const end = expiresAt === null ? later : new Date(expiresAt);
  return end < later ? end : later;
}

function unviewable(why: string, nextStep: string): CodedError {
  return new CodedError('NOT_FOUND', {
    error: `This project ${why}, so that nobody can view it.`,
    nextStep,
  });
}
