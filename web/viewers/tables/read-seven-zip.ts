import { ViewerError } from '../parts/fetch-file.ts';
import { type ArchiveEntry, contentsTable } from './archive-contents.ts';
import { SevenZipBytes } from './seven-zip-bytes.ts';
import { readStreams, sizeOf } from './seven-zip-streams.ts';
import { tableLimits, type TableRequest, type Workbook } from './sheet.ts';
import { unpackLzma } from './unpack-lzma.ts';

const signature = [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c];
const firstBytes = 32;

/** Property numbers of 7zFormat.txt. */
const id = {
  header: 0x01,
  streams: 0x04,
  files: 0x05,
  empty: 0x0e,
  emptyFile: 0x0f,
  names: 0x11,
  changed: 0x14,
  packedHeader: 0x17,
} as const;

const methods = { stored: '00', lzma: '030101', encryption: '06f10701' } as const;

/** Its list of names, when unpacked. */
const mostHeaderBytes = 64 * 1024 * 1024;
/** A packed list can be in another one. */
const mostLevels = 4;

const unsupported = 'The list in the file is packed in a way that this page does not support.';
const tooLarge = 'The list in the file is too large to show here.';

/**
 * The names and sizes of the files in a 7z archive, as a table. Only its list is unpacked.
 * @throws ViewerError if it is none, or its names are encrypted
 */
export function readSevenZip({ name, bytes }: TableRequest): Workbook {
  const start = new SevenZipBytes(bytes);
  if (!signature.every((byte) => start.byte() === byte)) throw start.damaged();
  start.bytes(6);
  const [from, length] = [start.long(), start.long()];
  if (length === 0) return contentsTable(name, { entries: [], isCut: false });
  let header = within(bytes, firstBytes + from, length);
  for (let level = 0; header[0] === id.packedHeader; level += 1) {
    if (level === mostLevels) throw new ViewerError(tooLarge);
    header = unpackHeader(bytes, header);
  }
  const entries = filesIn(header);
  const isCut = entries.length > tableLimits.rows;
  return contentsTable(name, { entries: entries.slice(0, tableLimits.rows), isCut });
}

function within(bytes: Uint8Array, start: number, length: number): Uint8Array {
  const part = bytes.subarray(start, start + length);
  if (part.length < length) throw new SevenZipBytes(bytes).damaged();
  return part;
}

function unpackHeader(bytes: Uint8Array, header: Uint8Array): Uint8Array {
  const { start, packedSizes, folders } = readStreams(new SevenZipBytes(header.subarray(1)));
  const [folder] = folders;
  const packed = within(bytes, firstBytes + start, packedSizes[0] ?? 0);
  const coders = folder?.coders ?? [];
  if (coders.some(({ method }) => method === methods.encryption)) {
    throw new ViewerError('The names in this archive are protected by a password.');
  }
  const [coder] = coders;
  if (folder === undefined || coder === undefined || coders.length > 1) {
    throw new ViewerError(unsupported);
  }
  if (coder.method === methods.stored) return packed;
  if (coder.method !== methods.lzma) throw new ViewerError(unsupported);

  if (sizeOf(folder) > mostHeaderBytes) throw new ViewerError(tooLarge);
  return unpackLzma(packed, coder.properties, sizeOf(folder));
}

interface FileList {
  names: string[];
  /** Whether it has no content: a folder, or an empty file. */
  isEmpty: boolean[];
  /** Of those without content. */
  isFile: boolean[];
  changed: (number | undefined)[];
}

function filesIn(header: Uint8Array): ArchiveEntry[] {
  const bytes = new SevenZipBytes(header);
  bytes.expect(id.header);
  const sizes = bytes.has(id.streams) ? readStreams(bytes).fileSizes : [];
  if (!bytes.has(id.files)) return [];
  const { names, isEmpty, isFile, changed } = readFiles(bytes);
  let [filled, empty] = [0, 0];
  const entries: ArchiveEntry[] = [];
  for (const [at, path] of names.entries()) {
    if (isEmpty[at] !== true) {
      entries.push({ path, bytes: sizes[filled] ?? 0, changed: changed[at] });
      filled += 1;
      continue;
    }
    if (isFile[empty] === true) entries.push({ path, bytes: 0, changed: changed[at] });
    empty += 1;
  }
  return entries;
}

function readFiles(bytes: SevenZipBytes): FileList {
  const count = bytes.count();
  const list: FileList = { names: [], isEmpty: [], isFile: [], changed: [] };
  for (let property = bytes.byte(); property !== 0; property = bytes.byte()) {
    const end = bytes.number() + bytes.at;
    if (property === id.empty) list.isEmpty = bytes.bits(count);
    if (property === id.emptyFile) list.isFile = bytes.bits(list.isEmpty.filter(Boolean).length);
    if (property === id.names) list.names = namesIn(bytes.bytes(end - bytes.at).subarray(1), count);
    if (property === id.changed) list.changed = timesIn(bytes, count);
    bytes.at = end;
  }
  return list;
}

/** UTF-16, each with a zero behind it. */
function namesIn(bytes: Uint8Array, count: number): string[] {
  return new TextDecoder('utf-16le').decode(bytes).split('\0').slice(0, count);
}

/** From 1601 on in units of 100 nanoseconds (`FILETIME`), as milliseconds from 1970 on. */
function timesIn(bytes: SevenZipBytes, count: number): (number | undefined)[] {
  const defined = bytes.defined(count);
  bytes.expect(0);
  return defined.map((isThere) =>
    isThere ? timeOf(bytes.long() / 10_000 - 11_644_473_600_000) : undefined,
  );
}

/** Years have four digits; later times are nonsense. */
const timeOf = (milliseconds: number) =>
  Math.abs(milliseconds) < 2 ** 47 ? milliseconds : undefined;
