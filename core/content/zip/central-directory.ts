import { CodedError } from '../../errors.ts';
import { type Directory, findDirectory } from './end-record.ts';
import { signature } from './write-archive.ts';
import {
  archiveError,
  bytesAt,
  declaresUtf8,
  EncryptedArchiveError,
  entryError,
  extraId,
  type Fields,
  fieldsAt,
  readExtra,
  readUnicodePath,
  resolveZip64,
  zip64DiskField,
  zip64Field,
} from './header-fields.ts';
import { strictUtf8, undeclaredNames } from './name-encoding.ts';
import { type ByteSource, readWindow } from './byte-source.ts';

const centralHeaderBytes = 46;
/**
 * A record may have 192 KiB, but writers use some hundred bytes. A limit on the mean bounds memory.
 */
const maxMeanRecordBytes = 1024;
/** Bytes of the central directory beyond that mean: long names and comments of small archives. */
const maxSpareBytes = 1024 * 1024;
const method = { stored: 0, deflated: 8, winzipAes: 99 } as const;
const flag = {
  encrypted: 0x0001,
  patch: 0x0020,
  strongEncryption: 0x0040,
  masked: 0x2000,
} as const;
const fileType = {
  mask: 0o170000,
  none: 0,
  pipe: 0o010000,
  regular: 0o100000,
  folder: 0o040000,
} as const;
const allowedTypes: number[] = [fileType.none, fileType.pipe, fileType.regular, fileType.folder];
const dosFolder = 0x10;

/**
 * One record of the central directory. Names are not normalised yet; names of folders end in `/`.
 */
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

/** The entries of the central directory in their order, and its offset. */
export interface CentralDirectory {
  records: CentralRecord[];
  at: number;
}

/**
 * Reads the whole central directory and refuses what it alone shows to be wrong: encryption,
 * methods other than stored and deflated, links and devices, contradictory sizes and names.
 * @throws CodedError ARCHIVE_INVALID; TOO_MANY_FILES above `maxRecords`, before the directory is read
 */
export async function readCentralDirectory(
  source: ByteSource,
  limits: RecordLimit,
): Promise<CentralDirectory> {
  const found = await findDirectory(source);
  checkAmount(found, limits);
  const { bytes: directory } = await readWindow(source, found.at, found.endsAt - found.at);
  const headers = readHeaders(directory, found.count);
  const undeclared = headers.filter(({ header }) => !declaresUtf8(header.u16(8)));
  const decodeUndeclared = undeclaredNames(undeclared.map(({ rawName }) => rawName));
  const records = headers.map((header) => readRecord(header, decodeUndeclared));
  for (const record of records) checkRecord(record);
  return { records, at: found.at };
}

/**
 * The maximum number of entries, folders included, and the next step for the sender of a larger
 * archive.
 */
interface RecordLimit {
  maxRecords: number;
  nextStep: string | undefined;
}

function checkAmount(
  { at, endsAt, count }: Directory,
  { maxRecords, nextStep }: RecordLimit,
): void {
  if (count > maxRecords) {
    throw new CodedError('TOO_MANY_FILES', {
      error: `The ZIP holds ${count} entries; at most ${maxRecords} are read, folders included.`,
      ...(nextStep !== undefined && { nextStep }),
    });
  }
  const maxBytes = maxSpareBytes + count * maxMeanRecordBytes;
  if (endsAt - at > maxBytes) {
    throw archiveError(
      `has a central directory of ${endsAt - at} bytes; at most ${maxBytes} are read for ${count} entries`,
    );
  }
}

interface CentralHeader {
  header: Fields;
  rawName: Uint8Array;
  extraBytes: Uint8Array;
}

function readHeaders(directory: Uint8Array, count: number): CentralHeader[] {
  const headers: CentralHeader[] = [];
  let at = 0;
  while (headers.length < count) {
    const header = fieldsAt(directory, at, centralHeaderBytes);
    if (header.u32(0) !== signature.centralHeader) {
      throw archiveError('has a damaged central directory');
    }
    const [nameBytes, extraBytes, commentBytes] = [header.u16(28), header.u16(30), header.u16(32)];
    const rest = bytesAt(directory, at + centralHeaderBytes, nameBytes + extraBytes + commentBytes);
    const rawName = rest.subarray(0, nameBytes);
    headers.push({ header, rawName, extraBytes: rest.subarray(nameBytes, nameBytes + extraBytes) });
    at += centralHeaderBytes + rest.length;
  }
  if (at !== directory.length) {
    throw archiveError('has a central directory larger than its entries');
  }
  return headers;
}

