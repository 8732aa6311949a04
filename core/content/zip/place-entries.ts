import { archiveFault } from './archive-fault.ts';
import { type LaidEntry, overlapFault, tailFault } from './archive-layout.ts';
import { type ByteReader, byteReader } from './byte-reader.ts';
import type { ByteSource } from './byte-source.ts';
import {
  checkLocalNames,
  headerBytes,
  mayHaveTail,
  readLocalHeader,
  tailAgrees,
} from './local-header.ts';

/** An entry with its data as written, compressed or not. */
export interface PlacedEntry<E extends LaidEntry> {
  entry: E;
  data: AsyncIterable<Uint8Array>;
}

/**
 * Walks the archive once from its first byte to its central directory and shows that it has one
 * reading: every local header repeats its central record, and headers, data and descriptors fill
 * the file with neither gap nor overlap.
 *
 * Entries come in the order of the file. Take all data of one before asking for the next; an
 * archive is good only when the walk has ended. Throws ARCHIVE_INVALID.
 */
export async function* placeEntries<E extends LaidEntry>(
  source: ByteSource,
  entries: readonly E[],
): AsyncGenerator<PlacedEntry<E>> {
  const inFile = entries.toSorted((a, b) => a.localHeaderAt - b.localHeaderAt);
  const end = inFile.at(-1)?.endsAt ?? 0;
  if (end === 0) return;
  const reader = byteReader(source.stream(0, end - 1));
  try {
    for (const entry of inFile) {
      const { tailBytes } = await readHeader(reader, entry, source.size);
      yield { entry, data: reader.portion(entry.compressedBytes) };
      if (!tailAgrees(entry, await reader.take(tailBytes))) throw tailFault(entry);
    }
  } finally {
    await reader.close();
  }
}

/** Reads up to the data and tells how much must follow it, when all of it is as the directory says. */
async function readHeader(
  reader: ByteReader,
  entry: LaidEntry,
  archiveBytes: number,
): Promise<{ tailBytes: number }> {
  const header = await reader.take(headerBytes);
  const { extraBytes } = readLocalHeader(entry, header);
  const dataAt = entry.localHeaderAt + headerBytes + entry.rawName.length + extraBytes;
  const dataEnd = dataAt + entry.compressedBytes;
  if (dataAt > archiveBytes) throw archiveFault('is cut short or points past its own end');
  if (dataEnd > entry.endsAt) throw overlapFault(entry);
  const names = await reader.take(entry.rawName.length + extraBytes);
  checkLocalNames(entry, Buffer.concat([header, names]));
  const tailBytes = entry.endsAt - dataEnd;
  if (!mayHaveTail(entry, tailBytes)) throw tailFault(entry);
  return { tailBytes };
}
