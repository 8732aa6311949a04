import { crc32 } from 'node:zlib';
import { signature } from './archive-fields.ts';

/** A file on its way into a ZIP; `content` is read once, when its turn comes, and gives `size` bytes. */
export interface ZipEntry {
  /** Relative, with `/` between folders. */
  path: string;
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/** An end record counts entries in 16 bits (APPNOTE 4.4.21). */
export const maxZipEntries = 0xffff - 1;

const fixed = { localHeader: 30, descriptor: 16, centralHeader: 46, end: 22 } as const;
const versionNeeded = 20;
/** Unix, so that the attributes below mean a file that its owner may write and all may read. */
const madeBy = 0x0300 + versionNeeded;
const regularFile = 0o100644;
/** Checksum and sizes follow the data; names are UTF-8 (APPNOTE 4.4.4, bits 3 and 11). */
const flags = 0x0008 | 0x0800;

/** The length of the ZIP that {@link zipStream} makes of files with these paths and sizes. */
export function zipLength(files: Iterable<{ path: string; size: number }>): number {
  let length = fixed.end;
  for (const { path, size } of files) {
    const headers = fixed.localHeader + fixed.descriptor + fixed.centralHeader;
    length += headers + 2 * Buffer.byteLength(path) + size;
  }
  return length;
}

/**
 * A ZIP of these files in their order, made while it is read; it holds no file and waits for its
 * reader.
 *
 * Nothing is compressed, so that the length is known before a byte is read and most uploads are
 * compressed already. Checksums are known only at the end of a file and stand behind it. The
 * directory comes last: an archive that is cut off opens nowhere.
 *
 * A file is announced when its first bytes are there: what fails at once has sent nothing.
 *
 * Every file has the time `at` (UTC; the format knows no zones). Below 4 GiB and
 * {@link maxZipEntries} only. Throws when a file has another size than it said.
 */
export async function* zipStream(
  entries: Iterable<ZipEntry>,
  at: Date,
): AsyncGenerator<Uint8Array> {
  const time = dosTime(at);
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.path);
    let header: Buffer | undefined = localHeader(name, time);
    let checksum = 0;
    let read = 0;
    for await (const chunk of entry.content) {
      if (header !== undefined) yield header;
      header = undefined;
      checksum = crc32(chunk, checksum);
      read += chunk.length;
      yield chunk;
    }
    if (header !== undefined) yield header;
    if (read !== entry.size) {
      throw new Error(`${entry.path} has ${read} bytes in place of ${entry.size}`);
    }
    yield numbers([4, signature.dataDescriptor], [4, checksum], [4, read], [4, read]);
    directory.push(centralHeader(name, time, { checksum, size: read, offset }));
    offset += fixed.localHeader + name.length + read + fixed.descriptor;
  }
  yield* directory;
  yield endRecord(directory, offset);
}

type Field = readonly [width: 2 | 4, value: number];

/** Little-endian numbers one after another. */
function numbers(...fields: Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of fields) at = bytes.writeUIntLE(value, at, width);
  return bytes;
}

/** Flags, method, time and date, as both headers have them; the method is 0, stored. */
function described(time: DosTime): Field[] {
  return [
    [2, flags],
    [2, 0],
    [2, time.time],
    [2, time.date],
  ];
}

function localHeader(name: Buffer, time: DosTime): Buffer {
  const header = numbers(
    [4, signature.localHeader],
    [2, versionNeeded],
    ...described(time),
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
  time: DosTime,
  file: { checksum: number; size: number; offset: number },
): Buffer {
  const header = numbers(
    [4, signature.centralHeader],
    [2, madeBy],
    [2, versionNeeded],
    ...described(time),
    [4, file.checksum],
    [4, file.size],
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

/** Even seconds since 1980 (APPNOTE 4.4.6). */
function dosTime(at: Date): DosTime {
  const years = Math.min(127, Math.max(0, at.getUTCFullYear() - 1980));
  return {
    date: (years << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}
