import type { ProjectStore } from '../ports.ts';
import type { Project } from './project.ts';

/**
 * A `catch` handler for the write of a project: gives `outcome` when the write happened after all,
 * otherwise throws the error again. A write whose response was lost must neither be reported as a
 * failure nor be done again.
 */
export function confirmWrite<T>(projects: Pick<ProjectStore, 'get'>, written: Project, outcome: T) {
  return async (error: unknown): Promise<T> => {
    if (await isWritten(projects, written)) return outcome;
    throw error;
  };
}

async function isWritten(
  projects: Pick<ProjectStore, 'get'>,
  { id, revision, updatedAt, version, lastVersion }: Project,
): Promise<boolean> {
  const found = await projects.get(id);
  return (
    found !== undefined &&
    found.revision === revision &&
    found.updatedAt === updatedAt &&
    found.version === version &&
    found.lastVersion === lastVersion
  );
}
