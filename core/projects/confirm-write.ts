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
 * write: it has another version's store, or other fields.
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
  const found = await projects.get(after.id);
  if (!isDeepStrictEqual(stored(found), stored(after))) return false;
  if (version === undefined) return true;
  return (await projects.getVersion(after.id, version.version))?.store === version.store;
}

/** Without fields that are `undefined`: a row has none. */
function stored(project: Project | undefined): unknown {
  return project && JSON.parse(JSON.stringify(project));
}
