import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, crc32, createGzip, deflateRawSync } from 'node:zlib';
import {
  type AnyZipEntry,
  type PackedFile,
  zipOfSmall,
  zipStream,
} from '../core/content/zip/write-archive.ts';
import { isSmall, type LocalFile, readFileOf, readSmall } from './local-file.ts';

/** A ZIP of files. Each is opened when its turn comes. */
export function zipOf(files: readonly LocalFile[]): AsyncGenerator<Uint8Array> {
  return zipStream(entriesOf(files), new Date());
}

/** What the compressor gets at once: its thread takes as long for it as this one for reading the next files. */
const batchBytes = 256 * 1024;

/**
 * A ZIP of files as they are, compressed as a whole; nothing where that has more than `maxBytes`. All of it is in
 * memory. For many small files it takes a fraction of the time of {@link zipOf}.
 */
export async function gzippedZipOf(
  files: readonly LocalFile[],
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: batchBytes });
  const packed: Uint8Array[] = [];
  gzip.on('data', (chunk: Uint8Array) => packed.push(chunk));
  const ended = once(gzip, 'end');
  for (const batch of batchesOf(zipOfSmall(contentsOf(files), new Date()))) {
    gzip.write(batch);
    // The compressor works in another thread, and hears of the next batch in a turn of this one.
    await nextTurn();
    if (lengthOf(packed) > maxBytes) return undefined;
  }
  gzip.end();
  await ended;
  return lengthOf(packed) > maxBytes ? undefined : Buffer.concat(packed);
}

function* contentsOf(files: readonly LocalFile[]) {
  for (const file of files) yield { path: file.path, bytes: readSmall(file) };
}

function* batchesOf(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  let batch: Uint8Array[] = [];
  let length = 0;
  for (const chunk of chunks) {
    batch.push(chunk);
    length += chunk.length;
    if (length < batchBytes) continue;
    yield Buffer.concat(batch);
    batch = [];
    length = 0;
  }
  yield Buffer.concat(batch);
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

function* entriesOf(files: readonly LocalFile[]): Generator<AnyZipEntry> {
  for (const file of files) {
    const content = isSmall(file) ? packed(readSmall(file)) : readLater(file);
    yield { path: file.path, size: file.size, content, isDeflated: true };
  }
}

async function* readLater(file: LocalFile): AsyncGenerator<Uint8Array> {
  yield* readFileOf(file);
}

/**
 * A small file, compressed at once: a compressor in a thread beside takes longer. So does room for more than the file
 * needs, which zlib would make for each.
 */
function packed(bytes: Uint8Array): PackedFile {
  const chunkSize = bytes.length + constants.Z_MIN_CHUNK;
  const content = deflateRawSync(bytes, { level: constants.Z_BEST_SPEED, chunkSize });
  return {
    bytes: content,
    checksum: crc32(bytes),
    size: bytes.length,
    packed: content.length,
  };
}
