import { bytesSource, collect } from './byte-source.ts';
import type { ArchiveIndex } from './open-archive.ts';
import { streamArchive } from './stream-archive.ts';

/** One file of an archive; `path` is relative, safe and NFC normalised. */
export interface ArchiveFile {
  path: string;
  bytes: Uint8Array;
}

/**
 * The files of an opened ZIP in memory, in the order of its central directory.
 *
 * A hostile or damaged archive is refused, never repaired. All checks that need no inflating were made
 * when it was opened. Entries are inflated one after another, so memory is bounded by the archive,
 * the declared sizes and a copy of the largest entry.
 * @throws CodedError ARCHIVE_INVALID (`error` names rule and entry)
 */
export async function readArchive(zip: Uint8Array, index: ArchiveIndex): Promise<ArchiveFile[]> {
  const contents = new Map<string, Uint8Array>();
  for await (const { path, content } of streamArchive(bytesSource(zip), index)) {
    contents.set(path, await collect(content));
  }
  return index.files.map(({ path }) => ({ path, bytes: contents.get(path) ?? new Uint8Array() }));
}
