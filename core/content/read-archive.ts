import { CodedError } from '../errors.ts';
import { archiveFault, entryFault } from './archive-fault.ts';
import { inflateEntry } from './archive-inflate.ts';
import { type PlacedEntry, placeEntries } from './archive-layout.ts';
import { readCentralDirectory } from './central-directory.ts';
import { checkPath, findCollision } from './safe-path.ts';

/** JSZip reads sizes and offsets as signed 32-bit numbers. */
const maxJsZipBytes = 0x7fff_ffff;

/** How much one archive may hold: files after the drops, and bytes of all entries uncompressed. */
export interface ArchiveLimits {
  maxEntries: number;
  maxTotalBytes: number;
}

/** One file of an archive; `path` is relative, safe and NFC normalised. */
export interface ArchiveFile {
  path: string;
  bytes: Uint8Array;
}

/** An archive that was read: its files, and the top folder that was dropped from their paths (`site/` or empty). */
export interface Archive {
  files: ArchiveFile[];
  topFolder: string;
}

/** `path` of a folder ends in `/`. */
interface PathedEntry {
  entry: PlacedEntry;
  path: string;
}

/**
 * The files of an uploaded ZIP, in the order of its central directory.
 *
 * A hostile or damaged archive is refused whole, never repaired, and everything that can be known
 * without inflating is checked before the first byte is inflated. Folders, `__MACOSX/` and
 * `.DS_Store` are dropped, after the same checks as the rest; one common top folder is removed.
 * Entries are inflated one after another: memory stays within the archive, `maxTotalBytes` and a
 * copy of the largest entry, compressed.
 *
 * Throws ARCHIVE_INVALID (`error` names rule and entry), TOO_MANY_FILES, FILE_TYPE_REFUSED.
 */
export async function readArchive(zip: Uint8Array, limits: ArchiveLimits): Promise<Archive> {
  if (zip.length > maxJsZipBytes) throw archiveFault('is larger than 2 GiB');
  const directory = readCentralDirectory(zip, recordLimit(limits));
  checkTotal(directory.records, limits);
  const entries = placeEntries(zip, directory).map(withPath);
  checkCollisions(entries);
  const wanted = entries.filter(isWanted);
  checkCount(wanted.length, limits);
  const files: ArchiveFile[] = [];
  const topFolder = topFolderOf(wanted);
  for (const { entry, path } of withoutTopFolder(wanted, topFolder)) {
    files.push({ path, bytes: await inflateEntry(entry) });
  }
  return { files, topFolder };
}

/** Folders and dropped files are not counted as files, but must not fill memory either. */
function recordLimit({ maxEntries }: ArchiveLimits): number {
  return maxEntries * 2 + 100;
}

function checkTotal(records: { bytes: number }[], limits: ArchiveLimits): void {
  const maxTotalBytes = Math.min(limits.maxTotalBytes, maxJsZipBytes);
  const total = records.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > maxTotalBytes) {
    throw archiveFault(`unpacks to ${total} bytes; at most ${maxTotalBytes} are allowed`);
  }
}

function withPath(entry: PlacedEntry): PathedEntry {
  const slash = entry.isFolder ? '/' : '';
  return {
    entry,
    path: checkedPath(entry, entry.name.slice(0, entry.name.length - slash.length)) + slash,
  };
}

function checkedPath(entry: PlacedEntry, raw: string): string {
  const check = checkPath(raw);
  if (check.ok) return check.path;
  const code = check.reserved ? 'FILE_TYPE_REFUSED' : 'ARCHIVE_INVALID';
  throw entryFault(entry.name, check.rule, code);
}

function checkCollisions(entries: PathedEntry[]): void {
  const path = findCollision(entries.map(({ path }) => path));
  if (path !== undefined) {
    throw entryFault(path, 'has the same path as another entry, or lies below a file');
  }
}

function isWanted({ entry, path }: PathedEntry): boolean {
  const segments = path.split('/');
  return !entry.isFolder && segments[0] !== '__MACOSX' && segments.at(-1) !== '.DS_Store';
}

/** Paths are checked again: `site/_slipway/x` becomes a reserved path only here. */
/** The one folder that holds everything, with its slash; empty when there is none. */
function topFolderOf(files: PathedEntry[]): string {
  const top = `${files[0]?.path.split('/')[0] ?? ''}/`;
  return files.every(({ path }) => path.startsWith(top)) ? top : '';
}

function withoutTopFolder(files: PathedEntry[], top: string): PathedEntry[] {
  if (top === '') return files;
  return files.map(({ entry, path }) => ({
    entry,
    path: checkedPath(entry, path.slice(top.length)),
  }));
}

function checkCount(count: number, { maxEntries }: ArchiveLimits): void {
  if (count === 0) throw archiveFault('holds no file');
  if (count > maxEntries) {
    throw new CodedError('TOO_MANY_FILES', {
      error: `The ZIP holds ${count} files; at most ${maxEntries} are allowed.`,
    });
  }
}
