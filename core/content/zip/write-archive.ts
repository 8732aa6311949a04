import { Readable } from 'node:stream';
import { constants, crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';

/** Record signatures, APPNOTE 4.3. */
export const signature = {
  localHeader: 0x04034b50,
  dataDescriptor: 0x08074b50,
  centralHeader: 0x02014b50,
  end: 0x06054b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
} as const;

/** A file to write into a ZIP. `content` has `size` bytes and is read once. */
export interface ZipEntry<Content = AsyncIterable<Uint8Array>> {
  /** Relative, with `/` between folders. */
  path: string;
  size: number;
  content: Content;
  /** Compresses the content. Without it, the content is stored, and {@link zipLength} is exact. */
  isDeflated?: boolean;
}

/** An entry whose content may also be read at once, for a small file. */
type AnyZipEntry = ZipEntry<AsyncIterable<Uint8Array> | (() => Uint8Array)>;

/** An end record counts entries in 16 bits (APPNOTE 4.4.21). */
export const maxZipEntries = 0xffff - 1;

const fixed = { localHeader: 30, descriptor: 16, centralHeader: 46, end: 22 } as const;
const versionNeeded = 20;
/** Unix: the attributes below are then Unix permissions. */
const madeBy = 0x0300 + versionNeeded;
const regularFile = 0o100644;
/** Checksum and sizes follow the data; names are UTF-8 (APPNOTE 4.4.4, bits 3 and 11). */
const flags = 0x0008 | 0x0800;

/** The length of the ZIP that {@link zipStream} writes for files with these paths and sizes. */
export function zipLength(files: Iterable<{ path: string; size: number }>): number {
  let length = fixed.end;
  for (const { path, size } of files) {
    const headers = fixed.localHeader + fixed.descriptor + fixed.centralHeader;
    length += headers + 2 * Buffer.byteLength(path) + size;
  }
  return length;
}

/**
 * Streams a ZIP of these files in their order, with backpressure. It holds no file in memory.
 *
 * Downloads are not compressed: the length is then known before the first byte is read, and most
 * uploads are compressed already. A file's checksum follows its data. The directory is last, so no
 * program opens an archive that was cut short.
 *
 * A file's header is sent with its first bytes, so nothing is sent for a file that cannot be read.
 *
 * Every file has the time `at` (UTC; the format has no time zones). Supports less than 4 GiB and at
 * most {@link maxZipEntries} files.
 * @throws Error if a file does not have its declared size
 */
export async function* zipStream(
  entries: Iterable<AnyZipEntry>,
  at: Date,
): AsyncGenerator<Uint8Array> {
  const time = dosTime(at);
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.path);
    const facts = { ...time, method: entry.isDeflated === true ? 8 : 0 };
    let header: Buffer | undefined = localHeader(name, facts);
    const sum = { checksum: 0, size: 0 };
    let packed = 0;
    for await (const chunk of written(entry, sum)) {
      if (header !== undefined) yield header;
      header = undefined;
      packed += chunk.length;
      yield chunk;
    }
    if (header !== undefined) yield header;
    if (sum.size !== entry.size) {
      throw new Error(`${entry.path} has ${sum.size} bytes instead of ${entry.size}`);
    }
    yield descriptor({ ...sum, packed });
    directory.push(centralHeader(name, facts, { ...sum, packed, offset }));
    offset += fixed.localHeader + name.length + packed + fixed.descriptor;
  }
  yield* directory;
  yield endRecord(directory, offset);
}

/** The content as it is written. A stream for each of many small files would take most of the time. */
function written(
  { content, isDeflated = false }: AnyZipEntry,
  sum: { checksum: number; size: number },
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (typeof content !== 'function') {
    return isDeflated ? deflated(summed(content, sum)) : summed(content, sum);
  }
  const bytes = content();
  sum.checksum = crc32(bytes);
  sum.size = bytes.length;
  return [isDeflated ? deflatedAtOnce(bytes) : bytes];
}

/** A file is no larger than this window (RFC 1951 §2): less memory to prepare for each of many. */
const smallWindow = { bytes: 2 ** 13, options: { windowBits: 13, memLevel: 6 } };

function deflatedAtOnce(bytes: Uint8Array): Uint8Array {
  const isSmall = bytes.length <= smallWindow.bytes;
  return deflateRawSync(bytes, {
    level: constants.Z_BEST_SPEED,
    // The result is rarely longer; the default of 16 kB would fill the memory for many small files.
    chunkSize: Math.max(constants.Z_MIN_CHUNK, bytes.length),
    ...(isSmall && smallWindow.options),
  });
}

/** Passes the content on, and counts it. */
async function* summed(
  content: AsyncIterable<Uint8Array>,
  sum: { checksum: number; size: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    sum.checksum = crc32(chunk, sum.checksum);
    sum.size += chunk.length;
    yield chunk;
  }
}

function deflated(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const source = Readable.from(content);
  const deflate = createDeflateRaw();
  source.on('error', (error) => deflate.destroy(error));
  return source.pipe(deflate);
}

/** From `at` on, what both headers have: the version needed, flags, method (0: stored, 8: deflated), time and date. */
function describe(header: Buffer, at: number, { method, time, date }: EntryFacts): void {
  header.writeUInt16LE(versionNeeded, at);
  header.writeUInt16LE(flags, at + 2);
  header.writeUInt16LE(method, at + 4);
  header.writeUInt16LE(time, at + 6);
  header.writeUInt16LE(date, at + 8);
}

/** What is not written stays zero: checksum and sizes follow the data. */
function localHeader(name: Buffer, facts: EntryFacts): Buffer {
  const header = Buffer.alloc(fixed.localHeader + name.length);
  header.writeUInt32LE(signature.localHeader);
  describe(header, 4, facts);
  header.writeUInt16LE(name.length, 26);
  header.set(name, fixed.localHeader);
  return header;
}

interface WrittenEntry {
  checksum: number;
  packed: number;
  size: number;
}

function descriptor({ checksum, packed, size }: WrittenEntry): Buffer {
  const record = Buffer.alloc(fixed.descriptor);
  record.writeUInt32LE(signature.dataDescriptor);
  record.writeUInt32LE(checksum, 4);
  record.writeUInt32LE(packed, 8);
  record.writeUInt32LE(size, 12);
  return record;
}

function centralHeader(
  name: Buffer,
  facts: EntryFacts,
  { checksum, packed, size, offset }: WrittenEntry & { offset: number },
): Buffer {
  const header = Buffer.alloc(fixed.centralHeader + name.length);
  header.writeUInt32LE(signature.centralHeader);
  header.writeUInt16LE(madeBy, 4);
  describe(header, 6, facts);
  header.writeUInt32LE(checksum, 16);
  header.writeUInt32LE(packed, 20);
  header.writeUInt32LE(size, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(regularFile * 0x1_0000, 38);
  header.writeUInt32LE(offset, 42);
  header.set(name, fixed.centralHeader);
  return header;
}

function endRecord(directory: readonly Uint8Array[], offset: number): Buffer {
  const record = Buffer.alloc(fixed.end);
  record.writeUInt32LE(signature.end);
  record.writeUInt16LE(directory.length, 8);
  record.writeUInt16LE(directory.length, 10);
  record.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  record.writeUInt32LE(offset, 16);
  return record;
}

interface DosTime {
  date: number;
  time: number;
}

interface EntryFacts extends DosTime {
  method: number;
}

/** Even seconds since 1980 (APPNOTE 4.4.6). */
function dosTime(at: Date): DosTime {
  const years = Math.min(127, Math.max(0, at.getUTCFullYear() - 1980));
  return {
    date: (years << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}
