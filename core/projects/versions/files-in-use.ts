import type { Instant, ProjectId } from '../../../contract/fields.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import { isRetained } from '../../visit/retained-assets.ts';
import type { KeptVersion } from '../publishing/known-files.ts';
import { loadAllVersionFiles, MissingManifest } from './kept-versions.ts';
import { readRetained } from './retain-assets.ts';

/** The dependencies for finding out which files are in use. */
export interface FilesInUseDeps {
  projects: Pick<ProjectStore, 'get' | 'isRemovalDue' | 'getVersion' | 'listVersions'>;
  content: Pick<ContentStore, 'get'>;
}

/** The versions and the list whose files may not be removed. */
export interface FilesInUse {
  kept: readonly KeptVersion[];
  retained: readonly KeptVersion[];
  /** When the last retained asset ends. */
  until: Instant | undefined;
}

/**
 * The files of kept versions, and the assets that stay reachable. In this order: a file that leaves the
 * kept versions meanwhile is among the retained ones then. `undefined` when the whole project is being removed.
 */
export async function filesInUse(
  deps: FilesInUseDeps,
  projectId: ProjectId,
  now: Date,
): Promise<FilesInUse | undefined> {
  const { projects, content } = deps;
  const kept = await keptFiles(deps, projectId, now);
  if (kept === undefined) return undefined;
  const project = await projects.get(projectId);
  if (project?.retained === undefined) {
    return { kept, retained: [], until: undefined };
  }
  const live = await projects.getVersion(projectId, project.version);
  // Another version became live since the project was read, and this one left.
  if (live === undefined) return filesInUse(deps, projectId, now);
  const entries = await readRetained(content, { ...project, liveStore: live.store });
  const { hash } = project.retained;
  if (entries === undefined && (await projects.get(projectId))?.retained?.hash !== hash) {
    // The list left after several switches since then; another one says what is retained.
    return filesInUse(deps, projectId, now);
  }
  const files = new Map([...(entries ?? [])].filter(([, entry]) => isRetained(entry, now)));
  return {
    kept,
    retained: [{ store: live.store, files }],
    until: project.retained.until,
  };
}

/** A removal takes the files, with the manifests among them, before the rows that list the versions. */
async function keptFiles(
  { projects, content }: FilesInUseDeps,
  projectId: ProjectId,
  now: Date,
): Promise<KeptVersion[] | undefined> {
  try {
    const versions = await projects.listVersions(projectId);
    return await loadAllVersionFiles(content, projectId, versions);
  } catch (error) {
    if (!(error instanceof MissingManifest)) throw error;
    const isRemoved =
      (await projects.isRemovalDue(projectId, now)) ||
      (await projects.get(projectId)) === undefined;
    if (isRemoved) return undefined;
    throw error;
  }
}
