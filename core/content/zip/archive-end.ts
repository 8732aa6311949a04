import { archiveFault } from './archive-fault.ts';
import { type Fields, fieldsAt, signature } from './archive-fields.ts';
import { type ByteSource, readWindow, type Window } from './byte-source.ts';

const endBytes = 22;
const zip64EndBytes = 56;
const locatorBytes = 20;
const mark = 'PK\x05\x06';
const maxCommentBytes = 0xffff;
const maxTailBytes = zip64EndBytes + locatorBytes + endBytes + maxCommentBytes;

/** Where the central directory lies and how many entries it says it holds. */
export interface Directory {
  at: number;
  endsAt: number;
  count: number;
}

/** Numbers of an end record, in one order for its plain and its ZIP64 form. */
const endFields = [
  { what: 'disk number', plain: (end: Fields) => end.u16(4), sentinel: 0xffff },
  { what: 'directory disk', plain: (end: Fields) => end.u16(6), sentinel: 0xffff },
  { what: 'count on this disk', plain: (end: Fields) => end.u16(8), sentinel: 0xffff },
  { what: 'entry count', plain: (end: Fields) => end.u16(10), sentinel: 0xffff },
  { what: 'directory size', plain: (end: Fields) => end.u32(12), sentinel: 0xffff_ffff },
  { what: 'directory offset', plain: (end: Fields) => end.u32(16), sentinel: 0xffff_ffff },
];

/**
 * Finds the central directory through the end record, the only way in. Reads the last 64 KiB.
 *
 * The record must be the last thing in the file and the directory must end where it begins: bytes
 * before, between or after are how one file is a ZIP for us and something else for somebody else.
 */
export async function findDirectory(source: ByteSource): Promise<Directory> {
  const tailBytes = Math.min(source.size, maxTailBytes);
  const tail = await readWindow(source, source.size - tailBytes, tailBytes);
  const endAt = findEnd(tail);
  const end = fieldsIn(tail, endAt, endBytes);
  const zip64 = readZip64End(tail, endAt);
  const [disk, directoryDisk, countHere, count, size, at] = endFields.map((field, index) =>
    agreed(field.what, { plain: field.plain(end), sentinel: field.sentinel }, zip64?.values[index]),
  );
  if (disk !== 0 || directoryDisk !== 0 || countHere !== count) {
    throw archiveFault('is one part of several; send it as a single archive');
  }
  const endsAt = zip64?.at ?? endAt;
  if (at === undefined || size === undefined || count === undefined || at + size !== endsAt) {
    throw archiveFault('has other bytes before its first entry or around its central directory');
  }
  return { at, endsAt, count };
}

/** Fields at an offset of the archive, not of the tail. */
function fieldsIn({ at, bytes }: Window, offset: number, length: number): Fields {
  return fieldsAt(bytes, offset - at, length);
}

function findEnd(tail: Window): number {
  const size = tail.at + tail.bytes.length;
  const starts = endSignatures(tail);
  const last = starts.at(-1);
  if (last === undefined) throw archiveFault('has no end record: it is no ZIP, or is cut short');
  const fitting = starts.filter((at) => endOfComment(tail, at) === size);
  if (fitting.some((at) => at !== last)) {
    throw archiveFault('holds a second end record in its comment, so it could be read two ways');
  }
  if (fitting.length === 1) return last;
  throw archiveFault(
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
    throw archiveFault('has a ZIP64 locator that does not lead to its end record');
  }
  const end = fieldsIn(tail, at, zip64EndBytes);
  if (end.u32(0) !== signature.zip64End || end.u64(4) !== zip64EndBytes - 12) {
    throw archiveFault('has a damaged ZIP64 end record');
  }
  const values = [end.u32(16), end.u32(20), end.u64(24), end.u64(32), end.u64(40), end.u64(48)];
  return { at, values };
}

function agreed(
  what: string,
  { plain, sentinel }: { plain: number; sentinel: number },
  zip64: number | undefined,
): number {
  if (plain !== sentinel && (zip64 ?? plain) !== plain) {
    throw archiveFault(`gives two values for its ${what}`);
  }
  if (plain === sentinel && zip64 === undefined) {
    throw archiveFault(`promises a ZIP64 ${what} and has none`);
  }
  return zip64 ?? plain;
}
