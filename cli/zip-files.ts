import { constants, crc32, deflateRawSync } from 'node:zlib';
import { type AnyZipEntry, type PackedFile, zipStream } from '../core/content/zip/write-archive.ts';
import { isSmall, type LocalFile, readFileOf, readSmall } from './local-file.ts';

/** A ZIP of files. Each is opened when its turn comes. */
export function zipOf(files: readonly LocalFile[]): AsyncGenerator<Uint8Array> {
  return zipStream(entriesOf(files), new Date());
}

function* entriesOf(files: readonly LocalFile[]): Generator<AnyZipEntry> {
  for (const file of files) {
    const content = isSmall(file) ? Promise.resolve(packed(readSmall(file))) : readLater(file);
    yield { path: file.path, size: file.size, content, isDeflated: true };
  }
}

async function* readLater(file: LocalFile): AsyncGenerator<Uint8Array> {
  yield* readFileOf(file);
}

/**
 * A small file, compressed at once: a compressor that is shared, or in a thread beside, takes longer. So does room for
 * more than the file needs, which zlib would make for each.
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
