import type { ProjectStore } from '../../ports.ts';
import type { Project } from '../project.ts';

/**
 * Whether a state of a project was written after all: a write whose answer was lost may have
 * happened, and must not be reported as a failure, nor done again.
 */
export async function isWritten(
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
