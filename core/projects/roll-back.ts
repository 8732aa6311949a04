import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import { type ChangeProjectDeps, changeProject } from './change-project.ts';
import { deploymentOf } from './deployment.ts';
import type { Version } from './project.ts';

/** What switching between versions needs. */
export interface RollBackDeps extends ChangeProjectDeps {
  addresses: { siteUrl(host: string): string };
}

/**
 * Makes a kept version the live one, whole and at once; no version is added or lost by it.
 * @throws CodedError NOT_FOUND, STORAGE_LIMIT_REACHED, UPLOAD_INCOMPLETE
 */
export async function rollBack(
  deps: RollBackDeps,
  caller: AccountCaller,
  input: { projectId: string; version: number },
) {
  const { version } = input;
  const project = await changeProject(deps, caller, input.projectId, async (met) => {
    if (met.project.version === version) return undefined;
    const kept = await deps.projects.version(met.project.id, version);
    if (kept === undefined) throw versionNotFound(version);
    const { type, bytes, fileCount } = kept;
    const publishedAt = instant(met.now);
    return { fields: { version, type, bytes, fileCount, publishedAt }, live: kept };
  });
  return { ...deploymentOf(version), url: deps.addresses.siteUrl(project.host) };
}

/** A version that never was, or that left the history. */
export function versionNotFound(version: number | string): CodedError {
  return new CodedError('NOT_FOUND', {
    error: `This project has no version ${version}.`,
    nextStep: 'GET /v1/projects/{projectId}/status lists the versions that are kept.',
  });
}

/** A version number as a path gives it; what is no number names no version. */
export function versionNumber({ version }: { version: string }): Version['version'] {
  if (!/^[1-9]\d{0,8}$/.test(version)) throw versionNotFound(version.slice(0, 20));
  return Number(version);
}
