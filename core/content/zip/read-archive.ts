import { archiveError, entryError } from './header-fields.ts';
import { bytesSource, collect } from './byte-source.ts';
import {
  type ArchiveEntry,
  type ArchiveIndex,
  type ArchiveLimits,
  openArchive,
} from './open-archive.ts';
import { walkEntries } from './walk-entries.ts';
import { unpackEntry as unpackChunks } from './unpack-entry.ts';
import { crc32 as checksumOf } from 'node:zlib';
import type { CentralRecord } from './central-directory.ts';

/** JSZip reads sizes and offsets as signed 32-bit numbers. */
const maxJsZipBytes = 0x7fff_ffff;

/** One file of an archive; `path` is relative, safe and NFC normalised. */
export interface ArchiveFile {
  path: string;
  bytes: Uint8Array;
}

/**
 * What a ZIP in memory declares, before the first byte is inflated.
 * @throws CodedError ARCHIVE_INVALID, TOO_MANY_FILES, FILE_TYPE_REFUSED
 */
export function openReceived(zip: Uint8Array, limits: ArchiveLimits): Promise<ArchiveIndex> {
  if (zip.length > maxJsZipBytes) throw archiveError('is larger than 2 GiB');
  const maxTotalBytes = Math.min(limits.maxTotalBytes, maxJsZipBytes);
  return openArchive(bytesSource(zip), { ...limits, maxTotalBytes });
}

/**
 * The files of an opened ZIP in memory, in the order of its central directory.
 *
 * A hostile or damaged archive is refused, never repaired. All checks that need no inflating were made
 * when it was opened. Dropped entries are checked too. Entries are inflated one after another, so
 * memory is bounded by the archive, `maxTotalBytes` and a compressed copy of the largest entry.
 * @throws CodedError ARCHIVE_INVALID (`error` names rule and entry)
 */
export async function unpackFiles(
  zip: Uint8Array,
  { entries }: Pick<ArchiveIndex, 'entries'>,
): Promise<ArchiveFile[]> {
  const dataOf = new Map<ArchiveEntry, Uint8Array>();
  for await (const { entry, data } of walkEntries(bytesSource(zip), entries)) {
    dataOf.set(entry, await collect(data));
  }
  const files: ArchiveFile[] = [];
  // Loaded late, because most requests bring no archive, and once, because looking it up takes time.
  const { unpackByJsZip } = await import('./unpack-by-jszip.ts');
  for (const entry of entries) {
    const bytes = await unpackEntry(entry, dataOf.get(entry) ?? new Uint8Array(), unpackByJsZip);
    if (!entry.isDropped) files.push({ path: entry.path, bytes });
  }
  return files;
}

/**
 * The content of one entry, with the declared size and checksum.
 *
 * Holds at most the declared size plus a few chunks of 64 kB, or a MiB of a small entry, and stops
 * inflating there, so a limit on declared sizes limits memory.
 * @throws CodedError ARCHIVE_INVALID
 */
async function unpackEntry(
  entry: CentralRecord,
  data: Uint8Array,
  unpackByJsZip: (entry: CentralRecord, data: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  // JSZip skips the data of entries that declare no content.
  if (entry.bytes === 0) return collect(unpackChunks(entry, [data]));
  const content = await unpackByJsZip(entry, data);
  if (checksumOf(content) !== entry.crc32) {
    throw entryError(entry.name, 'does not match its checksum');
  }
  return content;
}
