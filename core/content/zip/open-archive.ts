import { CodedError } from '../../errors.ts';
import { archiveFault, entryFault } from './archive-fault.ts';
import { type LaidEntry, layOut } from './archive-layout.ts';
import type { ByteSource } from './byte-source.ts';
import { readCentralDirectory } from './central-directory.ts';
import { checkPath, findCollision } from '../safe-path.ts';

/** How much one archive may hold: files after the drops, and bytes of all entries uncompressed. */
export interface ArchiveLimits {
  maxEntries: number;
  maxTotalBytes: number;
}

/** One entry; `path` is safe and NFC normalised, that of a file relative to the top folder, that of a folder ends in `/`. */
export interface ArchiveEntry extends LaidEntry {
  path: string;
  isDropped: boolean;
}

/** What an archive says that it holds. `bytes` is the sum of all `files`, as declared; `topFolder` (`site/` or empty) is left out of their paths. */
export interface ArchiveIndex {
  files: readonly ArchiveEntry[];
  /** Files, and entries that are dropped but must be as sound, in the order of the directory. */
  entries: readonly ArchiveEntry[];
  topFolder: string;
  bytes: number;
}

/**
 * Reads what a ZIP says that it holds, and refuses all that can be refused without its content.
 *
 * Only the end of the source is read: 64 KiB, then the central directory, which holds at most
 * twice `maxEntries` and 100 records. Folders, `__MACOSX/` and `.DS_Store` are dropped, after the
 * same checks as the rest; one common top folder is removed.
 *
 * Throws ARCHIVE_INVALID (`error` names rule and entry), TOO_MANY_FILES, FILE_TYPE_REFUSED.
 */
export async function openArchive(
  source: ByteSource,
  limits: ArchiveLimits,
): Promise<ArchiveIndex> {
  const directory = await readCentralDirectory(source, recordLimit(limits));
  checkTotal(directory.records, limits);
  const pathed = layOut(directory).map(withPath);
  checkCollisions(pathed);
  const topFolder = topFolderOf(pathed.filter(isKept));
  checkCount(pathed.filter(isKept).length, limits);
  const entries = withoutTopFolder(pathed, topFolder);
  const files = entries.filter(isKept);
  return { files, entries, topFolder, bytes: totalBytes(files) };
}

/** Folders and dropped files are not counted as files, but must not fill memory either. */
function recordLimit({ maxEntries }: ArchiveLimits): number {
  return maxEntries * 2 + 100;
}

function checkTotal(records: readonly { bytes: number }[], { maxTotalBytes }: ArchiveLimits): void {
  const total = totalBytes(records);
  if (total > maxTotalBytes) {
    throw archiveFault(`unpacks to ${total} bytes; at most ${maxTotalBytes} are allowed`);
  }
}

function totalBytes(records: readonly { bytes: number }[]): number {
  return records.reduce((sum, { bytes }) => sum + bytes, 0);
}

function withPath(entry: LaidEntry): ArchiveEntry {
  const slash = entry.isFolder ? '/' : '';
  const path = checkedPath(entry, entry.name.slice(0, entry.name.length - slash.length)) + slash;
  return { ...entry, path, isDropped: isDropped(entry, path) };
}

function checkedPath(entry: LaidEntry, raw: string): string {
  const check = checkPath(raw);
  if (check.ok) return check.path;
  const code = check.reserved ? 'FILE_TYPE_REFUSED' : 'ARCHIVE_INVALID';
  throw entryFault(entry.name, check.rule, code);
}

function isDropped({ isFolder }: LaidEntry, path: string): boolean {
  const segments = path.split('/');
  return isFolder || segments[0] === '__MACOSX' || segments.at(-1) === '.DS_Store';
}

function isKept({ isDropped }: ArchiveEntry): boolean {
  return !isDropped;
}

function checkCollisions(entries: readonly ArchiveEntry[]): void {
  const path = findCollision(entries.map(({ path }) => path));
  if (path !== undefined) {
    throw entryFault(path, 'has the same path as another entry, or lies below a file');
  }
}

function checkCount(count: number, { maxEntries }: ArchiveLimits): void {
  if (count === 0) throw archiveFault('holds no file');
  if (count > maxEntries) {
    throw new CodedError('TOO_MANY_FILES', {
      error: `The ZIP holds ${count} files; at most ${maxEntries} are allowed.`,
    });
  }
}

/** The one folder that holds everything, with its slash; empty when there is none. */
function topFolderOf(files: readonly ArchiveEntry[]): string {
  const top = `${files[0]?.path.split('/')[0] ?? ''}/`;
  return files.every(({ path }) => path.startsWith(top)) ? top : '';
}

/** Paths are checked again: `site/_slipway/x` becomes a reserved path only here. */
function withoutTopFolder(entries: readonly ArchiveEntry[], top: string): readonly ArchiveEntry[] {
  if (top === '') return entries;
  return entries.map((entry) =>
    entry.isDropped ? entry : { ...entry, path: checkedPath(entry, entry.path.slice(top.length)) },
  );
}
