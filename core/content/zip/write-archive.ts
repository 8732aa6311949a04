import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

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
  /** Whether the content is compressed: here, or already. Without it, {@link zipLength} is the most. */
  isDeflated?: boolean;
}

/** The content of a small file in memory, compressed where its entry says so. */
export interface PackedFile extends WrittenEntry {
  bytes: Uint8Array;
}

/** A file whose content is read in its turn, or packed already. */
export type AnyZipEntry = ZipEntry<AsyncIterable<Uint8Array> | PackedFile>;

/** An end record counts entries in 16 bits (APPNOTE 4.4.21). */
export const maxZipEntries = 0xffff - 1;

const fixed = { localHeader: 30, descriptor: 16, centralHeader: 46, end: 22 } as const;
const versionNeeded = 20;
/** Unix: the attributes below are then Unix permissions. */
const madeBy = 0x0300 + versionNeeded;
const regularFile = 0o100644;
/** Names are UTF-8; checksum and sizes follow the data (APPNOTE 4.4.4, bits 11 and 3). */
const flags = { names: 0x0800, descriptor: 0x0008 } as const;

/** The length of the ZIP that {@link zipStream} writes for files with these paths and sizes that are not in memory. */
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
  const records = zipRecords(at);
  for (const { path, size, content, isDeflated = false } of entries) {
    if ('bytes' in content) {
      const { header, end } = records.begin(path, isDeflated, content);
      yield header;
      yield content.bytes;
      end(content);
      continue;
    }
    const written: WrittenEntry = { checksum: 0, size: 0, packed: 0 };
    const { header, end } = records.begin(path, isDeflated);
    let first: Buffer | undefined = header;
    const source = summed(content, written);
    for await (const chunk of isDeflated ? deflated(source) : source) {
      if (first !== undefined) yield first;
      first = undefined;
      written.packed += chunk.length;
      yield chunk;
    }
    if (first !== undefined) yield first;
    if (written.size !== size) {
      throw new Error(`${path} has ${written.size} bytes instead of ${size}`);
    }
    yield descriptor(written);
    end(written);
  }
  yield* records.directory();
}

/** A ZIP of small files as they are, without waiting: for thousands of them, a stream takes several times as long. */
export function* zipOfSmall(
  files: Iterable<{ path: string; bytes: Uint8Array }>,
  at: Date,
): Generator<Uint8Array> {
  const records = zipRecords(at);
  for (const { path, bytes } of files) {
    const written = { checksum: crc32(bytes), size: bytes.length, packed: bytes.length };
    const { header, end } = records.begin(path, false, written);
    yield header;
    yield bytes;
    end(written);
  }
  yield* records.directory();
}

/** The headers of entries that follow each other, and the directory of all. */
function zipRecords(at: Date) {
  const time = dosTime(at);
  const central: Uint8Array[] = [];
  let offset = 0;
  return {
    /** @param known the sums, where they need not follow the content */
    begin(path: string, isDeflated: boolean, known?: WrittenEntry) {
      const name = Buffer.from(path);
      const later = known === undefined ? fixed.descriptor : 0;
      const facts = {
        ...time,
        method: isDeflated ? 8 : 0,
        flags: known === undefined ? flags.names | flags.descriptor : flags.names,
      };
      const header = localHeader(name, facts, known ?? { checksum: 0, size: 0, packed: 0 });
      const end = (written: WrittenEntry) => {
        central.push(centralHeader(name, facts, { ...written, offset }));
        offset += header.length + written.packed + later;
      };
      return { header, end };
    },
    *directory() {
      yield* central;
      yield endRecord(central, offset);
    },
  };
}

/** Passes the content on, and counts it. */
async function* summed(
  content: AsyncIterable<Uint8Array>,
  sum: WrittenEntry,
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
function describe(header: Buffer, at: number, { flags, method, time, date }: EntryFacts): void {
  header.writeUInt16LE(versionNeeded, at);
  header.writeUInt16LE(flags, at + 2);
  header.writeUInt16LE(method, at + 4);
  header.writeUInt16LE(time, at + 6);
  header.writeUInt16LE(date, at + 8);
}

/** Checksum and sizes are zero where they follow the data. */
function localHeader(
  name: Buffer,
  facts: EntryFacts,
  { checksum, packed, size }: WrittenEntry,
): Buffer {
  const header = Buffer.alloc(fixed.localHeader + name.length);
  header.writeUInt32LE(signature.localHeader);
  describe(header, 4, facts);
  header.writeUInt32LE(checksum, 14);
  header.writeUInt32LE(packed, 18);
  header.writeUInt32LE(size, 22);
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
  flags: number;
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
