import {
  archiveError,
  entryError,
  extraId,
  type Fields,
  fieldsAt,
  readExtra,
  resolveZip64,
  readUnicodePath,
  zip64Field,
} from './header-fields.ts';
import { signature } from './write-archive.ts';
import { composed } from '../../compose-text.ts';
import type { CentralRecord } from './central-directory.ts';
import type { CodedError } from '../../errors.ts';
import { byteReader, type ByteReader, type ByteSource } from './byte-source.ts';

const descriptorFlag = 0x0008;

/** A local header without its name and extra fields. */
export const localHeaderBytes = 30;
/** The longest data descriptor: signature, checksum, two 64-bit sizes. */
export const maxDescriptorBytes = 24;

/**
 * Checks that a local header repeats the numbers of the central record, and returns the length of
 * its extra fields. {@link checkLocalNames} checks the sizes, which may be in the extra fields.
 * @throws CodedError ARCHIVE_INVALID
 */
function readLocalHeader(record: CentralRecord, bytes: Uint8Array): { extraBytes: number } {
  const header = fieldsAt(bytes, 0, localHeaderBytes);
  if (header.u32(0) !== signature.localHeader) {
    throw entryError(record.name, 'has no local header where the central directory says');
  }
  throwIfDifferent(record, headerDifference(header, record));
  return { extraBytes: header.u16(28) };
}

/**
 * Checks that the name and the extra fields of a local header agree with the central record.
 * @throws CodedError ARCHIVE_INVALID
 */
function checkLocalNames(record: CentralRecord, bytes: Uint8Array): void {
  const header = fieldsAt(bytes, 0, localHeaderBytes);
  const extraAt = localHeaderBytes + header.u16(26);
  throwIfDifferent(
    record,
    Buffer.compare(bytes.subarray(localHeaderBytes, extraAt), record.rawName) === 0
      ? extraDifference(header, bytes.subarray(extraAt), record)
      : 'name',
  );
}

function throwIfDifferent(record: CentralRecord, difference: string | undefined): void {
  if (difference === undefined) return;
  throw entryError(record.name, `has a local header with another ${difference}`);
}

function headerDifference(header: Fields, record: CentralRecord): string | undefined {
  if (header.u16(26) !== record.rawName.length) return 'name';
  if (header.u16(6) !== record.flags) return 'set of flags';
  if (header.u16(8) !== record.method) return 'method';
  return matchesCentral(header.u32(14), record.crc32, record) ? undefined : 'checksum';
}

function extraDifference(
  header: Fields,
  bytes: Uint8Array,
  record: CentralRecord,
): string | undefined {
  const extra = readExtra(bytes);
  if (extra === undefined) {
    throw entryError(record.name, 'has damaged extra fields in its local header');
  }
  // A writer may omit the field here, but may not give another name.
  const hasUnicodePath = extra.has(extraId.unicodePath);
  if (hasUnicodePath && !hasSameName(record, readUnicodePath(record.name, record.rawName, extra))) {
    return 'name in a Unicode Path field';
  }
  const plain = [zip64Field(header.u32(22)), zip64Field(header.u32(18))];
  const [size, compressedSize] = resolveZip64(plain, extra.get(extraId.zip64)) ?? [];
  const sizesAgree =
    size !== undefined &&
    compressedSize !== undefined &&
    matchesCentral(size, record.bytes, record) &&
    matchesCentral(compressedSize, record.compressedBytes, record);
  return sizesAgree ? undefined : 'size';
}

function hasSameName({ name }: CentralRecord, other: string | undefined): boolean {
  return other !== undefined && composed(other) === composed(name);
}

/**
 * With a data descriptor, the local header was written before the number was known, and may have
 * zero.
 */
function matchesCentral(local: number, central: number, record: CentralRecord): boolean {
  return local === central || (local === 0 && hasDescriptor(record));
}

/** Whether the checksum and the sizes of the entry follow its data. */
function hasDescriptor({ flags }: CentralRecord): boolean {
  return (flags & descriptorFlag) !== 0;
}

