import { Decompress } from 'fzstd';
import { undeclaredNames } from '../../../core/content/zip/name-encoding.ts';
import { ViewerError } from '../parts/fetch-file.ts';
import { readZipEntries } from '../parts/read-zip.ts';
import { type ArchiveContents, type ArchiveEntry, contentsTable } from './archive-contents.ts';
import { tableLimits, type TableRequest, type Workbook } from './sheet.ts';

/** A larger archive is listed up to here: its names are between its files. */
const mostUnpackedBytes = 2 * 1024 ** 3;

/**
 * The names and sizes of the files in an archive, as a table. Nothing of them is kept.
 * @throws ViewerError if it is none
 */
export async function readArchive({ name, bytes }: TableRequest): Promise<Workbook> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  return contentsTable(name, isZip ? listZip(bytes) : await listTar(name, bytes));
}

function listZip(bytes: Uint8Array<ArrayBuffer>): ArchiveContents {
  const found = readZipEntries(bytes, tableLimits.rows);
  const decode = undeclaredNames(found.map(({ name }) => name));
  const entries = found
    .filter(({ path }) => !path.endsWith('/'))
    .map(({ name, path, isUtf8, size }) => ({ path: isUtf8 ? path : decode(name), bytes: size }));
  return { entries, isCut: false };
}

async function listTar(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<ArchiveContents> {
  const unpacked = unpackedStream(bytes);
  const source = new ByteSource(unpacked ?? new Blob([bytes]).stream());
  const entries: ArchiveEntry[] = [];
  for await (const entry of filesOf(source)) {
    entries.push(entry);
    const isFull = source.count > mostUnpackedBytes || entries.length === tableLimits.rows;
    if (isFull) return { entries, isCut: true };
  }
  if (entries.length > 0) return { entries, isCut: source.isCut || source.isBroken };
  if (unpacked !== undefined) return onlyFile(name, source);
  throw new ViewerError('The file is damaged, or its content does not match its name.');
}

function unpackedStream(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    return new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  if (frame.some((byte, at) => bytes[at] !== byte)) return undefined;
  if (needsMuchRoom(bytes)) throw new ViewerError('The file is too large to show here.');
  return zstdStream(bytes);
}

/** Four bytes can stand for 128 KiB (RFC 8878, section 3.1.1.2.3). */
const packedAtOnce = 256;

/** What its own program unpacks without being told to (`zstd --long`). */
const mostWindowBytes = 128 * 1024 * 1024;

/** How much of what was unpacked a frame keeps, for which the library makes room (section 3.1.1.1). */
function windowBytes(bytes: Uint8Array, at: number): number {
  const [descriptor = 0, window = 0] = bytes.subarray(at + 4, at + 6);
  if ((descriptor & 0x20) === 0) return 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8);
  // The size of all of it comes instead, behind the number of a dictionary; from four bytes on it may be large.
  const start = at + 5 + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  const size = bytes.subarray(start, start + (descriptor >> 6 === 2 ? 4 : 8));
  return descriptor >> 6 < 2 ? 0 : size.reduceRight((value, byte) => value * 256 + byte, 0);
}

const frame = [0x28, 0xb5, 0x2f, 0xfd];

/** Wherever a frame could begin: a file may have several. */
function needsMuchRoom(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x28); at !== -1; at = bytes.indexOf(0x28, at + 1)) {
    const isFrame = frame.every((byte, index) => bytes[at + index] === byte);
    if (isFrame && windowBytes(bytes, at) > mostWindowBytes) return true;
  }
  return false;
}

function zstdStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const unpacked: Uint8Array[] = [];
  const decoder = new Decompress((chunk) => unpacked.push(chunk));
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      while (unpacked.length === 0 && at < bytes.length) {
        const part = bytes.subarray(at, at + packedAtOnce);
        at += part.length;
        decoder.push(part);
      }
      const isEnd = unpacked.length === 0;
      // It throws where the file ends too early.
      if (isEnd) decoder.push(new Uint8Array(), true);
      for (const chunk of unpacked.splice(0)) if (chunk.length > 0) controller.enqueue(chunk);
      if (isEnd) controller.close();
    },
  });
}

/** The files of a tar archive, up to where it ends or is no longer one. */
async function* filesOf(source: ByteSource): AsyncGenerator<ArchiveEntry> {
  let next: Partial<TarFile> = {};
  for (;;) {
    const head = await source.read(blockBytes);
    if (head === undefined || !isHeader(head)) return;
    const own = headerOf(head);
    const kind = String.fromCodePoint(head[156] ?? 0);
    if ('xL'.includes(kind)) {
      const content = await source.read(roomOf(own));
      next = { ...next, ...extended(kind, content?.subarray(0, own.bytes)) };
      continue;
    }
    const { whole, ...entry }: TarFile = { ...own, ...next };
    next = {};
    const gaps = kind === 'S' ? await readGaps(source, head) : whole;
    if (['\0', '0', '7', 'S'].includes(kind)) yield { ...entry, bytes: gaps ?? entry.bytes };
    if (!(await source.skip(roomOf(entry)))) return;
  }
}

