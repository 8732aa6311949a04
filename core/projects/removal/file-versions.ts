import type { ProjectId } from '../../../contract/fields.ts';
import { projectPrefix } from '../../content/content-keys.ts';
import { OperatorError } from '../moderation/operator-change.ts';
import type { Project } from '../project.ts';

/** One version of a stored file, or the marker that a deletion left. */
export interface FileVersion {
  key: string;
  versionId: string;
  writtenAt: Date;
  isLatest: boolean;
  /** What identifies the content; `undefined` for the marker of a deletion. */
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

/** Dependencies of the operator's commands for stored files. */
export interface FileVersionDeps {
  files: FileHistory;
  projects: { get(projectId: ProjectId): Promise<Project | undefined> };
}

/** How one file becomes what it was. */
export type FileRestoration =
  | { kind: 'none' }
  /** Without the markers the version below them is current again. */
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

/** S3 dates versions to the second. Of one second, the latest is first, and a file before a marker. */
function byAge(a: FileVersion, b: FileVersion): number {
  if (a.isLatest !== b.isLatest) return a.isLatest ? -1 : 1;
  const order = b.writtenAt.getTime() - a.writtenAt.getTime();
  return order === 0 ? Number(a.etag === undefined) - Number(b.etag === undefined) : order;
}

/**
 * Makes the files of a project what they were at an instant. Files that were added later stay.
 * @throws OperatorError
 */
export async function restoreFiles(
  { files, projects }: FileVersionDeps,
  { projectId, at }: { projectId: ProjectId; at: Date },
): Promise<{ restored: number }> {
  if ((await projects.get(projectId)) === undefined) {
    throw new OperatorError(
      `There is no project ${projectId}. Files without its rows would stay for ever: restore the rows first (docs/runbook.md).`,
    );
  }
  let restored = 0;
  for await (const versions of files.versionsUnder(projectPrefix(projectId))) {
    const restoration = fileRestoration(versions, at);
    if (restoration.kind === 'undelete') await files.deleteVersions(restoration.markers);
    if (restoration.kind === 'copy') await files.copyToTop(restoration.version);
    if (restoration.kind !== 'none') restored += 1;
  }
  return { restored };
}

/** Versions in one deletion; S3 takes a thousand in a call. */
const purgeBatch = 1000;

/**
 * Deletes every version of every file of a project for ever. It must not be visible: it was taken down
 * or deleted. Its rows stay.
 * @throws OperatorError
 */
export async function purgeFiles(
  { files, projects }: FileVersionDeps,
  { projectId }: { projectId: ProjectId },
): Promise<{ deleted: number }> {
  const project = await projects.get(projectId);
  if (project !== undefined && project.takedown === null && project.removingAt === null) {
    throw new OperatorError(
      `Visitors can see ${project.host}. Take it down first: npm run admin -- takedown ${projectId} --reason "…"`,
    );
  }
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
