import { isDeepStrictEqual } from 'node:util';
import type { ProjectStore } from '../ports.ts';
import type { Project, Version } from './project.ts';

/** A project that a write was to store, with the version that it was to add. */
export interface WrittenProject {
  after: Project;
  version?: Version;
}

/**
 * A `catch` handler for the write of a project: gives `outcome` when the write happened after all,
 * otherwise throws the error again. A write whose response was lost must neither be reported as a
 * failure nor be repeated. Of two changes of the same state in the same millisecond, the fields say which was written.
 * If the write added a version, its store alone decides, because each upload has its own; this works even after a
 * later change.
 */
export function confirmWrite<T>(
  projects: Pick<ProjectStore, 'get' | 'getVersion'>,
  written: WrittenProject,
  outcome: T,
) {
  return async (error: unknown): Promise<T> => {
    if (await isWritten(projects, written)) return outcome;
    throw error;
  };
}

async function isWritten(
  projects: Pick<ProjectStore, 'get' | 'getVersion'>,
  { after, version }: WrittenProject,
): Promise<boolean> {
  if (version !== undefined) {
    return (await projects.getVersion(after.id, version.version))?.store === version.store;
  }
  return isDeepStrictEqual(comparable(await projects.get(after.id)), comparable(after));
}

/**
 * A project without `undefined` fields, which rows do not have, and without fields that the
 * repository sets itself.
 */
function comparable(project: Project | undefined): unknown {
  return (
    project &&
    JSON.parse(JSON.stringify({ ...project, addressHistory: undefined, edgeFrom: undefined }))
  );
}
