import type { ZipEntry } from '../content/zip/write-archive.ts';
import { type ByteRange, lengthOf } from './protocol/byte-range.ts';

const pieceBytes = 4 * 1024 * 1024;
/** What is fetched while a piece is sent: two of full size, or more that are smaller. */
const ahead = { count: 8, bytes: 2 * pieceBytes };

/** A file by the key under which it is stored. */
export interface StoredFile {
  path: string;
  key: string;
  size: number;
}

/** Reads part of an object; `undefined` when there is none under the key. */
export type ReadPart = (key: string, range: ByteRange) => Promise<Uint8Array | undefined>;

/**
 * The files as entries of a ZIP, read in their order and in pieces, a few ahead of what is taken.
 *
 * Pieces and not one stream for each file: storage hangs up on a reader as slow as some visitors
 * are, and many small files would wait for each other. A missing object throws when its turn comes.
 */
export function* zipContents(files: readonly StoredFile[], read: ReadPart): Generator<ZipEntry> {
  const pieces = readAhead(piecesOf(files), async ({ key, range }) => {
    const bytes = await read(key, range);
    if (bytes === undefined) throw new Error(`${key} is not there`);
    return bytes;
  });
  for (const { path, size } of files) {
    yield { path, size, content: take(pieces, Math.ceil(size / pieceBytes)) };
  }
}

interface Piece {
  key: string;
  range: ByteRange;
}

/** An empty file has none. */
function* piecesOf(files: readonly StoredFile[]): Generator<Piece> {
  for (const { key, size } of files) {
    for (let first = 0; first < size; first += pieceBytes) {
      yield { key, range: { first, last: Math.min(size, first + pieceBytes) - 1 } };
    }
  }
}

async function* readAhead<T>(
  pieces: Iterator<Piece>,
  read: (piece: Piece) => Promise<T>,
): AsyncGenerator<T> {
  const underWay: { reading: Promise<T>; bytes: number }[] = [];
  let bytesUnderWay = 0;
  const startMore = () => {
    while (underWay.length <= ahead.count && bytesUnderWay <= ahead.bytes) {
      const next = pieces.next();
      if (next.done === true) return;
      const reading = read(next.value);
      // Who leaves early does not wait for it.
      reading.catch(() => undefined);
      const bytes = lengthOf(next.value.range);
      underWay.push({ reading, bytes });
      bytesUnderWay += bytes;
    }
  };
  for (;;) {
    startMore();
    const first = underWay.shift();
    if (first === undefined) return;
    yield await first.reading;
    bytesUnderWay -= first.bytes;
  }
}

async function* take<T>(source: AsyncIterator<T>, count: number): AsyncGenerator<T> {
  for (let taken = 0; taken < count; taken += 1) {
    const next = await source.next();
    if (next.done === true) return;
    yield next.value;
  }
}
