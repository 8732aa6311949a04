import { archiveFault } from './archive-fault.ts';
import { type Fields, fieldsAt, signature } from './archive-fields.ts';

const endBytes = 22;
const zip64EndBytes = 56;
const locatorBytes = 20;
const maxCommentBytes = 0xffff;

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
 * Finds the central directory through the end record, the only way in.
 *
 * The record must be the last thing in the file and the directory must end where it begins: bytes
 * before, between or after are how one file is a ZIP for us and something else for somebody else.
 */
export function findDirectory(zip: Uint8Array): Directory {
  const endAt = findEnd(zip);
  const end = fieldsAt(zip, endAt, endBytes);
  const zip64 = readZip64End(zip, endAt);
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

function findEnd(zip: Uint8Array): number {
  const starts = endSignatures(zip);
  const last = starts.at(-1);
  if (last === undefined) throw archiveFault('has no end record: it is no ZIP, or is cut short');
  const fitting = starts.filter((at) => endOfComment(zip, at) === zip.length);
  if (fitting.some((at) => at !== last)) {
    throw archiveFault('holds a second end record in its comment, so it could be read two ways');
  }
  if (fitting.length === 1) return last;
  throw archiveFault(
    endOfComment(zip, last) > zip.length
      ? 'is cut short inside its end record'
      : 'is followed by other bytes after its end',
  );
}

function endSignatures(zip: Uint8Array): number[] {
  const first = Math.max(0, zip.length - endBytes - maxCommentBytes);
  const tail = Buffer.from(zip.buffer, zip.byteOffset + first, zip.length - first);
  const starts: number[] = [];
  for (let at = tail.indexOf('PK\x05\x06'); at >= 0; at = tail.indexOf('PK\x05\x06', at + 1)) {
    starts.push(first + at);
  }
  return starts;
}

function endOfComment(zip: Uint8Array, endAt: number): number {
  if (endAt + endBytes > zip.length) return Number.POSITIVE_INFINITY;
  return endAt + endBytes + fieldsAt(zip, endAt, endBytes).u16(20);
}

function readZip64End(
  zip: Uint8Array,
  endAt: number,
): { at: number; values: number[] } | undefined {
  const locatorAt = endAt - locatorBytes;
  if (locatorAt < 0) return undefined;
  const locator = fieldsAt(zip, locatorAt, locatorBytes);
  if (locator.u32(0) !== signature.zip64Locator) return undefined;
  const at = locator.u64(8);
  if (locator.u32(4) !== 0 || locator.u32(16) > 1 || at + zip64EndBytes !== locatorAt) {
    throw archiveFault('has a ZIP64 locator that does not lead to its end record');
  }
  const end = fieldsAt(zip, at, zip64EndBytes);
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
