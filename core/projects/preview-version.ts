import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { epochSeconds, instant, plusSeconds } from '../instants.ts';
import type { ProjectStore } from '../ports.ts';
import { previewToken } from '../visit/preview-token.ts';
import { isExpired } from './ending.ts';
import { ownedProject } from './owned-project.ts';
import type { Project } from './project.ts';
import { versionNotFound, versionNumber } from './roll-back.ts';

/** What making preview links needs. */
export interface PreviewVersionDeps {
  projects: Pick<ProjectStore, 'get' | 'version'>;
  addresses: { siteUrl(host: string): string };
  accessSecret: string;
  now(): Date;
}

const previewSeconds = 3600;

/**
 * A link that shows one kept version for an hour, never past the project's end. Whoever opens it
 * must still be allowed to view the project.
 * @throws CodedError NOT_FOUND
 */
export async function previewVersion(
  deps: PreviewVersionDeps,
  caller: AccountCaller,
  input: { projectId: string; version: string },
) {
  const version = versionNumber(input);
  const project = await ownedProject(deps.projects, caller, input.projectId);
  const now = deps.now();
  if (isExpired(project, now)) throw expired();
  if (project.archivedAt !== null) throw archived();
  if ((await deps.projects.version(project.id, version)) === undefined) {
    throw versionNotFound(version);
  }
  const expires = epochSeconds(endOf(project, now));
  const token = previewToken(deps.accessSecret, { projectId: project.id, version, expires });
  return {
    url: `${deps.addresses.siteUrl(project.host)}/_slipway/preview/${token}`,
    expiresAt: instant(new Date(expires * 1000)),
  };
}

function endOf({ expiresAt }: Project, now: Date): Date {
  const hour = plusSeconds(now, previewSeconds);
  const end = expiresAt === null ? hour : new Date(expiresAt);
  return end < hour ? end : hour;
}

function archived(): CodedError {
  return new CodedError('NOT_FOUND', {
    error: 'This project is archived, so that nobody can view it.',
    nextStep: 'Bring it back with POST /v1/projects/{projectId}/unarchive, then ask again.',
  });
}

function expired(): CodedError {
  return new CodedError('NOT_FOUND', {
    error: 'This project has expired, so that nobody can view it.',
    nextStep: 'Give it another end with PATCH /v1/projects/{projectId}, then ask again.',
  });
}
