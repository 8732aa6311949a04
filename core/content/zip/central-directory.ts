import { CodedError } from '../../errors.ts';
import { type Directory, findDirectory } from './archive-end.ts';
import { extraId, readExtra, wideDisk, wideField, widen } from './archive-extra.ts';
import { archiveFault, entryFault } from './archive-fault.ts';
import { bytesAt, type Fields, fieldsAt, signature } from './archive-fields.ts';
import { decodeName, unicodePathAgrees } from './archive-name.ts';
import { type ByteSource, readWindow } from './byte-source.ts';

const headerBytes = 46;
/** A record may have 192 KiB, writers use some hundred bytes: the mean bounds what is held. */
const maxMeanRecordBytes = 1024;
const maxSpareBytes = 1024 * 1024;
const method = { stored: 0, deflated: 8, winzipAes: 99 } as const;
const flag = {
  encrypted: 0x0001,
  patch: 0x0020,
  strongEncryption: 0x0040,
  masked: 0x2000,
} as const;
const fileType = { mask: 0o170000, none: 0, regular: 0o100000, folder: 0o040000 } as const;
const dosFolder = 0x10;

/** What the central directory says about one entry; names still as written, folders end in `/`. */
export interface CentralRecord {
  name: string;
  rawName: Uint8Array;
  isFolder: boolean;
  flags: number;
  method: number;
  crc32: number;
  compressedBytes: number;
  bytes: number;
  localHeaderAt: number;
}

/** The entries of the central directory in its order, and where it begins. */
export interface CentralDirectory {
  records: CentralRecord[];
  at: number;
}

/**
 * Reads the central directory whole, refusing whatever can be refused from it alone: encryption,
 * methods but stored and deflated, links and devices, sizes and names that contradict themselves.
 * Throws ARCHIVE_INVALID; TOO_MANY_FILES above `maxRecords`, before the directory is read.
 */
export async function readCentralDirectory(
  source: ByteSource,
  maxRecords: number,
): Promise<CentralDirectory> {
  const found = await findDirectory(source);
  checkAmount(found, maxRecords);
  const { bytes: directory } = await readWindow(source, found.at, found.endsAt - found.at);
  const records: CentralRecord[] = [];
  let next = 0;
  while (records.length < found.count) {
    const { record, size } = readRecord(directory, next);
    checkRecord(record);
    records.push(record);
    next += size;
  }
  if (next !== directory.length)
    throw archiveFault('has a central directory larger than its entries');
  return { records, at: found.at };
}

function checkAmount({ at, endsAt, count }: Directory, maxRecords: number): void {
  if (count > maxRecords) {
    throw new CodedError('TOO_MANY_FILES', {
      error: `The ZIP holds ${count} entries; at most ${maxRecords} are read, folders included.`,
    });
  }
  const maxBytes = maxSpareBytes + count * maxMeanRecordBytes;
  if (endsAt - at > maxBytes) {
    throw archiveFault(
      `has a central directory of ${endsAt - at} bytes; at most ${maxBytes} are read for ${count} entries`,
    );
  }
}

function readRecord(directory: Uint8Array, at: number): { record: CentralRecord; size: number } {
  const header = fieldsAt(directory, at, headerBytes);
  if (header.u32(0) !== signature.centralHeader) {
    throw archiveFault('has a damaged central directory');
  }
  const [nameBytes, extraBytes, commentBytes] = [header.u16(28), header.u16(30), header.u16(32)];
  const size = headerBytes + nameBytes + extraBytes + commentBytes;
  const bytes = bytesAt(directory, at, size);
  const rawName = bytes.subarray(headerBytes, headerBytes + nameBytes);
  const name = readName(rawName, header.u16(8));
  const extra = readExtra(bytes.subarray(headerBytes + nameBytes, size - commentBytes));
  if (extra === undefined) throw entryFault(name, 'has damaged extra fields');
  if (!unicodePathAgrees(name, rawName, extra)) {
    throw entryFault(name, 'has a second, different name in a Unicode Path field');
  }
  checkFileType(name, header.u32(38));
  const record: CentralRecord = {
    name,
    rawName,
    isFolder: name.endsWith('/'),
    flags: header.u16(8),
    method: header.u16(10),
    crc32: header.u32(16),
    ...readSizes(name, header, extra.get(extraId.zip64)),
  };
  return { record, size };
}

function readName(rawName: Uint8Array, flags: number): string {
  const name = decodeName(rawName, flags);
  if (name !== undefined) return name;
  throw entryFault(decodeName(rawName, 0) ?? '', 'has a name that is not the UTF-8 it promises');
}

function readSizes(
  name: string,
  header: Fields,
  zip64: Uint8Array | undefined,
): Pick<CentralRecord, 'compressedBytes' | 'bytes' | 'localHeaderAt'> {
  const plain = [wideField(header.u32(24)), wideField(header.u32(20)), wideField(header.u32(42))];
  const [bytes, compressedBytes, localHeaderAt, disk] =
    widen([...plain, wideDisk(header.u16(34))], zip64) ?? [];
  if (bytes === undefined || compressedBytes === undefined || localHeaderAt === undefined) {
    throw entryFault(name, 'has ZIP64 fields that contradict its header');
  }
  if (disk !== 0) throw entryFault(name, 'is in another part of a split archive');
  return { bytes, compressedBytes, localHeaderAt };
}

/** Only what a site is made of; a type of zero is a writer that knows no Unix modes. */
function checkFileType(name: string, externalAttributes: number): void {
  const type = (externalAttributes >>> 16) & fileType.mask;
  if (type !== fileType.none && type !== fileType.regular && type !== fileType.folder) {
    throw entryFault(name, 'is a symbolic link, a device or another special file');
  }
  const isFolder = name.endsWith('/');
  const saysFolder = type === fileType.folder || (externalAttributes & dosFolder) !== 0;
  if ((saysFolder && !isFolder) || (type === fileType.regular && isFolder)) {
    throw entryFault(name, 'is a folder by its name or by its attributes, but not by both');
  }
}

function checkRecord(record: CentralRecord): void {
  const { encrypted, strongEncryption, masked, patch } = flag;
  const isEncrypted = (record.flags & (encrypted | strongEncryption | masked)) !== 0;
  if (isEncrypted || record.method === method.winzipAes) {
    throw entryFault(record.name, 'is encrypted');
  }
  if (
    (record.method !== method.stored && record.method !== method.deflated) ||
    record.flags & patch
  ) {
    throw entryFault(record.name, 'is compressed by a method other than stored and deflated');
  }
  if (record.method === method.stored && record.compressedBytes !== record.bytes) {
    throw entryFault(record.name, 'is stored but gives two sizes');
  }
  if (record.isFolder && !isEmpty(record))
    throw entryFault(record.name, 'is a folder with content');
}

/** Nothing at all, or the two bytes to which nothing deflates, as old Java writers do for folders. */
function isEmpty({ bytes, compressedBytes, crc32, method: by }: CentralRecord): boolean {
  const nothing = compressedBytes === 0 || (by === method.deflated && compressedBytes === 2);
  return bytes === 0 && crc32 === 0 && nothing;
}
