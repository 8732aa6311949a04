import type { ProjectId } from '../../../contract/fields.ts';
import { projectPrefix } from '../../content/content-keys.ts';
import type { EdgeCache, ProjectStore } from '../../ports.ts';
import { OperatorError } from '../moderation/operator-change.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { FileHistory, FileVersion } from './file-versions.ts';
import { purgeWishOf } from './purge.ts';
import { removalOnRequest } from './removal.ts';

/** Dependencies of {@link purgeFiles}. */
export interface PurgeFilesDeps {
  files: FileHistory;
  projects: Pick<ProjectStore, 'get'>;
  owned: Pick<OwnedProjectStore, 'beginRemoval'>;
  edge: EdgeCache;
  now(): Date;
}

/** Versions deleted by one call; S3 accepts a thousand (`DeleteObjects`). */
const purgeBatch = 1000;
/** A try fails only when another change of the same project is written first. */
const tries = 5;

/**
 * Deletes every version of every file of a project for ever, and begins its removal: rows that name
 * deleted files must not become visible again, nor count their files as stored. The project must not be
 * visible: it was taken down or deleted.
 * @throws OperatorError
 */
export async function purgeFiles(
  deps: PurgeFilesDeps,
  { projectId }: { projectId: ProjectId },
): Promise<{ deleted: number }> {
  await beginRemoval(deps, projectId);
  const { files } = deps;
  let deleted = 0;
  let batch: FileVersion[] = [];
  const deleteBatch = async () => {
    await files.deleteVersions(batch);
    deleted += batch.length;
    batch = [];
  };
  for await (const versions of files.versionsUnder(projectPrefix(projectId))) {
    batch.push(...versions);
    if (batch.length >= purgeBatch) await deleteBatch();
  }
  await deleteBatch();
  return { deleted };
}

async function beginRemoval(deps: PurgeFilesDeps, projectId: ProjectId): Promise<void> {
  const { projects, owned, edge } = deps;
  for (let count = 1; count <= tries; count += 1) {
    const project = await projects.get(projectId);
    if (project === undefined || project.removingAt !== null) return;
    if (project.takedown === null) {
      throw new OperatorError(
        `Visitors can see ${project.host}. Take it down first: npm run admin -- takedown ${projectId} --reason "…"`,
      );
    }
    if (!(await owned.beginRemoval(removalOnRequest(project, 0, deps.now())))) continue;
    await edge.purgeAfterDelay(projectId, purgeWishOf(project, undefined));
    // The edge may keep copies of large files for ever, and nobody can read them without a link;
    // this purge removes them too.
    await edge.purge(projectId);
    return;
  }
  throw new Error(`a project changed ${tries} times while it was to be removed`);
}
