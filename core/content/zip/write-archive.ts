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
    yield numbers([4, signature.dataDescriptor], [4, sum.checksum], [4, packed], [4, sum.size]);
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
  const level = constants.Z_BEST_SPEED;
  const { options } = smallWindow;
  return deflateRawSync(
    bytes,
    bytes.length <= smallWindow.bytes ? { level, ...options } : { level },
  );
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

type Field = readonly [width: 2 | 4, value: number];

/** Little-endian numbers one after another. */
function numbers(...fields: Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of fields) at = bytes.writeUIntLE(value, at, width);
  return bytes;
}

/** Flags, method (0: stored, 8: deflated), time and date, which both headers have. */
function described({ method, time, date }: EntryFacts): Field[] {
  return [
    [2, flags],
    [2, method],
    [2, time],
    [2, date],
  ];
}

function localHeader(name: Buffer, facts: EntryFacts): Buffer {
  const header = numbers(
    [4, signature.localHeader],
    [2, versionNeeded],
    ...described(facts),
    [4, 0],
    [4, 0],
    [4, 0],
    [2, name.length],
    [2, 0],
  );
  return Buffer.concat([header, name]);
}

function centralHeader(
  name: Buffer,
  facts: EntryFacts,
  file: { checksum: number; packed: number; size: number; offset: number },
): Buffer {
  const header = numbers(
    [4, signature.centralHeader],
    [2, madeBy],
    [2, versionNeeded],
    ...described(facts),
    [4, file.checksum],
    [4, file.packed],
    [4, file.size],
    [2, name.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, regularFile * 0x1_0000],
    [4, file.offset],
  );
  return Buffer.concat([header, name]);
}

function endRecord(directory: readonly Uint8Array[], offset: number): Buffer {
  const length = directory.reduce((sum, record) => sum + record.length, 0);
  return numbers(
    [4, signature.end],
    [2, 0],
    [2, 0],
    [2, directory.length],
    [2, directory.length],
    [4, length],
    [4, offset],
    [2, 0],
  );
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
