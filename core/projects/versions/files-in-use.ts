import type { Instant, ProjectId } from '../../../contract/fields.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import { isRetained } from '../../visit/retained-assets.ts';
import type { KeptVersion } from '../publishing/known-files.ts';
import { runningPreviews } from '../previews/named-preview.ts';
import type { Project } from '../project.ts';
import { loadVersionFiles, MissingManifest, readManifest } from './kept-versions.ts';
import { readRetained } from './retain-assets.ts';

/** The dependencies for finding out which files are in use. */
export interface FilesInUseDeps {
  projects: Pick<
    ProjectStore,
    'get' | 'isRemovalDue' | 'getVersion' | 'listVersions' | 'getDroppedVersion'
  >;
  content: Pick<ContentStore, 'get'>;
}

/** Receives the files that must not be removed: those of kept versions and previews, and retained assets. */
export interface InUseVisitor {
  kept(version: KeptVersion): void;
  retained(list: KeptVersion): void;
}

/** How {@link visitFilesInUse} ended: all were visited, the time was over, or the whole project is being removed. */
export type FilesInUse =
  | { kind: 'late' }
  | { kind: 'removed' }
  /** `until`: when the last retained asset ends. */
  | { kind: 'visited'; until: Instant | undefined };

/**
 * Visits the files of kept versions and of previews, and then the assets that stay reachable: a file that leaves
 * the kept versions meanwhile is among the retained ones then. A preview takes over files of what it showed
 * before, and of nothing else. One manifest after another, because
 * a hundred versions with 20,000 files each do not fit into memory. If the project changes
 * meanwhile, everything is visited again.
 */
export async function visitFilesInUse(
  deps: FilesInUseDeps,
  projectId: ProjectId,
  { now, isLate }: { now: Date; isLate: () => boolean },
  visitor: InUseVisitor,
): Promise<FilesInUse> {
  const { projects, content } = deps;
  const ended = await visitKept(deps, projectId, { now, isLate }, visitor);
  if (ended !== undefined) return { kind: ended };
  const project = await projects.get(projectId);
  if (project !== undefined) await visitPreviews(deps, project, now, visitor);
  if (project?.retained === undefined) return { kind: 'visited', until: undefined };
  const live = await projects.getVersion(projectId, project.version);
  // Since the project was read, another version became live and this one left the history.
  const again = () => visitFilesInUse(deps, projectId, { now, isLate }, visitor);
  if (live === undefined) return again();
  const entries = await readRetained(content, { ...project, liveStore: live.store });
  const { hash } = project.retained;
  if (entries === undefined && (await projects.get(projectId))?.retained?.hash !== hash) {
    // Several switches since then removed this list; a newer list names the retained assets.
    return again();
  }
  const files = new Map([...(entries ?? [])].filter(([, entry]) => isRetained(entry, now)));
  visitor.retained({ store: live.store, files });
  return { kind: 'visited', until: project.retained.until };
}

/** A preview whose files are gone has ended meanwhile. */
async function visitPreviews(
  { projects, content }: FilesInUseDeps,
  project: Project,
  now: Date,
  visitor: Pick<InUseVisitor, 'kept'>,
): Promise<void> {
  for (const { version } of runningPreviews(project, now)) {
    const shown = await projects.getDroppedVersion(project.id, version);
    const files = shown && (await readManifest(content, project.id, shown));
    if (shown !== undefined && files !== undefined) visitor.kept({ ...shown, files });
  }
}

/**
 * Visits kept versions. A missing manifest may mean a removal: it deletes the files, manifests
 * included, before the rows that list the versions.
 */
async function visitKept(
  { projects, content }: FilesInUseDeps,
  projectId: ProjectId,
  { now, isLate }: { now: Date; isLate: () => boolean },
  visitor: Pick<InUseVisitor, 'kept'>,
): Promise<'late' | 'removed' | undefined> {
  try {
    for (const version of await projects.listVersions(projectId)) {
      if (isLate()) return 'late';
      visitor.kept(await loadVersionFiles(content, projectId, version));
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof MissingManifest)) throw error;
    const isRemoved =
      (await projects.isRemovalDue(projectId, now)) ||
      (await projects.get(projectId)) === undefined;
    if (isRemoved) return 'removed';
    throw error;
  }
}
