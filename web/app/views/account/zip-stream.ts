/** A file of a ZIP: `bytes` gives exactly `size` bytes. */
export interface ZippedFile {
  path: string;
  size: number;
  bytes: AsyncIterable<Uint8Array>;
}

/** A field of four bytes with this value says that the value is in the ZIP64 field (APPNOTE 4.5.3). */
const inZip64 = 0xffff_ffff;
/** The same for a field of two bytes. */
const manyEntries = 0xffff;
/** The sizes follow the data, and names are UTF-8 (APPNOTE 4.4.4, bits 3 and 11). */
const flags = 0x0808;
const versions = { usual: 20, zip64: 45 };

/**
 * The bytes of a ZIP of these files, not compressed, of any size and number (APPNOTE 6.3.10). It holds no file in
 * memory. The service's own writer needs Node.
 */
export async function* zipStream(
  files: AsyncIterable<ZippedFile>,
  at: Date,
  start = 0,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const time = dosTime(at);
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = start;
  for await (const { path, size, bytes } of files) {
    const entry = { name: new TextEncoder().encode(path), size, offset, time, checksum: 0 };
    const header = localHeader(entry);
    yield header;
    for await (const chunk of bytes) {
      entry.checksum = crc32(chunk, entry.checksum);
      yield new Uint8Array(chunk);
    }
    const end = descriptor(entry);
    yield end;
    directory.push(centralHeader(entry));
    offset += header.length + size + end.length;
  }
  yield* directory;
  const bytes = directory.reduce((sum, { length }) => sum + length, 0);
  yield endRecords({ count: directory.length, bytes, offset });
}

interface Entry {
  name: Uint8Array;
  size: number;
  offset: number;
  time: number;
  checksum: number;
}

/** A number in a record, and how many bytes it has there. */
type Field = readonly [bytes: 2 | 4 | 8, value: number];

/** The fields one after another, little-endian. */
function record(fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const length = fields.reduce((sum, [bytes]) => sum + bytes, 0);
  const written = new Uint8Array(length);
  const view = new DataView(written.buffer);
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else if (bytes === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += bytes;
  }
  return written;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The field that has numbers of eight bytes; empty without any. */
function zip64Field(values: readonly number[]): Uint8Array {
  if (values.length === 0) return new Uint8Array();
  const numbers = values.map((value): Field => [8, value]);
  return record([[2, 1], [2, 8 * values.length], ...numbers]);
}

const isLarge = (value: number) => value >= inZip64;
const versionFor = (isZip64: boolean): Field => [2, isZip64 ? versions.zip64 : versions.usual];

function localHeader({ name, size, time }: Entry): Uint8Array<ArrayBuffer> {
  // The descriptor of a file with this field has sizes of eight bytes.
  const extra = zip64Field(isLarge(size) ? [0, 0] : []);
  const shown = isLarge(size) ? inZip64 : 0;
  const fields: Field[] = [
    [4, 0x04034b50],
    versionFor(isLarge(size)),
    [2, flags],
    [2, 0],
    [4, time],
    [4, 0],
    [4, shown],
    [4, shown],
    [2, name.length],
    [2, extra.length],
  ];
  return joined(record(fields), name, extra);
}

function descriptor({ size, checksum }: Entry): Uint8Array<ArrayBuffer> {
  const width = isLarge(size) ? 8 : 4;
  return record([
    [4, 0x08074b50],
    [4, checksum],
    [width, size],
    [width, size],
  ]);
}

function centralHeader({ name, size, offset, time, checksum }: Entry): Uint8Array<ArrayBuffer> {
  const extra = zip64Field([
    ...(isLarge(size) ? [size, size] : []),
    ...(isLarge(offset) ? [offset] : []),
  ]);
  const version = versionFor(extra.length > 0);
  const fields: Field[] = [
    [4, 0x02014b50],
    version,
    version,
    [2, flags],
    [2, 0],
    [4, time],
    [4, checksum],
    [4, Math.min(size, inZip64)],
    [4, Math.min(size, inZip64)],
    [2, name.length],
    [2, extra.length],
    // No comment, the first disk, and no attributes.
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, Math.min(offset, inZip64)],
  ];
  return joined(record(fields), name, extra);
}

function endRecords(directory: { count: number; bytes: number; offset: number }) {
  const { count, bytes, offset } = directory;
  const end = record([
    [4, 0x06054b50],
    [4, 0],
    [2, Math.min(count, manyEntries)],
    [2, Math.min(count, manyEntries)],
    [4, Math.min(bytes, inZip64)],
    [4, Math.min(offset, inZip64)],
    [2, 0],
  ]);
  if (count < manyEntries && !isLarge(bytes) && !isLarge(offset)) return end;
  const zip64End = record([
    [4, 0x06064b50],
    [8, 44],
    versionFor(true),
    versionFor(true),
    [8, 0],
    [8, count],
    [8, count],
    [8, bytes],
    [8, offset],
  ]);
  const locator = record([
    [4, 0x07064b50],
    [4, 0],
    [8, offset + bytes],
    [4, 1],
  ]);
  return joined(zip64End, locator, end);
}

/** Time and date, in even seconds since 1980 (APPNOTE 4.4.6). */
function dosTime(at: Date): number {
  const date = ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate();
  const time = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1);
  return date * 0x1_0000 + time;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  return value;
});

/** The checksum of bytes after those of a former checksum. */
function crc32(bytes: Uint8Array, before: number): number {
  let value = ~before;
  for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 0xff] ?? 0);
  return ~value >>> 0;
}
