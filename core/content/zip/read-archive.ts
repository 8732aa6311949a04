import { archiveFault } from './archive-fault.ts';
import { inflateEntry } from './archive-inflate.ts';
import { collect } from './byte-reader.ts';
import { bytesSource } from './byte-source.ts';
import { type ArchiveEntry, type ArchiveLimits, openArchive } from './open-archive.ts';
import { placeEntries } from './place-entries.ts';

/** JSZip reads sizes and offsets as signed 32-bit numbers. */
const maxJsZipBytes = 0x7fff_ffff;

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

/**
 * The files of an uploaded ZIP, in the order of its central directory.
 *
 * A hostile or damaged archive is refused whole, never repaired, and everything that can be known
 * without inflating is checked before the first byte is inflated. What is dropped is checked as
 * well. Entries are inflated one after another: memory stays within the archive, `maxTotalBytes`
 * and a copy of the largest entry, compressed.
 *
 * Throws ARCHIVE_INVALID (`error` names rule and entry), TOO_MANY_FILES, FILE_TYPE_REFUSED.
 */
export async function readArchive(zip: Uint8Array, limits: ArchiveLimits): Promise<Archive> {
  if (zip.length > maxJsZipBytes) throw archiveFault('is larger than 2 GiB');
  const source = bytesSource(zip);
  const maxTotalBytes = Math.min(limits.maxTotalBytes, maxJsZipBytes);
  const { entries, topFolder } = await openArchive(source, { ...limits, maxTotalBytes });
  const dataOf = new Map<ArchiveEntry, Uint8Array>();
  for await (const { entry, data } of placeEntries(source, entries)) {
    dataOf.set(entry, await collect(data));
  }
  const files: ArchiveFile[] = [];
  for (const entry of entries) {
    const bytes = await inflateEntry(entry, dataOf.get(entry) ?? new Uint8Array());
    if (!entry.isDropped) files.push({ path: entry.path, bytes });
  }
  return { files, topFolder };
}
