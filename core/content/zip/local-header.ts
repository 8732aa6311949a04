import { extraId, readExtra, wideField, widen } from './archive-extra.ts';
import { entryFault } from './archive-fault.ts';
import { type Fields, fieldsAt, signature } from './archive-fields.ts';
import { unicodePathAgrees } from './archive-name.ts';
import type { CentralRecord } from './central-directory.ts';

const descriptorFlag = 0x0008;

/** A local header without its name and extra fields. */
export const headerBytes = 30;
/** The longest data descriptor: signature, checksum, two 64-bit sizes. */
export const maxDescriptorBytes = 24;

/**
 * The lengths that follow in a local header whose numbers repeat the central record; its sizes may
 * stand in its extra fields and are checked there. Throws ARCHIVE_INVALID.
 */
export function readLocalHeader(record: CentralRecord, bytes: Uint8Array): { extraBytes: number } {
  const header = fieldsAt(bytes, 0, headerBytes);
  if (header.u32(0) !== signature.localHeader) {
    throw entryFault(record.name, 'has no local header where the central directory says');
  }
  refuseIfAny(record, headerDisagreement(header, record));
  return { extraBytes: header.u16(28) };
}

/** Refuses name and extra fields of a local header that say anything but the central record. Throws ARCHIVE_INVALID. */
export function checkLocalNames(record: CentralRecord, bytes: Uint8Array): void {
  const header = fieldsAt(bytes, 0, headerBytes);
  const extraAt = headerBytes + header.u16(26);
  refuseIfAny(
    record,
    Buffer.compare(bytes.subarray(headerBytes, extraAt), record.rawName) === 0
      ? extraDisagreement(header, bytes.subarray(extraAt), record)
      : 'name',
  );
}

function refuseIfAny(record: CentralRecord, disagreement: string | undefined): void {
  if (disagreement === undefined) return;
  throw entryFault(record.name, `has a local header with another ${disagreement}`);
}

function headerDisagreement(header: Fields, record: CentralRecord): string | undefined {
  if (header.u16(26) !== record.rawName.length) return 'name';
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

/** Whether the entry says that its checksum and sizes follow its data. */
export function hasDescriptor({ flags }: CentralRecord): boolean {
  return (flags & descriptorFlag) !== 0;
}

/** Whether so many bytes behind the data can be what the entry promises; a folder may leave it out. */
export function mayHaveTail(record: CentralRecord, length: number): boolean {
  if (length === 0) return !hasDescriptor(record) || record.isFolder;
  return hasDescriptor(record) && [12, 16, 20, maxDescriptorBytes].includes(length);
}

/** Whether the bytes behind the data, as many as {@link mayHaveTail} allows, repeat the central record. */
export function tailAgrees(record: CentralRecord, tail: Uint8Array): boolean {
  return tail.length === 0 || descriptorAgrees(record, tail);
}

/** APPNOTE 4.3.9: the signature is optional and sizes have 4 or 8 bytes, so the length tells which. */
function descriptorAgrees(record: CentralRecord, tail: Uint8Array): boolean {
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
