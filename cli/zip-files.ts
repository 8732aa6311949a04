import { constants, crc32, createDeflateRaw } from 'node:zlib';
import { type AnyZipEntry, type PackedFile, zipStream } from '../core/content/zip/write-archive.ts';
import { isSmall, type LocalFile, readFileOf, readSmall } from './local-file.ts';

/** A ZIP of files. Each is opened when its turn comes; a small one is compressed while the next is read. */
export function zipOf(files: readonly LocalFile[]): AsyncGenerator<Uint8Array> {
  return zipStream(entriesOf(files), new Date());
}

function* entriesOf(files: readonly LocalFile[]): Generator<AnyZipEntry> {
  const pack = filePacker();
  const begun: AnyZipEntry[] = [];
  for (const file of files) {
    const content = isSmall(file) ? pack(readSmall(file)) : readLater(file);
    begun.push({ path: file.path, size: file.size, content, isDeflated: true });
    if (begun.length > 1) yield* begun.splice(0, 1);
  }
  yield* begun;
}

async function* readLater(file: LocalFile): AsyncGenerator<Uint8Array> {
  yield* readFileOf(file);
}

/** What a shared compressor adds to each file: its last block, which is empty (RFC 1951 §3.2.3). */
const lastBlock = Buffer.from([3, 0]);

/**
 * Compresses small files, each on its own, in a thread beside. Making a compressor for each takes as long as its
 * work, so they share one: a full flush ends whatever refers to bytes before it.
 */
function filePacker(): (bytes: Uint8Array) => Promise<PackedFile> {
  const options = {
    level: constants.Z_BEST_SPEED,
    flush: constants.Z_FULL_FLUSH,
    // All of a file is read at once, when it is ready.
    readableHighWaterMark: Number.MAX_SAFE_INTEGER,
  };
  const deflate = createDeflateRaw(options);
  return (bytes) =>
    new Promise((resolve, reject) => {
      deflate.write(bytes, (error) => {
        if (error instanceof Error) return reject(error);
        const packed = Buffer.concat([deflate.read() ?? Buffer.alloc(0), lastBlock]);
        const { length: size } = bytes;
        resolve({ bytes: packed, checksum: crc32(bytes), size, packed: packed.length });
      });
    });
}
