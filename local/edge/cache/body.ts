import { Readable } from 'node:stream';

/** A body in memory, or, if it is too long for that, a stream of all of it. */
export type BodyRead = { kind: 'whole'; body: Buffer } | { kind: 'too-long'; body: Readable };

/** Reads a body into memory unless it is longer than `maxBytes`. */
export async function readBody(body: Buffer | Readable, maxBytes: number): Promise<BodyRead> {
  if (Buffer.isBuffer(body)) {
    return body.byteLength <= maxBytes
      ? { kind: 'whole', body }
      : { kind: 'too-long', body: Readable.from([body]) };
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  const rest = body[Symbol.asyncIterator]();
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    const chunk = bytesOf(next.value);
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      return { kind: 'too-long', body: Readable.from(concatenate(chunks, rest)) };
  }
  return { kind: 'whole', body: Buffer.concat(chunks) };
}

/** Releases a body that is not read. */
export function discard(body: Buffer | Readable): void {
  if (!Buffer.isBuffer(body)) body.destroy();
}

async function* concatenate(chunks: Buffer[], rest: AsyncIterator<unknown>): AsyncGenerator {
  try {
    yield* chunks;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

function bytesOf(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk;
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.from(String(chunk));
}
