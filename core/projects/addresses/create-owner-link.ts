import type { Instant } from '../../../contract/fields.ts';
import type { KeyCaller, OwnerCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { epochSeconds, hasExpired, instant, plusSeconds } from '../../instants.ts';
import type { KeyStore, SessionStore } from '../../accounts/ports.ts';
import type { ProjectStore } from '../../ports.ts';
import { ownerStampOf } from '../../visit/access/access-token.ts';
import {
  newOwnerLinkToken,
  ownerCookieSeconds,
  ownerLinkSeconds,
} from '../../visit/access/owner-link.ts';
import { requireOwnedProject, uploadNotPublished } from '../owned-projects.ts';
import type { OwnerAccessStore } from '../settings/owner-access.ts';
import type { Project } from '../project.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';

/** Dependencies of {@link createViewLink}. */
export interface CreateOwnerLinkDeps {
  projects: Pick<ProjectStore, 'get'>;
  keys: Pick<KeyStore, 'find'>;
  sessions: Pick<SessionStore, 'find'>;
  ownerAccess: Pick<OwnerAccessStore, 'note'>;
  addresses: { siteUrl(host: string): string };
  accessSecret: RotatingSecret;
  now(): Date;
}

/**
 * A link with which the owner views a project regardless of its access, and without being counted
 * as a visitor. It works once, within ten minutes, and never after the project's expiry. Neither the link
 * nor its cookie outlives the key or the session that made it.
 *
 * Order matters. First the record that the key made a link is written, then the project's owner
 * revision is read, then the key is read again. A request that deletes the key in the meantime
 * either finds the record and ends that revision, or deleted the key before it was read again. A
 * browser session leaves no record: somebody with a session can also make keys, which do not end
 * with it either (decision 0091).
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE, API_KEY_INVALID, SESSION_MISSING
 */
export async function createViewLink(
  deps: CreateOwnerLinkDeps,
  caller: OwnerCaller,
  input: { projectId: string },
) {
  const { id } = await requireOwnedProject(deps.projects, caller, input.projectId);
  if ('key' in caller) await recordAccess(deps, caller, id);
  const project = await requireOwnedProject(deps.projects, caller, id);
  const now = deps.now();
  requireViewable(project, now);
  const end = await endOfCredential(deps, caller);
  const cappedEnd = (date: Date) =>
    epochSeconds(end !== null && new Date(end) < date ? new Date(end) : date);
  const expires = cappedEnd(cappedExpiry(project, now, ownerLinkSeconds));
  const cookieUntil = cappedEnd(plusSeconds(now, ownerLinkSeconds + ownerCookieSeconds));
  const link = { projectId: project.id, stamp: ownerStampOf(project), expires, cookieUntil };
  const token = newOwnerLinkToken(deps.accessSecret, link);
  return {
    url: `${deps.addresses.siteUrl(project.host)}/_slipway/owner/${token}`,
    expiresAt: instant(new Date(expires * 1000)),
  };
}

async function recordAccess(
  deps: CreateOwnerLinkDeps,
  { account, key }: Pick<KeyCaller, 'account' | 'key'>,
  projectId: Project['id'],
): Promise<void> {
  const until = instant(plusSeconds(deps.now(), ownerLinkSeconds + ownerCookieSeconds));
  await deps.ownerAccess.note({ accountId: account.id, keyId: key.id, projectId, until });
}

/**
 * When the caller's credential ends; null for a key without an expiry.
 * @throws CodedError API_KEY_INVALID, SESSION_MISSING where it has ended
 */
async function endOfCredential(
  deps: CreateOwnerLinkDeps,
  { credential }: Pick<OwnerCaller, 'credential'>,
): Promise<Instant | null> {
  if (credential.kind === 'session') {
    const session = await deps.sessions.find(credential.tokenHash);
    if (session !== undefined && !hasExpired(session, deps.now())) return session.expiresAt;
    throw new CodedError('SESSION_MISSING', { error: 'This browser is not signed in.' });
  }
  const key = await deps.keys.find(credential.keyHash);
  if (key !== undefined && !hasExpired(key, deps.now())) return key.expiresAt;
  throw new CodedError('API_KEY_INVALID', { error: 'This API key was deleted.' });
}

/**
 * Refuses a link to a project that nobody can view, not even its owner.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE
 */
export function requireViewable(project: Project, now: Date): void {
  if (hasExpired(project, now)) {
    throw unviewable(
      'has expired',
      'Set a new expiry with PATCH /v1/projects/{projectId}, then request the link again.',
    );
  }
  if (project.archivedAt !== null) {
    throw unviewable(
      'is archived',
      'Restore it with POST /v1/projects/{projectId}/unarchive, then request the link again.',
    );
  }
  if (project.version > 0) return;
  throw uploadNotPublished();
}

/** `seconds` from now, but never past the project's expiry. */
export function cappedExpiry({ expiresAt }: Project, now: Date, seconds: number): Date {
  const later = plusSeconds(now, seconds);
  const end = expiresAt === null ? later : new Date(expiresAt);
  return end < later ? end : later;
}

function unviewable(why: string, nextStep: string): CodedError {
  return new CodedError('NOT_FOUND', {
    error: `This project ${why}, so nobody can view it.`,
    nextStep,
  });
}
