import type { ProjectId } from '../../../contract/fields.ts';
import { contentKey, manifestKey, markupKey, projectPrefix } from '../../content/content-keys.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import { allLocations } from '../../visit/manifest.ts';
import { OperatorError } from '../moderation/operator-change.ts';
import { readManifest } from '../versions/kept-versions.ts';

/** One version of a stored file, or a delete marker. */
export interface FileVersion {
  key: string;
  versionId: string;
  writtenAt: Date;
  isLatest: boolean;
  /** Identifies the content; `undefined` for a delete marker. */
  etag: string | undefined;
}

/** The versions of files in the bucket, also of deleted ones while they are kept. */
export interface FileHistory {
  /** All versions of one file after the other, in no order. */
  versionsUnder(prefix: string): AsyncIterable<FileVersion[]>;
  /** Deletes versions for ever. */
  deleteVersions(versions: readonly FileVersion[]): Promise<void>;
  /** Makes an earlier version the current one, by a copy. */
  copyToTop(version: FileVersion): Promise<void>;
}

/** Dependencies of {@link restoreFiles}. */
export interface RestoreFilesDeps {
  files: FileHistory;
  content: Pick<ContentStore, 'get'>;
  projects: Pick<ProjectStore, 'get' | 'listVersions'>;
}

/** What to do to restore one file. */
export type FileRestoration =
  | { kind: 'none' }
  /** Deleting the delete markers makes the version below them current again. */
  | { kind: 'undelete'; markers: FileVersion[] }
  | { kind: 'copy'; version: FileVersion };

/** Decides what restores a file to its content at an instant. A file that did not exist then stays as it is. */
export function fileRestoration(versions: readonly FileVersion[], at: Date): FileRestoration {
  const newestFirst = versions.toSorted(byAge);
  const index = newestFirst.findIndex(({ writtenAt }) => writtenAt <= at);
  const wanted = newestFirst[index];
  if (wanted?.etag === undefined) return { kind: 'none' };
  const later = newestFirst.slice(0, index);
  const [latest] = later;
  if (latest === undefined || latest.etag === wanted.etag) return { kind: 'none' };
  return later.every(({ etag }) => etag === undefined)
    ? { kind: 'undelete', markers: later }
    : { kind: 'copy', version: wanted };
}

/**
 * Newest first. S3 dates versions to the second; within one second the latest version comes first,
 * and a file before a delete marker.
 */
function byAge(a: FileVersion, b: FileVersion): number {
  if (a.isLatest !== b.isLatest) return a.isLatest ? -1 : 1;
  const order = b.writtenAt.getTime() - a.writtenAt.getTime();
  return order === 0 ? Number(a.etag === undefined) - Number(b.etag === undefined) : order;
}

/**
 * Restores the files of a project's kept versions to their content at an instant. Files of versions
 * that were dropped since stay deleted: nothing would ever delete them again.
 * @returns the number of objects, and the versions whose list of files is lost
 * @throws OperatorError
 */
export async function restoreFiles(
  deps: RestoreFilesDeps,
  { projectId, at }: { projectId: ProjectId; at: Date },
): Promise<{ restored: number; incomplete: number[] }> {
  if ((await deps.projects.get(projectId)) === undefined) {
    throw new OperatorError(
      `There is no project ${projectId}. Files without its rows would stay for ever: restore the rows first (docs/runbook.md).`,
    );
  }
  const kept = await deps.projects.listVersions(projectId);
  const needed = new Set<string>();
  const incomplete: number[] = [];
  let restored = 0;
  for (const version of kept) {
    const lists = [
      ...(version.manifestHash === undefined
        ? []
        : [manifestKey(projectId, version.store, version.manifestHash)]),
      markupKey(projectId, version.store),
    ];
    for (const key of lists)
      restored += await restoreUnder(deps.files, key, at, (one) => one === key);
    const manifest = await readManifest(deps.content, projectId, version);
    if (manifest === undefined) incomplete.push(version.version);
    for (const [path, entry] of manifest ?? []) {
      for (const location of allLocations(version.store, path, entry)) {
        needed.add(contentKey(projectId, location));
      }
    }
  }
  const isNeeded = (key: string) => needed.has(key);
  restored += await restoreUnder(deps.files, projectPrefix(projectId), at, isNeeded);
  return { restored, incomplete };
}

async function restoreUnder(
  files: FileHistory,
  prefix: string,
  at: Date,
  isWanted: (key: string) => boolean,
): Promise<number> {
  let restored = 0;
  for await (const versions of files.versionsUnder(prefix)) {
    if (!isWanted(versions[0]?.key ?? '')) continue;
    const restoration = fileRestoration(versions, at);
    if (restoration.kind === 'undelete') await files.deleteVersions(restoration.markers);
    if (restoration.kind === 'copy') await files.copyToTop(restoration.version);
    if (restoration.kind !== 'none') restored += 1;
  }
  return restored;
}
