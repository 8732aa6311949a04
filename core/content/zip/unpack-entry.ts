import { pipeline } from 'node:stream/promises';
import { crc32 as checksumOf, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';
import type { CodedError } from '../../errors.ts';
import { collect } from './byte-source.ts';
import { entryError } from './header-fields.ts';
import type { CentralRecord } from './central-directory.ts';

const deflated = 8;

/** Bytes that zlib gives at once. Each chunk goes to another thread and back: with its default of 16 kB, large entries take longer. */
const chunkSize = 64 * 1024;

/**
 * Yields the content of one entry in chunks. Checks that it has the declared size and checksum, and
 * that the deflate stream ends with the last byte of the data.
 *
 * It holds one chunk of data and about 64 kB of content, or a small entry as a whole, and stops inflating
 * at the declared size. The last checks follow the last chunk, so the content is valid only after the
 * iteration has ended.
 * @throws CodedError ARCHIVE_INVALID; errors of `data` pass through
 */
export async function* unpackEntry(
  record: CentralRecord,
  data: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let [produced, checksum] = [0, 0];
  for await (const chunk of contentOf(record, data)) {
    produced += chunk.length;
    if (produced > record.bytes) throw sizeError(record);
    checksum = checksumOf(chunk, checksum);
    yield chunk;
  }
  if (produced !== record.bytes) throw sizeError(record);
  if (checksum !== record.crc32) throw entryError(record.name, 'does not match its checksum');
}

function contentOf(
  record: CentralRecord,
  data: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (record.method !== deflated || record.compressedBytes === 0) return data;
  const isSmall = Math.max(record.bytes, record.compressedBytes) <= maxBytesAtOnce;
  return isSmall
    ? inflateSmall(record, data)
    : inflate(record, data, createInflateRaw({ chunkSize }));
}

async function* inflateSmall(
  record: CentralRecord,
  data: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const whole = await collect(data);
  let content: Uint8Array;
  try {
    content = inflateAtOnce(whole, record.bytes);
  } catch (error) {
    throw error instanceof HiddenBytes ? hiddenBytesError(record) : sizeError(record);
  }
  if (content.length > 0) yield content;
}

async function* inflate(
  record: CentralRecord,
  data: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  inflater: InflateRaw,
): AsyncGenerator<Uint8Array> {
  // `pipeline` destroys the inflater on an error, so the loop below throws it. Here it is ignored.
  const fed = pipeline(data, inflater).catch(() => undefined);
  try {
    yield* inflater;
  } catch (error) {
    throw isZlibError(error) ? sizeError(record) : error;
  } finally {
    await fed;
  }
  if (inflater.bytesWritten !== record.compressedBytes) throw hiddenBytesError(record);
}

/** The code of a zlib error is zlib's own name for it (`Z_DATA_ERROR`). */
function isZlibError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'string' && error.code.startsWith('Z_');
}

/** If an entry declares no content, any data it has counts as hidden bytes. */
function sizeError(record: CentralRecord): CodedError {
  return record.bytes === 0
    ? hiddenBytesError(record)
    : entryError(record.name, 'unpacks to another size than it declares, or is damaged');
}

function hiddenBytesError({ name }: CentralRecord): CodedError {
  return entryError(name, 'has other bytes hidden behind its compressed data');
}

/**
 * Content up to this size is inflated in one call: it takes a few milliseconds at most, and a
 * stream takes several times as long for a small file, mostly for its buffers and for changing
 * threads. Bytes.
 */
export const maxBytesAtOnce = 1024 * 1024;

/** The deflate stream ended before the data did. */
class HiddenBytes extends Error {}

/**
 * Inflates data whose deflate stream must end with its last byte.
 * @throws HiddenBytes if it ends before; zlib's error if the content is damaged or has more than `maxBytes`
 */
function inflateAtOnce(data: Uint8Array, maxBytes: number): Buffer {
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
