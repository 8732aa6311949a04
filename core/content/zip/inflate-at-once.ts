import { inflateRawSync } from 'node:zlib';

/**
 * Content up to this size is inflated in one call: it takes a few milliseconds at most, and a
 * stream takes several times as long for a small file, mostly for its buffers and for changing
 * threads. Bytes.
 */
export const maxBytesAtOnce = 1024 * 1024;

/** The deflate stream ended before the data did. */
export class HiddenBytes extends Error {}

/**
 * Inflates data whose deflate stream must end with its last byte.
 * @throws HiddenBytes if it ends before; zlib's error if the content is damaged or has more than `maxBytes`
 */
export function inflateAtOnce(data: Uint8Array, maxBytes: number): Buffer {
  // Zero is not a limit for zlib.
  const maxOutputLength = maxBytes + 1;
  const inflated: unknown = inflateRawSync(data, { maxOutputLength, info: true });
  const { buffer, bytesRead } = readInfo(inflated);
  if (bytesRead !== data.length) throw new HiddenBytes();
  return buffer;
}

/** With `info`, zlib returns its engine along with the content, which Node's types do not declare. */
function readInfo(inflated: unknown): { buffer: Buffer; bytesRead: number } {
  if (hasInfo(inflated))
    return { buffer: inflated.buffer, bytesRead: inflated.engine.bytesWritten };
  throw new TypeError('zlib did not say how many bytes it read');
}

function hasInfo(value: unknown): value is { buffer: Buffer; engine: { bytesWritten: number } } {
  if (typeof value !== 'object' || value === null) return false;
  if (!('buffer' in value) || !Buffer.isBuffer(value.buffer) || !('engine' in value)) return false;
  const { engine } = value;
  return typeof engine === 'object' && engine !== null && 'bytesWritten' in engine;
}