function readRecord(
  { header, rawName, extraBytes }: CentralHeader,
  decodeUndeclared: (bytes: Uint8Array) => string,
): CentralRecord {
  const headerName = declaresUtf8(header.u16(8)) ? strictUtf8(rawName) : decodeUndeclared(rawName);
  if (headerName === undefined) {
    const name = decodeUndeclared(rawName);
    throw entryError(name, 'has a name that is not the UTF-8 it promises');
  }
  const extra = readExtra(extraBytes);
  if (extra === undefined) throw entryError(headerName, 'has damaged extra fields');
  const name = readUnicodePath(headerName, rawName, extra);
  if (name === undefined) {
    throw entryError(headerName, 'has a Unicode Path field that is damaged or of another name');
  }
  checkFileType(name, header.u32(38));
  return {
    name,
    rawName,
    isFolder: name.endsWith('/'),
    flags: header.u16(8),
    method: header.u16(10),
    crc32: header.u32(16),
    ...readSizes(name, header, extra.get(extraId.zip64)),
  };
}

function readSizes(
  name: string,
  header: Fields,
  zip64: Uint8Array | undefined,
): Pick<CentralRecord, 'compressedBytes' | 'bytes' | 'localHeaderAt'> {
  const plain = [
    zip64Field(header.u32(24)),
    zip64Field(header.u32(20)),
    zip64Field(header.u32(42)),
  ];
  const [bytes, compressedBytes, localHeaderAt, disk] =
    resolveZip64([...plain, zip64DiskField(header.u16(34))], zip64) ?? [];
  if (bytes === undefined || compressedBytes === undefined || localHeaderAt === undefined) {
    throw entryError(name, 'has ZIP64 fields that contradict its header');
  }
  if (disk !== 0) throw entryError(name, 'is in another part of a split archive');
  return { bytes, compressedBytes, localHeaderAt };
}

/**
 * Accepts only files and folders. Writers without Unix modes set the type to zero. `… | zip
 * site.zip -` marks a regular file as a pipe.
 */
function checkFileType(name: string, externalAttributes: number): void {
  const type = (externalAttributes >>> 16) & fileType.mask;
  if (!allowedTypes.includes(type)) {
    throw entryError(name, 'is a symbolic link, a device or another special file');
  }
  const isFolder = name.endsWith('/');
  const saysFolder = type === fileType.folder || (externalAttributes & dosFolder) !== 0;
  const saysFile = type === fileType.regular || type === fileType.pipe;
  if ((saysFolder && !isFolder) || (saysFile && isFolder)) {
    throw entryError(name, 'is a folder by its name or by its attributes, but not by both');
  }
}

function checkRecord(record: CentralRecord): void {
  const { encrypted, strongEncryption, masked, patch } = flag;
  const isEncrypted = (record.flags & (encrypted | strongEncryption | masked)) !== 0;
  if (isEncrypted || record.method === method.winzipAes) {
    throw new EncryptedArchiveError(record.name);
  }
  if (
    (record.method !== method.stored && record.method !== method.deflated) ||
    record.flags & patch
  ) {
    throw entryError(record.name, 'is compressed by a method other than stored and deflated');
  }
  if (record.method === method.stored && record.compressedBytes !== record.bytes) {
    throw entryError(record.name, 'is stored but gives two sizes');
  }
  if (record.isFolder && !isEmpty(record))
    throw entryError(record.name, 'is a folder with content');
}

/**
 * No data, or the two bytes of an empty deflate stream, which old Java writers store for folders.
 */
function isEmpty({ bytes, compressedBytes, crc32, method: by }: CentralRecord): boolean {
  const nothing = compressedBytes === 0 || (by === method.deflated && compressedBytes === 2);
  return bytes === 0 && crc32 === 0 && nothing;
}
