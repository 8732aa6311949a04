import type { ByteSource } from './byte-source.ts';
import type { ArchiveIndex } from './open-archive.ts';
import { placeEntries } from './place-entries.ts';
import { unpackEntry } from './unpack-entry.ts';

/** One file on its way out of an archive; `bytes` is its declared size, and `content` ends with exactly that or throws. */
export interface StreamedFile {
  path: string;
  bytes: number;
  content: AsyncIterable<Uint8Array>;
}

/**
 * The files of an opened archive in the order in which they lie in it, read in one go.
 *
 * Read each content to its end before asking for the next file. What is dropped is unpacked and
 * checked as well, so a refusal may come after the last file: nothing may become visible before
 * the iteration has ended. Memory does not grow with files or archive.
 *
 * Throws ARCHIVE_INVALID, from here or from `content`; errors of the source pass through.
 */
export async function* archiveFiles(
  source: ByteSource,
  index: ArchiveIndex,
): AsyncGenerator<StreamedFile> {
  for await (const { entry, data } of placeEntries(source, index.entries)) {
    const unpacked = trackedToEnd(unpackEntry(entry, data));
    if (entry.isDropped) await discard(unpacked.chunks);
    else yield { path: entry.path, bytes: entry.bytes, content: unpacked.chunks };
    if (!unpacked.hasEnded()) {
      throw new Error('The content of an archive file must be read to its end before the next.');
    }
  }
}

function trackedToEnd(chunks: AsyncIterable<Uint8Array>) {
  let ended = false;
  async function* tracked(): AsyncGenerator<Uint8Array> {
    yield* chunks;
    ended = true;
  }
  return { chunks: tracked(), hasEnded: () => ended };
}

async function discard(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}
