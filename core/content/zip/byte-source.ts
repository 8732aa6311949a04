/**
 * Immutable bytes that are read by range: an object in storage, a file, or memory.
 *
 * Offsets are inclusive, as in HTTP ranges, and lie within `size`.
 */
export interface ByteSource {
  size: number;
  /** The bytes from `first` to `last` in one piece. */
  read(first: number, last: number): Promise<Uint8Array>;
  /**
   * The same bytes in order, in chunks of any length. A chunk is fetched only when the reader asks
   * for it.
   */
  stream(first: number, last: number): AsyncIterable<Uint8Array>;
}

/** Bytes in memory as a source. Nothing is copied; a stream is a single chunk. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: async (first, last) => bytes.subarray(first, last + 1),
    stream: async function* (first, last) {
      yield bytes.subarray(first, last + 1);
    },
  };
}

/** Some bytes of a source, and the offset of the first one. */
export interface Window {
  at: number;
  bytes: Uint8Array;
}

/**
 * Reads `length` bytes at `at`, which must be inside the source.
 * @throws Error if the source returns another number of bytes
 */
export async function readWindow(source: ByteSource, at: number, length: number): Promise<Window> {
  if (length === 0) return { at, bytes: new Uint8Array() };
  const bytes = await source.read(at, at + length - 1);
  if (bytes.length === length) return { at, bytes };
  throw new Error(`The source gave ${bytes.length} bytes where ${length} were asked for.`);
}

/** Reads a stream in order, in portions of the requested lengths. */
export interface ByteReader {
  /** The next `length` bytes in one piece; for headers. */
  take(length: number): Promise<Uint8Array>;
  /** The next `length` bytes in chunks, not copied; for content. */
  portion(length: number): AsyncGenerator<Uint8Array>;
  /** Stops the stream at any position. */
  close(): Promise<void>;
}

/**
 * Reads a stream in portions that need not match its chunks.
 *
 * Holds at most one chunk and reads the next only when a portion needs it. Read one portion at a
 * time.
 * @throws Error if the stream ends before a portion does
 */
export function byteReader(stream: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();

  async function* portion(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      while (rest.length === 0) rest = await nextChunk(chunks);
      const slice = rest.subarray(0, left);
      rest = rest.subarray(slice.length);
      left -= slice.length;
      yield slice;
    }
  }

  return {
    portion,
    take: (length) => collect(portion(length)),
    close: async () => {
      await chunks.return?.();
    },
  };
}

async function nextChunk(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const { done, value } = await chunks.next();
  if (done === true) throw new Error('The source ended before the bytes that it promised.');
  return value;
}

/** All chunks in one piece; a single chunk is not copied. */
export async function collect(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
}

/** The first chunk of a stream, empty if there is none, and all of its chunks. */
export async function readBeginning(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<{ beginning: Uint8Array; chunks: AsyncIterable<Uint8Array> }> {
  const iterator =
    Symbol.asyncIterator in content ? content[Symbol.asyncIterator]() : content[Symbol.iterator]();
  const first = await iterator.next();
  const chunks = async function* () {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  };
  return { beginning: first.done === true ? new Uint8Array() : first.value, chunks: chunks() };
}
