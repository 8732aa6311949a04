import { archiveError, type Fields, fieldsAt } from './header-fields.ts';
import { type ByteSource, readWindow, type Window } from './byte-source.ts';
import { signature } from './write-archive.ts';

const endBytes = 22;
const zip64EndBytes = 56;
const locatorBytes = 20;
const mark = 'PK\x05\x06';
const maxCommentBytes = 0xffff;
const maxTailBytes = zip64EndBytes + locatorBytes + endBytes + maxCommentBytes;

/** The position of the central directory and its declared number of entries. */
export interface Directory {
  at: number;
  endsAt: number;
  count: number;
}

/** The numbers of an end record, in the same order for the plain and the ZIP64 form. */
const endFields = [
  { what: 'disk number', plain: (end: Fields) => end.u16(4), sentinel: 0xffff },
  { what: 'directory disk', plain: (end: Fields) => end.u16(6), sentinel: 0xffff },
  { what: 'count on this disk', plain: (end: Fields) => end.u16(8), sentinel: 0xffff },
  { what: 'entry count', plain: (end: Fields) => end.u16(10), sentinel: 0xffff },
  { what: 'directory size', plain: (end: Fields) => end.u32(12), sentinel: 0xffff_ffff },
  { what: 'directory offset', plain: (end: Fields) => end.u32(16), sentinel: 0xffff_ffff },
];

/**
 * Finds the central directory through the end record. Reads the last 64 KiB.
 *
 * The file must end with the record, and the directory must end where the record begins. Other
 * bytes before, between or after them would let one file be a ZIP for us and another format for
 * another program.
 */
export async function findDirectory(source: ByteSource): Promise<Directory> {
  const tailBytes = Math.min(source.size, maxTailBytes);
  const tail = await readWindow(source, source.size - tailBytes, tailBytes);
  const endAt = findEndRecord(tail);
  const end = fieldsIn(tail, endAt, endBytes);
  const zip64 = readZip64End(tail, endAt);
  const [disk, directoryDisk, countHere, count, size, at] = endFields.map((field, index) =>
    resolveField(
      field.what,
      { plain: field.plain(end), sentinel: field.sentinel },
      zip64?.values[index],
    ),
  );
  if (disk !== 0 || directoryDisk !== 0 || countHere !== count) {
    throw archiveError('is one part of several; send it as a single archive');
  }
  const endsAt = zip64?.at ?? endAt;
  if (at === undefined || size === undefined || count === undefined || at + size !== endsAt) {
    throw archiveError('has other bytes before its first entry or around its central directory');
  }
  return { at, endsAt, count };
}

/** The fields at an offset that counts from the start of the archive, not of the tail. */
function fieldsIn({ at, bytes }: Window, offset: number, length: number): Fields {
  return fieldsAt(bytes, offset - at, length);
}

function findEndRecord(tail: Window): number {
  const size = tail.at + tail.bytes.length;
  const starts = endSignatures(tail);
  const last = starts.at(-1);
  if (last === undefined) throw archiveError('has no end record: it is no ZIP, or is cut short');
  const fitting = starts.filter((at) => endOfComment(tail, at) === size);
  if (fitting.some((at) => at !== last)) {
    throw archiveError('holds a second end record in its comment, so it could be read two ways');
  }
  if (fitting.length === 1) return last;
  throw archiveError(
    endOfComment(tail, last) > size
      ? 'is cut short inside its end record'
      : 'is followed by other bytes after its end',
  );
}

function endSignatures({ at: tailAt, bytes }: Window): number[] {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const first = Math.max(0, bytes.length - endBytes - maxCommentBytes);
  const starts: number[] = [];
  for (let at = tail.indexOf(mark, first); at >= 0; at = tail.indexOf(mark, at + 1)) {
    starts.push(tailAt + at);
  }
  return starts;
}

function endOfComment(tail: Window, endAt: number): number {
  if (endAt + endBytes > tail.at + tail.bytes.length) return Number.POSITIVE_INFINITY;
  return endAt + endBytes + fieldsIn(tail, endAt, endBytes).u16(20);
}

function readZip64End(tail: Window, endAt: number): { at: number; values: number[] } | undefined {
  const locatorAt = endAt - locatorBytes;
  if (locatorAt < tail.at) return undefined;
  const locator = fieldsIn(tail, locatorAt, locatorBytes);
  if (locator.u32(0) !== signature.zip64Locator) return undefined;
  const at = locator.u64(8);
  if (locator.u32(4) !== 0 || locator.u32(16) > 1 || at + zip64EndBytes !== locatorAt) {
    throw archiveError('has a ZIP64 locator that does not lead to its end record');
  }
  const end = fieldsIn(tail, at, zip64EndBytes);
  if (end.u32(0) !== signature.zip64End || end.u64(4) !== zip64EndBytes - 12) {
    throw archiveError('has a damaged ZIP64 end record');
  }
  const values = [end.u32(16), end.u32(20), end.u64(24), end.u64(32), end.u64(40), end.u64(48)];
  return { at, values };
}

function resolveField(
  what: string,
  { plain, sentinel }: { plain: number; sentinel: number },
  zip64: number | undefined,
): number {
  if (plain !== sentinel && (zip64 ?? plain) !== plain) {
    throw archiveError(`gives two values for its ${what}`);
  }
  if (plain === sentinel && zip64 === undefined) {
    throw archiveError(`promises a ZIP64 ${what} and has none`);
  }
  return zip64 ?? plain;
}
