import { leaveOut } from '../left-out/leave-out.ts';
import type { IncludeHidden } from '../left-out/sift-paths.ts';
import type { SiftedPaths } from '../left-out/sift-paths.ts';
import { CodedError } from '../../errors.ts';
import { archiveError, EncryptedArchiveError, entryError } from './header-fields.ts';
import {
  descriptorError,
  localHeaderBytes,
  maxDescriptorBytes,
  overlapError,
  type PositionedEntry,
} from './walk-entries.ts';
import type { ByteSource } from './byte-source.ts';
import {
  type CentralDirectory,
  type CentralRecord,
  readCentralDirectory,
} from './central-directory.ts';
import { checkPath, findCollision, normalPath, quoted } from '../safe-path.ts';
import { readEntry } from './read-entry.ts';

/**
 * How one archive is read: the number of files that may be kept, and the uncompressed bytes of all
 * entries.
 */
export interface ArchiveLimits {
  maxEntries: number;
  maxTotalBytes: number;
  /** The next step for the sender of an archive that is too large. */
  nextStep?: string;
  /** Keeps files that are left out otherwise. */
  includeHidden?: IncludeHidden | undefined;
}

/**
 * One entry. `path` is safe and NFC normalised. A file's path is relative to the top folder; a
 * folder's path ends in `/`.
 */
export interface ArchiveEntry extends PositionedEntry {
  path: string;
  isDropped: boolean;
}

/**
 * The declared contents of an archive. `bytes` is the declared total of all `files`. `topFolder`
 * (`site/` or empty) is removed from their paths.
 */
export interface ArchiveIndex {
  files: readonly ArchiveEntry[];
  /**
   * Files and dropped entries in the order of the directory. Dropped entries pass the same checks.
   */
  entries: readonly ArchiveEntry[];
  topFolder: string;
  bytes: number;
  /** The bytes of all `entries`: dropped ones are unpacked too. */
  unpackedBytes: number;
  /** The paths of files that are dropped, below the top folder. */
  leftOut: readonly string[];
}

/**
 * Reads the declared contents of a ZIP and makes every check that does not need the file contents.
 *
 * It reads only the end of the source: 64 KiB, then the central directory, which has at most 2 ×
 * `maxEntries` + 100 records, and an ignore file. It drops folders and files that are left out after
 * the same checks as the rest, and removes one common top folder from the paths.
 *
 * @throws CodedError ARCHIVE_INVALID (`error` names rule and entry), TOO_MANY_FILES, FILE_TYPE_REFUSED,
 * INVALID_REQUEST for an ignore file that cannot be followed
 */
export async function openArchive(
  source: ByteSource,
  limits: ArchiveLimits,
): Promise<ArchiveIndex> {
  const directory = await readCentralDirectory(source, {
    maxRecords: recordLimit(limits),
    nextStep: limits.nextStep,
  });
  checkTotal(directory.records, limits);
  const entriesWithPaths = positionEntries(directory).map(withPath);
  checkCollisions(entriesWithPaths);
  const sifted = await siftEntries(source, entriesWithPaths.filter(isKept), limits);
  checkCount(sifted.kept.length, limits);
  const entries = entriesBelow(entriesWithPaths, sifted);
  const files = entries.filter(isKept);
  const { topFolder, leftOut } = sifted;
  const bytes = totalBytes(files);
  return { files, entries, topFolder, bytes, unpackedBytes: totalBytes(entries), leftOut };
}

/**
 * Opens an archive, unless it is encrypted and its sender wants to share it as a file.
 * @throws CodedError those of {@link openArchive}
 */
export async function openUnlessShared(
  source: ByteSource,
  limits: ArchiveLimits,
  { asFileBundle }: { asFileBundle?: boolean | undefined },
): Promise<ArchiveIndex | undefined> {
  try {
    return await openArchive(source, limits);
  } catch (error) {
    if (asFileBundle === true && error instanceof EncryptedArchiveError) return undefined;
    throw error;
  }
}

async function siftEntries(
  source: ByteSource,
  entries: readonly ArchiveEntry[],
  { includeHidden }: ArchiveLimits,
): Promise<SiftedPaths> {
  if (entries.length === 0) throw archiveError('holds no file');
  const files = entries.map(({ path, bytes }) => ({ path, size: bytes }));
  const look = async (path: string) => {
    const entry = entries.find((one) => one.path === path);
    // A small file whose compressed form is larger than itself is an attempt to make us read a lot.
    if (entry === undefined || entry.compressedBytes > 2 * entry.bytes + 100) return undefined;
    return readEntry(source, entry);
  };
  return leaveOut({ files, look }, includeHidden);
}

/**
 * Folders and dropped files do not count as files, but this limit stops them from filling memory.
 */
