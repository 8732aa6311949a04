import type { ByteSource } from './byte-source.ts';
import type { ArchiveIndex } from './open-archive.ts';
import { unpackEntry } from './unpack-entry.ts';
import { walkEntries } from './walk-entries.ts';

/** One file of an archive. `content` yields exactly `size` bytes, or throws. */
export interface StreamedFile {
  path: string;
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/**
 * Yields the files of an opened archive in their physical order, in a single pass.
 *
 * Read each content to its end before you request the next file. Dropped entries are unpacked and
 * checked too, so a refusal may follow the last file: publish nothing before the iteration has
 * ended. Memory does not depend on the number of files or the size of the archive.
 *
 * @throws CodedError ARCHIVE_INVALID, from here or from `content`; errors of the source pass through
 */
export async function* streamArchive(
  source: ByteSource,
  index: ArchiveIndex,
): AsyncGenerator<StreamedFile> {
  for await (const { entry, data } of walkEntries(source, index.entries)) {
    const unpacked = trackEnd(unpackEntry(entry, data));
    if (entry.isDropped) await drain(unpacked.chunks);
    else yield { path: entry.path, size: entry.bytes, content: unpacked.chunks };
    if (!unpacked.hasEnded()) {
      throw new Error('The content of an archive file must be read to its end before the next.');
    }
  }
}

function trackEnd(chunks: AsyncIterable<Uint8Array>) {
  let ended = false;
  async function* tracked(): AsyncGenerator<Uint8Array> {
    yield* chunks;
    ended = true;
  }
  return { chunks: tracked(), hasEnded: () => ended };
}

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}
