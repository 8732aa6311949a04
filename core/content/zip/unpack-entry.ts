import { pipeline } from 'node:stream/promises';
import { createInflateRaw, crc32 as checksumOf, type InflateRaw } from 'node:zlib';
import type { CodedError } from '../../errors.ts';
import { entryFault } from './archive-fault.ts';
import type { CentralRecord } from './central-directory.ts';

const deflated = 8;

/**
 * The content of one entry from its data, chunk by chunk: exactly as long as declared, with the
 * checksum declared, from a deflate stream that ends with the data's last byte.
 *
 * Neither side runs ahead: one chunk of data and some 16 kB of content are held, and inflating stops
 * at the declared size. The last checks come after the last chunk, so content counts only when this
 * has ended. Throws ARCHIVE_INVALID; errors of `data` pass through.
 */
export async function* unpackEntry(
  record: CentralRecord,
  data: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const isInflated = record.method === deflated && record.compressedBytes > 0;
  const inflater = isInflated ? createInflateRaw() : undefined;
  let [produced, checksum] = [0, 0];
  for await (const chunk of inflater === undefined ? data : inflate(record, data, inflater)) {
    produced += chunk.length;
    if (produced > record.bytes) throw sizeFault(record);
    checksum = checksumOf(chunk, checksum);
    yield chunk;
  }
  if (produced !== record.bytes) throw sizeFault(record);
  if (checksum !== record.crc32) throw entryFault(record.name, 'does not match its checksum');
  if (inflater !== undefined && inflater.bytesWritten !== record.compressedBytes) {
    throw hiddenFault(record);
  }
}

async function* inflate(
  record: CentralRecord,
  data: AsyncIterable<Uint8Array>,
  inflater: InflateRaw,
): AsyncGenerator<Uint8Array> {
  // Its failure is the inflater's too, and comes out of the loop; only an end is waited for.
  const fed = pipeline(data, inflater).catch(() => undefined);
  try {
    yield* inflater;
  } catch (error) {
    throw isZlibError(error) ? sizeFault(record) : error;
  } finally {
    await fed;
  }
}

/** Errors of zlib itself have its names as codes (`Z_DATA_ERROR`). */
function isZlibError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'string' && error.code.startsWith('Z_');
}

/** Of an entry that declares no content, all data that makes some or ends otherwise is hidden. */
function sizeFault(record: CentralRecord): CodedError {
  return record.bytes === 0
    ? hiddenFault(record)
    : entryFault(record.name, 'unpacks to another size than it declares, or is damaged');
}

function hiddenFault({ name }: CentralRecord): CodedError {
  return entryFault(name, 'has other bytes hidden behind its compressed data');
}