function recordLimit({ maxEntries }: ArchiveLimits): number {
  return maxEntries * 2 + 100;
}

function checkTotal(
  records: readonly { bytes: number }[],
  { maxTotalBytes, nextStep = lessContent }: ArchiveLimits,
): void {
  const total = totalBytes(records);
  if (total <= maxTotalBytes) return;
  throw new CodedError('ARCHIVE_INVALID', {
    error: `The ZIP unpacks to ${total} bytes; at most ${maxTotalBytes} are allowed.`,
    nextStep,
  });
}

const lessContent = 'Remove files from the ZIP, then upload it again. Nothing was kept.';

function totalBytes(records: readonly { bytes: number }[]): number {
  return records.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The folder of all entries, which archivers list as `./`, has no path of its own. */
function withPath(entry: PositionedEntry): ArchiveEntry {
  if (entry.isFolder && normalPath(entry.name) === '')
    return { ...entry, path: './', isDropped: true };
  const slash = entry.isFolder ? '/' : '';
  const path = checkedPath(entry, entry.name.slice(0, entry.name.length - slash.length)) + slash;
  return { ...entry, path, isDropped: entry.isFolder };
}

function checkedPath(entry: PositionedEntry, raw: string): string {
  const check = checkPath(raw);
  if (check.ok) return check.path;
  const code = check.reserved ? 'FILE_TYPE_REFUSED' : 'ARCHIVE_INVALID';
  throw entryError(entry.name, check.rule, code);
}

function isKept({ isDropped }: ArchiveEntry): boolean {
  return !isDropped;
}

function checkCollisions(entries: readonly ArchiveEntry[]): void {
  const collision = findCollision(withoutSecondForms(entries).map(({ path }) => path));
  if (collision === undefined) return;
  const { path, other } = collision;
  throw entryError(
    path,
    path === other
      ? 'has the same path as another entry'
      : `lies below the file ${quoted(other)}, or has its name`,
  );
}

/** Removes folders that are listed again in another Unicode form: `café/` composed and decomposed. */
function withoutSecondForms(entries: readonly ArchiveEntry[]): readonly ArchiveEntry[] {
  const names = new Map<string, string>();
  return entries.filter(({ isFolder, path, name }) => {
    if (!isFolder) return true;
    const first = names.get(path) ?? name;
    names.set(path, first);
    return first === name;
  });
}

function checkCount(count: number, { maxEntries, nextStep }: ArchiveLimits): void {
  if (count > maxEntries) {
    throw new CodedError('TOO_MANY_FILES', {
      error: `The ZIP holds ${count} files; at most ${maxEntries} are allowed.`,
      ...(nextStep !== undefined && { nextStep }),
    });
  }
}

/** Paths are checked again: `site/_slipway/x` becomes a reserved path only here. */
function entriesBelow(
  entries: readonly ArchiveEntry[],
  { kept, topFolder }: SiftedPaths,
): readonly ArchiveEntry[] {
  const published = new Set(kept);
  return entries.map((entry) =>
    published.has(entry.path)
      ? { ...entry, path: checkedPath(entry, entry.path.slice(topFolder.length)) }
      : { ...entry, isDropped: true },
  );
}

const maxExtraBytes = 0xffff;

/**
 * Assigns each entry a range of the file. The ranges cover the file without gaps, from the first
 * byte to the central directory. Refuses an entry whose size cannot match its range; `walkEntries`
 * checks the exact size against the local headers.
 *
 * Overlapping entries can turn 42 kB into petabytes without nested archives (D. Fifield, "A better
 * zip bomb", 2019).
 *
 * @throws CodedError ARCHIVE_INVALID
 */
function positionEntries({ records, at: directoryAt }: CentralDirectory): PositionedEntry[] {
  const byOffset = records.toSorted((a, b) => a.localHeaderAt - b.localHeaderAt);
  if ((byOffset[0]?.localHeaderAt ?? directoryAt) !== 0) {
    throw archiveError('has other bytes before its first entry');
  }
  const extents = new Map<CentralRecord, number>();
  for (const [index, record] of byOffset.entries()) {
    const endsAt = byOffset[index + 1]?.localHeaderAt ?? directoryAt;
    checkExtent(record, endsAt, directoryAt);
    extents.set(record, endsAt);
  }
  return records.map((record) => ({ ...record, endsAt: extents.get(record) ?? directoryAt }));
}

function checkExtent(record: CentralRecord, endsAt: number, directoryAt: number): void {
  const least =
    record.localHeaderAt + localHeaderBytes + record.rawName.length + record.compressedBytes;
  if (least > endsAt) throw overlapError(record);
  if (endsAt > directoryAt || endsAt - least > maxExtraBytes + maxDescriptorBytes) {
    throw descriptorError(record);
  }
}