/** A file of which only the parts with content are in the archive says how long it is as a `whole`. */
type TarFile = ArchiveEntry & { whole?: number };

/** The length of a file with gaps; lists of them go on in the next blocks (GNU tar, "Sparse Formats"). */
async function readGaps(source: ByteSource, head: Uint8Array): Promise<number> {
  for (let more = head[482]; more === 1; ) more = (await source.read(blockBytes))?.[504];
  return numberIn(head.subarray(483, 495));
}

/** Content fills whole blocks. */
const roomOf = ({ bytes }: ArchiveEntry) => Math.ceil(bytes / blockBytes) * blockBytes;

/** What is packed alone has the name of its file without the last part. */
async function onlyFile(name: string, source: ByteSource): Promise<ArchiveContents> {
  const isLonger = await source.skip(mostUnpackedBytes);
  const path = name.replace(/\.(?:gz|zst)$/i, '');
  return { entries: [{ path, bytes: source.count }], isCut: isLonger || source.isBroken };
}

const blockBytes = 512;

/** Reads a stream from its start to its end, or as far as it can be unpacked. */
class ByteSource {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #chunk = new Uint8Array();
  /** Bytes that were read or skipped. */
  count = 0;
  /** Whether it could not be unpacked. */
  isBroken = false;
  /** Whether it ended before what was to be skipped. */
  isCut = false;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  /** The next bytes; `undefined` if there are not so many. A name or list of properties is short. */
  async read(length: number): Promise<Uint8Array | undefined> {
    if (length > mostNameBytes) throw new ViewerError('The archive has names that are too long.');
    const bytes = new Uint8Array(length);
    return (await this.#pass(length, (part, at) => bytes.set(part, at))) ? bytes : undefined;
  }

  /** Whether there are so many bytes. */
  async skip(length: number): Promise<boolean> {
    const isThere = await this.#pass(length, () => undefined);
    this.isCut ||= !isThere;
    return isThere;
  }

  async #pass(length: number, take: (part: Uint8Array, at: number) => void): Promise<boolean> {
    for (let at = 0; at < length; ) {
      if (this.#chunk.length === 0 && !(await this.#fill())) return false;
      const part = this.#chunk.subarray(0, length - at);
      take(part, at);
      this.#chunk = this.#chunk.subarray(part.length);
      at += part.length;
      this.count += part.length;
    }
    return true;
  }

  async #fill(): Promise<boolean> {
    try {
      const { done, value } = await this.#reader.read();
      this.#chunk = done ? new Uint8Array() : new Uint8Array(value);
      return !done;
    } catch {
      this.isBroken = true;
      return false;
    }
  }
}

const mostNameBytes = 1024 * 1024;

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replace(/\0[^]*/, '');

/** A number of POSIX `ustar`, in octal digits, or of GNU, in bytes after a set bit. */
function numberIn(field: Uint8Array): number {
  if (((field[0] ?? 0) & 0x80) === 0) return Number.parseInt(text(field).trim(), 8) || 0;
  return field.subarray(1).reduce((value, byte) => value * 256 + byte, 0);
}

/** Whether the sum of a block's bytes is in it, without the bytes of the sum (POSIX.1-2017, pax). */
function isHeader(head: Uint8Array): boolean {
  const sum = head.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  return sum === numberIn(head.subarray(148, 156));
}

function headerOf(head: Uint8Array): ArchiveEntry {
  const isPosix = text(head.subarray(257, 263)) === 'ustar';
  const folder = isPosix ? text(head.subarray(345, 500)) : '';
  const name = text(head.subarray(0, 100));
  return {
    path: folder === '' ? name : `${folder}/${name}`,
    bytes: numberIn(head.subarray(124, 136)),
    changed: timeOf(numberIn(head.subarray(136, 148))),
  };
}

/** Years have four digits; later times are nonsense. */
const timeOf = (seconds: number) => (seconds > 0 && seconds < 2 ** 37 ? seconds * 1000 : undefined);

/** What the entry before a file says of it: its long name (GNU), or a list of properties (pax). */
function extended(kind: string, content: Uint8Array = new Uint8Array()): Partial<TarFile> {
  if (kind === 'L') return { path: text(content) };
  const properties = new Map(
    [...new TextDecoder().decode(content).matchAll(/^\d+ ([\w.]+)=(.*)$/gm)].map(
      ([, key, value]) => [key, value],
    ),
  );
  const path = properties.get('GNU.sparse.name') ?? properties.get('path');
  const whole = Number(properties.get('GNU.sparse.realsize'));
  const size = Number(properties.get('size'));
  return {
    ...(path !== undefined && { path }),
    ...(size > 0 && { bytes: size }),
    ...(whole > 0 && { whole }),
  };
}
