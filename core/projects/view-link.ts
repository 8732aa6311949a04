import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { epochSeconds, instant, plusSeconds } from '../instants.ts';
import type { ProjectStore } from '../ports.ts';
import { accessToken } from '../visit/access-token.ts';
import { isExpired } from './ending.ts';
import { ownedProject } from './owned-project.ts';
import type { Project } from './project.ts';

/** What making links for owners needs. */
export interface ViewLinkDeps {
  projects: Pick<ProjectStore, 'get'>;
  addresses: { siteUrl(host: string): string };
  accessSecret: string;
  now(): Date;
}

/** Whoever holds the link meanwhile becomes the owner for the site. */
const linkSeconds = 600;

/**
 * A link by which the owner views a project whatever its access; what they open with it counts as
 * the owner's. It works for ten minutes, never past the project's end.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE
 */
export async function viewLink(
  deps: ViewLinkDeps,
  caller: AccountCaller,
  input: { projectId: string },
) {
  const project = await ownedProject(deps.projects, caller, input.projectId);
  const now = deps.now();
  requireViewable(project, now);
  const expires = epochSeconds(endOf(project, now, linkSeconds));
  const access = { projectId: project.id, role: 'owner-link', stamp: '-', expires } as const;
  const token = accessToken(deps.accessSecret, access);
  return {
    url: `${deps.addresses.siteUrl(project.host)}/_slipway/owner/${token}`,
    expiresAt: instant(new Date(expires * 1000)),
  };
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
