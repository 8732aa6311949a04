import type { ZipEntry } from '../content/zip/write-archive.ts';
import type { FilePlace } from './file-place.ts';
import { type ByteRange, lengthOf } from './protocol/conditional-request.ts';

const pieceBytes = 4 * 1024 * 1024;
/** How much is read ahead while a piece is sent: two pieces of full size, or more smaller ones. */
const readAheadLimit = { count: 8, bytes: 2 * pieceBytes };

/** A file and where its bytes are. */
export interface StoredFile extends FilePlace {
  path: string;
}

/** An object is gone: its project was removed after its row was read, or the object was lost. */
export class MissingObjectError extends Error {
  override readonly name = 'MissingObjectError';
}

/** Reads a range of an object; `undefined` when the object does not exist. */
export type ReadPart = (key: string, range: ByteRange) => Promise<Uint8Array | undefined>;

/**
 * The files as entries of a ZIP, read in order and in pieces, a few pieces ahead of the consumer.
 *
 * It reads pieces instead of one stream for each file: storage closes the connection of a slow
 * reader, and many small files would wait for each other. A missing object throws a {@link
 * MissingObjectError} when its turn comes.
 */
export function* zipContents(files: readonly StoredFile[], read: ReadPart): Generator<ZipEntry> {
  const pieces = readAhead(piecesOf(files), readerOf(read));
  for (const { path, size } of files) {
    yield { path, size, content: takePieces(pieces, Math.ceil(size / pieceBytes)) };
  }
}

function readerOf(read: ReadPart) {
  return async ({ key, range }: Piece): Promise<Uint8Array> => {
    const bytes = await read(key, range);
    if (bytes === undefined) throw new MissingObjectError(`object ${key} is missing`);
    return bytes;
  };
}

/** A range of an object. */
interface Piece {
  key: string;
  range: ByteRange;
}

/** An empty file has no pieces. */
function* piecesOf(files: readonly StoredFile[]): Generator<Piece> {
  for (const { key, size, offset = 0 } of files) {
    yield* inPieces({ key, range: { first: offset, last: offset + size - 1 } });
  }
}

function* inPieces({ key, range }: Piece): Generator<Piece> {
  for (let first = range.first; first <= range.last; first += pieceBytes) {
    yield { key, range: { first, last: Math.min(range.last, first + pieceBytes - 1) } };
  }
}

/** A range of one object, read in the same way; throws a {@link MissingObjectError}. */
export function readStored(stored: Piece, read: ReadPart): AsyncGenerator<Uint8Array> {
  return readAhead(inPieces(stored), readerOf(read));
}

async function* readAhead<T>(
  pieces: Iterator<Piece>,
  read: (piece: Piece) => Promise<T>,
): AsyncGenerator<T> {
  const pendingReads: { reading: Promise<T>; bytes: number }[] = [];
  let pendingBytes = 0;
  const startMore = () => {
    while (pendingReads.length <= readAheadLimit.count && pendingBytes <= readAheadLimit.bytes) {
      const next = pieces.next();
      if (next.done === true) return;
      const reading = read(next.value);
      // A consumer that stops early never awaits this read; without a handler its error would be unhandled.
      reading.catch(() => undefined);
      const bytes = lengthOf(next.value.range);
      pendingReads.push({ reading, bytes });
      pendingBytes += bytes;
    }
  };
  for (;;) {
    startMore();
    const first = pendingReads.shift();
    if (first === undefined) return;
    yield await first.reading;
    pendingBytes -= first.bytes;
  }
}

async function* takePieces<T>(source: AsyncIterator<T>, count: number): AsyncGenerator<T> {
  for (let index = 0; index < count; index += 1) {
    const next = await source.next();
    if (next.done === true) return;
    yield next.value;
  }
}
