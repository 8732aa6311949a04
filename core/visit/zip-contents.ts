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
 * The files as entries of a ZIP: the empty ones, then those of each object in its order. They are
 * read in pieces, a few pieces ahead of the consumer; neighbours in an object share a piece, because
 * each read costs money and time.
 *
 * It reads pieces instead of one stream for each file: storage closes the connection of a slow
 * reader, and many small files would wait for each other. A missing object throws a {@link
 * MissingObjectError} when its turn comes.
 */
export function* zipContents(files: readonly StoredFile[], read: ReadPart): Generator<ZipEntry> {
  const groups = groupNeighbours(files);
  const pieces = readAhead(piecesOf(groups), readerOf(read));
  for (const { range, files: neighbours } of groups) {
    const [only] = neighbours;
    if (only !== undefined && neighbours.length === 1) {
      const { path, size } = only;
      yield { path, size, content: takePieces(pieces, Math.ceil(size / pieceBytes)) };
      continue;
    }
    let shared: Promise<IteratorResult<Uint8Array>> | undefined;
    for (const { path, size, offset = 0 } of neighbours) {
      const partOf = async function* () {
        shared ??= pieces.next();
        const piece = await shared;
        const start = offset - range.first;
        if (piece.done !== true) yield piece.value.subarray(start, start + size);
      };
      yield { path, size, content: partOf() };
    }
  }
}

/** Files whose bytes are read together: one file, or several that lie in one piece of an object. */
interface Neighbours extends Piece {
  files: StoredFile[];
}

/** Bytes between two files that are read in vain rather than by another read, such as a brotli form. */
const mostBetween = 1024 * 1024;

function groupNeighbours(files: readonly StoredFile[]): Neighbours[] {
  const groups: Neighbours[] = [];
  for (const file of inStoredOrder(files)) {
    const { key, size, offset = 0 } = file;
    const range = { first: offset, last: offset + size - 1 };
    const group = groups.at(-1);
    const first = group?.range.first ?? offset;
    const last = Math.max(range.last, group?.range.last ?? 0);
    const joins =
      group?.key === key &&
      lengthOf(group.range) > 0 &&
      range.first - group.range.last <= mostBetween &&
      last - first < pieceBytes;
    if (!joins) groups.push({ key, range, files: [file] });
    else {
      group.files.push(file);
      group.range = { first, last };
    }
  }
  return groups;
}

/** The empty files, then the others object by object, each in the order of its bytes. Pure. */
function inStoredOrder(files: readonly StoredFile[]): StoredFile[] {
  const empty = files.filter(({ size }) => size === 0);
  const objects = new Map<string, StoredFile[]>();
  for (const file of files) {
    if (file.size === 0) continue;
    const ofObject = objects.get(file.key);
    if (ofObject === undefined) objects.set(file.key, [file]);
    else ofObject.push(file);
  }
  const byOffset = (a: StoredFile, b: StoredFile) => (a.offset ?? 0) - (b.offset ?? 0);
  return [...empty, ...[...objects.values()].flatMap((ofObject) => ofObject.toSorted(byOffset))];
}

function readerOf(read: ReadPart) {
  return async ({ key, range }: Piece): Promise<Uint8Array> => {
    const bytes = await read(key, range);
    if (bytes === undefined) throw new MissingObjectError(`object ${key} is missing`);
    return bytes;
  };
}

interface Piece {
  key: string;
  range: ByteRange;
}

/** An empty file has no pieces. */
function* piecesOf(groups: readonly Piece[]): Generator<Piece> {
  for (const group of groups) yield* inPieces(group);
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
