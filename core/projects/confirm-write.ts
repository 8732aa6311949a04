import { isDeepStrictEqual } from 'node:util';
import type { ProjectStore } from '../ports.ts';
import type { Project, Version } from './project.ts';

/** A project as it was to be written, with the version that was to be added. */
export interface WrittenProject {
  after: Project;
  version?: Version;
}

/**
 * A `catch` handler for the write of a project: gives `outcome` when the write happened after all,
 * otherwise throws the error again. A write whose response was lost must neither be reported as a
 * failure nor be done again. Another change of the same state, in the same millisecond, is not this
 * write: it has another version's store, or other fields. The store of a version is of one upload, so
 * it says alone whether that version was written, also when the next change came after it.
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

/** Without fields that are `undefined`, which a row has not, and those that its writer finds out itself. */
function comparable(project: Project | undefined): unknown {
  return (
    project &&
    JSON.parse(JSON.stringify({ ...project, addressHistory: undefined, edgeFrom: undefined }))
  );
}
