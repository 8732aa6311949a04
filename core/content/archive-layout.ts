import { extraId, readExtra, wideField, widen } from './archive-extra.ts';
import { archiveFault, entryFault } from './archive-fault.ts';
import { bytesAt, type Fields, fieldsAt, signature } from './archive-fields.ts';
import { unicodePathAgrees } from './archive-name.ts';
import type { CentralDirectory, CentralRecord } from './central-directory.ts';

const headerBytes = 30;
const descriptorFlag = 0x0008;

/** An entry with its compressed bytes found, not copied. */
export interface PlacedEntry extends CentralRecord {
  data: Uint8Array;
}

/**
 * Finds each entry's data and shows that the archive has one reading: every local header repeats
 * its central record, and headers, data and descriptors fill the file from its first byte to the
 * central directory with neither gap nor overlap.
 *
 * Overlaps are how 42 kB become petabytes without nesting (D. Fifield, "A better zip bomb", 2019).
 * Throws ARCHIVE_INVALID.
 */
export function placeEntries(zip: Uint8Array, directory: CentralDirectory): PlacedEntry[] {
  const inFile = directory.records.toSorted((a, b) => a.localHeaderAt - b.localHeaderAt);
  if ((inFile[0]?.localHeaderAt ?? directory.at) !== 0) {
    throw archiveFault('has other bytes before its first entry');
  }
  const endOf = new Map(
    inFile.map((record, index) => [record, inFile[index + 1]?.localHeaderAt ?? directory.at]),
  );
  return directory.records.map((record) => placeEntry(zip, record, endOf.get(record) ?? 0));
}

function placeEntry(zip: Uint8Array, record: CentralRecord, nextAt: number): PlacedEntry {
  const at = record.localHeaderAt;
  const header = fieldsAt(zip, at, headerBytes);
  if (header.u32(0) !== signature.localHeader) {
    throw entryFault(record.name, 'has no local header where the central directory says');
  }
  const extraAt = at + headerBytes + header.u16(26);
  const dataAt = extraAt + header.u16(28);
  const rawName = bytesAt(zip, at + headerBytes, header.u16(26));
  const disagreement =
    headerDisagreement(header, rawName, record) ??
    extraDisagreement(header, bytesAt(zip, extraAt, dataAt - extraAt), record);
  if (disagreement !== undefined) {
    throw entryFault(record.name, `has a local header with another ${disagreement}`);
  }
  const dataEnd = dataAt + record.compressedBytes;
  if (dataEnd > nextAt) {
    throw entryFault(record.name, 'overlaps another entry or the central directory');
  }
  checkTail(record, zip.subarray(dataEnd, nextAt));
  return { ...record, data: zip.subarray(dataAt, dataEnd) };
}

function headerDisagreement(
  header: Fields,
  rawName: Uint8Array,
  record: CentralRecord,
): string | undefined {
  if (Buffer.compare(rawName, record.rawName) !== 0) return 'name';
  if (header.u16(6) !== record.flags) return 'set of flags';
  if (header.u16(8) !== record.method) return 'method';
  return mayStandFor(header.u32(14), record.crc32, record) ? undefined : 'checksum';
}

function extraDisagreement(
  header: Fields,
  bytes: Uint8Array,
  record: CentralRecord,
): string | undefined {
  const extra = readExtra(bytes);
  if (extra === undefined) return 'set of extra fields, damaged';
  if (!unicodePathAgrees(record.name, record.rawName, extra)) return 'name in a Unicode Path field';
  const plain = [wideField(header.u32(22)), wideField(header.u32(18))];
  const [size, compressedSize] = widen(plain, extra.get(extraId.zip64)) ?? [];
  const sizesAgree =
    size !== undefined &&
    compressedSize !== undefined &&
    mayStandFor(size, record.bytes, record) &&
    mayStandFor(compressedSize, record.compressedBytes, record);
  return sizesAgree ? undefined : 'size';
}

/** With a data descriptor the local header was written too early to know, and says zero. */
function mayStandFor(local: number, central: number, record: CentralRecord): boolean {
  return local === central || (local === 0 && hasDescriptor(record));
}

function hasDescriptor({ flags }: CentralRecord): boolean {
  return (flags & descriptorFlag) !== 0;
}

function checkTail(record: CentralRecord, tail: Uint8Array): void {
  if (tail.length === 0 && (!hasDescriptor(record) || record.isFolder)) return;
  if (!hasDescriptor(record)) throw entryFault(record.name, 'is followed by bytes of no entry');
  if (!descriptorAgrees(record, tail)) {
    throw entryFault(record.name, 'has no data descriptor that agrees with the central directory');
  }
}

/** APPNOTE 4.3.9: the signature is optional and sizes have 4 or 8 bytes, so the length tells which. */
function descriptorAgrees(record: CentralRecord, tail: Uint8Array): boolean {
  if (![12, 16, 20, 24].includes(tail.length)) return false;
  const fields = fieldsAt(tail, 0, tail.length);
  const isSigned = tail.length === 16 || tail.length === 24;
  if (isSigned && fields.u32(0) !== signature.dataDescriptor) return false;
  const crcAt = isSigned ? 4 : 0;
  const isWide = tail.length >= 20;
  const sizes = isWide
    ? [fields.u64(crcAt + 4), fields.u64(crcAt + 12)]
    : [fields.u32(crcAt + 4), fields.u32(crcAt + 8)];
  return (
    fields.u32(crcAt) === record.crc32 &&
    sizes[0] === record.compressedBytes &&
    sizes[1] === record.bytes
  );
}
