import type { StoreKey } from '../../content/content-keys.ts';
import { CodedError } from '../../errors.ts';
import { plusSeconds } from '../../instants.ts';
import type { WrittenBytes } from '../../limits/written-bytes.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import type { Project } from '../project.ts';
import { reusableStore, type UnpublishedVersion } from '../publishing/store-version.ts';
import { readManifest } from '../versions/kept-versions.ts';
import type { FileMerge } from '../versions/merge-files.ts';
import { storeMergedVersion } from '../versions/store-merged-version.ts';
import { type NamedPreview, runningPreviews } from './named-preview.ts';
import type { AccountLimits } from '../quota.ts';

/** Files that go into what a preview shows. */
export interface PreviewMerge {
  project: Project;
  choices: Pick<NamedPreview, 'name'>;
  merge: FileMerge;
  /** The version that the preview shows. */
  mergeInto: number;
}

/** The files of a preview that ends sooner may be removed while others are merged into them. */
const leastLifeSeconds = 60;

/** @throws CodedError VERSION_CONFLICT where the preview shows other files by now, or is about to end */
export function requireShown(
  project: Project,
  { choices: { name }, mergeInto }: Omit<PreviewMerge, 'project' | 'merge'>,
  now: Date,
): void {
  const running = runningPreviews(project, plusSeconds(now, leastLifeSeconds));
  const shown = running.find((one) => one.name === name);
  if (shown?.version !== mergeInto) throw shownNoLonger();
}

function shownNoLonger(): CodedError {
  return new CodedError('VERSION_CONFLICT', {
    error: 'The preview does not show the version of `mergeInto` any more.',
    nextStep: 'List its files again, or send all files without `mergeInto`.',
  });
}

/**
 * Stores the sent files, and makes a version of them and of the other files that the preview shows.
 * @throws CodedError VERSION_CONFLICT; those of planMerge
 */
export async function storePreviewMerge(
  deps: { content: ContentStore; projects: Pick<ProjectStore, 'getDroppedVersion'>; now(): Date },
  target: StoreKey,
  { project, merge, ...wanted }: PreviewMerge,
  { limits, written }: { limits: AccountLimits; written: WrittenBytes },
): Promise<UnpublishedVersion> {
  requireShown(project, wanted, deps.now());
  const { content, projects } = deps;
  const shown = await projects.getDroppedVersion(target.projectId, wanted.mergeInto);
  const files = shown && (await readManifest(content, target.projectId, shown));
  if (shown === undefined || files === undefined) throw shownNoLonger();
  const storeOnce = reusableStore(content, target, { isPart: true, written });
  const merged = { live: { ...shown, files }, merge, limits, spa: project.spa, project };
  return storeMergedVersion({ content, storeOnce }, target, merged);
}
