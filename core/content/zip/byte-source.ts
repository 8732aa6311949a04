/**
 * Bytes that lie somewhere else and never change: an object in storage, a file, memory.
 *
 * Offsets are inclusive, as in HTTP ranges, and lie within `size`.
 */
export interface ByteSource {
  size: number;
  /** The bytes from `first` to `last`, at once. */
  read(first: number, last: number): Promise<Uint8Array>;
  /** The same bytes in order, in chunks of any length, fetched no faster than they are taken. */
  stream(first: number, last: number): AsyncIterable<Uint8Array>;
}

/** Bytes in memory as a source; nothing is copied, and a stream is one chunk. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: async (first, last) => bytes.subarray(first, last + 1),
    stream: async function* (first, last) {
      yield bytes.subarray(first, last + 1);
    },
  };
}

/** Some bytes of a source, and the offset of their first. */
export interface Window {
  at: number;
  bytes: Uint8Array;
}

/** Reads `length` bytes at `at`, which lie within the source. A source that gives another number of bytes is a bug. */
export async function readWindow(source: ByteSource, at: number, length: number): Promise<Window> {
  if (length === 0) return { at, bytes: new Uint8Array() };
  const bytes = await source.read(at, at + length - 1);
  if (bytes.length === length) return { at, bytes };
  throw new Error(`The source gave ${bytes.length} bytes where ${length} were asked for.`);
}
