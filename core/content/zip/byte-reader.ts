/** Takes bytes off a stream in order, in the portions asked for. */
export interface ByteReader {
  /** The next `length` bytes in one piece; for headers. */
  take(length: number): Promise<Uint8Array>;
  /** The next `length` bytes as they come, not copied; for content. */
  portion(length: number): AsyncGenerator<Uint8Array>;
  /** Stops the stream, wherever it is. */
  close(): Promise<void>;
}

/**
 * Reads a stream in portions whose ends need not be those of its chunks.
 *
 * Holds one chunk at most and asks for the next only when a portion needs it. One portion at a
 * time. A stream that ends before a portion does is a bug of the source.
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
export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
}
