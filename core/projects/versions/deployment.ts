import { type Project, type Version, warningsOf } from '../project.ts';
import type { AccountCaller } from '../../caller.ts';
import type { ProjectStore } from '../../ports.ts';
import { requireOwnedProject } from '../owned-projects.ts';
import { CodedError } from '../../errors.ts';

/** The id of a version in the REST API. */
export function deploymentIdField(version: number): { deploymentId: string } {
  return { deploymentId: `dep_v${version}` };
}

/** A version as its owner sees it: the live one is `active`, kept ones are `ready`. */
function describeDeployment(project: Pick<Project, 'version'>, kept: Version) {
  const { version, bytes, createdAt, warnings, publishedBy, note } = kept;
  const status = version === project.version ? ('active' as const) : ('ready' as const);
  return {
    ...deploymentIdField(version),
    version,
    status,
    sizeBytes: bytes,
    createdAt,
    publishedBy,
    ...(note !== undefined && { note }),
    ...warningsOf({ warnings }),
  };
}

/**
 * Every kept version of the caller's project, newest first.
 * @throws CodedError NOT_FOUND
 */
export async function listDeployments(
  deps: { projects: Pick<ProjectStore, 'get' | 'listVersions'> },
  caller: AccountCaller,
  input: { projectId: string },
) {
  const project = await requireOwnedProject(deps.projects, caller, input.projectId);
  const versions = await deps.projects.listVersions(project.id);
  return versions.map((version) => describeDeployment(project, version));
}

/** The error for a version that never existed or has been pruned. */
export function versionNotFound(version: number | string): CodedError {
  return new CodedError('NOT_FOUND', {
    error: `This project has no version ${version}.`,
    nextStep: 'GET /v1/projects/{projectId}/status lists the versions that are kept.',
  });
}

/** The version number from a path. @throws CodedError NOT_FOUND if it is not a number */
export function parseVersionNumber({ version }: { version: string }): Version['version'] {
  if (!/^[1-9]\d{0,8}$/.test(version)) throw versionNotFound(version.slice(0, 20));
  return Number(version);
}