/**
 * Whether a descriptor of the entry may have this many bytes; 0 means no descriptor, which a folder
 * may always omit.
 */
function isDescriptorLength(record: CentralRecord, length: number): boolean {
  if (length === 0) return !hasDescriptor(record) || record.isFolder;
  return hasDescriptor(record) && [12, 16, 20, maxDescriptorBytes].includes(length);
}

/**
 * Whether the descriptor agrees with the central record. {@link isDescriptorLength} has accepted
 * its length.
 */
function descriptorAgrees(record: CentralRecord, tail: Uint8Array): boolean {
  return tail.length === 0 || signedDescriptorAgrees(record, tail);
}

/**
 * APPNOTE 4.3.9: the signature is optional, and sizes have 4 or 8 bytes. The length shows which
 * form it is.
 */
function signedDescriptorAgrees(record: CentralRecord, tail: Uint8Array): boolean {
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

/**
 * An entry and the end of its range in the file: the start of the next entry or of the central
 * directory.
 */
export interface PositionedEntry extends CentralRecord {
  endsAt: number;
}

/** The error for an entry that is longer than its range. */
export function overlapError({ name }: CentralRecord): CodedError {
  return entryError(name, 'overlaps another entry or the central directory');
}

/** The error for an entry that does not fill its range with data and a correct descriptor. */
export function descriptorError(record: CentralRecord): CodedError {
  return entryError(
    record.name,
    hasDescriptor(record)
      ? 'has no data descriptor that agrees with the central directory'
      : 'is followed by bytes that belong to no entry',
  );
}

/** An entry with its data as stored, compressed or not. */
export interface EntryData<E extends PositionedEntry> {
  entry: E;
  data: AsyncIterable<Uint8Array>;
}

/**
 * Reads the archive once, from its first byte to its central directory, and checks that every
 * program must read it the same way: every local header repeats its central record, and headers,
 * data and descriptors fill the file without gaps or overlaps.
 *
 * Yields entries in their physical order. Read all data of one before you request the next. The
 * archive is valid only after the iteration has ended.
 * @throws CodedError ARCHIVE_INVALID
 */
export async function* walkEntries<E extends PositionedEntry>(
  source: ByteSource,
  entries: readonly E[],
): AsyncGenerator<EntryData<E>> {
  const inFile = entries.toSorted((a, b) => a.localHeaderAt - b.localHeaderAt);
  const end = inFile.at(-1)?.endsAt ?? 0;
  if (end === 0) return;
  const reader = byteReader(source.stream(0, end - 1));
  try {
    for (const entry of inFile) {
      const { tailBytes } = await readHeader(reader, entry, source.size);
      yield { entry, data: reader.portion(entry.compressedBytes) };
      if (!descriptorAgrees(entry, await reader.take(tailBytes))) throw descriptorError(entry);
    }
  } finally {
    await reader.close();
  }
}

/**
 * Reads and checks the header up to the data. Returns the number of bytes that must follow the
 * data.
 */
async function readHeader(
  reader: ByteReader,
  entry: PositionedEntry,
  archiveBytes: number,
): Promise<{ tailBytes: number }> {
  const header = await reader.take(localHeaderBytes);
  const { extraBytes } = readLocalHeader(entry, header);
  const dataAt = entry.localHeaderAt + localHeaderBytes + entry.rawName.length + extraBytes;
  const dataEnd = dataAt + entry.compressedBytes;
  if (dataAt > archiveBytes) throw archiveError('is cut short or points past its own end');
  if (dataEnd > entry.endsAt) throw overlapError(entry);
  const names = await reader.take(entry.rawName.length + extraBytes);
  checkLocalNames(entry, Buffer.concat([header, names]));
  const tailBytes = entry.endsAt - dataEnd;
  if (!isDescriptorLength(entry, tailBytes)) throw descriptorError(entry);
  return { tailBytes };
}
