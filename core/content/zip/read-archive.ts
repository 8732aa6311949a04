import JSZip from 'jszip';
import { archiveError, entryError, signature } from './header-fields.ts';
import { bytesSource, collect } from './byte-source.ts';
import { type ArchiveEntry, type ArchiveLimits, openArchive } from './open-archive.ts';
import { walkEntries } from './walk-entries.ts';
import { crc32 as checksumOf, createInflateRaw } from 'node:zlib';
import type { CentralRecord } from './central-directory.ts';

declare module 'jszip' {
  interface JSZipObject {
    /** Part of the public API, but missing in the types of 3.10. */
    internalStream(type: 'uint8array'): JSZipStreamHelper<Uint8Array>;
  }
}

/** JSZip reads sizes and offsets as signed 32-bit numbers. */
const maxJsZipBytes = 0x7fff_ffff;

/** One file of an archive; `path` is relative, safe and NFC normalised. */
export interface ArchiveFile {
  path: string;
  bytes: Uint8Array;
}

/**
 * The files of an archive, and the top folder that was removed from their paths (`site/` or empty).
 */
export interface Archive {
  files: ArchiveFile[];
  topFolder: string;
}

/**
 * The files of an uploaded ZIP, in the order of its central directory.
 *
 * A hostile or damaged archive is refused, never repaired. All checks that need no inflating run
 * before the first byte is inflated. Dropped entries are checked too. Entries are inflated one
 * after another, so memory is bounded by the archive, `maxTotalBytes` and a compressed copy of the
 * largest entry.
 *
 * @throws CodedError ARCHIVE_INVALID (`error` names rule and entry), TOO_MANY_FILES, FILE_TYPE_REFUSED
 */
export async function readArchive(zip: Uint8Array, limits: ArchiveLimits): Promise<Archive> {
  if (zip.length > maxJsZipBytes) throw archiveError('is larger than 2 GiB');
  const source = bytesSource(zip);
  const maxTotalBytes = Math.min(limits.maxTotalBytes, maxJsZipBytes);
  const { entries, topFolder } = await openArchive(source, { ...limits, maxTotalBytes });
  const dataOf = new Map<ArchiveEntry, Uint8Array>();
  for await (const { entry, data } of walkEntries(source, entries)) {
    dataOf.set(entry, await collect(data));
  }
  const files: ArchiveFile[] = [];
  for (const entry of entries) {
    const bytes = await inflateEntry(entry, dataOf.get(entry) ?? new Uint8Array());
    if (!entry.isDropped) files.push({ path: entry.path, bytes });
  }
  return { files, topFolder };
}

const deflated = 8;

/**
 * The content of one entry, with the declared size and checksum.
 *
 * Holds at most the declared size plus one 16 kB chunk. It drops any further output and stops the
 * stream, so a limit on declared sizes limits memory.
 * @throws CodedError ARCHIVE_INVALID
 */
async function inflateEntry(entry: CentralRecord, data: Uint8Array): Promise<Uint8Array> {
  const content = await unpack(entry, data);
  if (content === undefined) {
    throw entryError(entry.name, 'unpacks to another size than it declares, or is damaged');
  }
  if (checksumOf(content) !== entry.crc32) {
    throw entryError(entry.name, 'does not match its checksum');
  }
  if (entry.method === deflated && !(await deflateFillsData(entry, data))) {
    throw entryError(entry.name, 'has other bytes hidden behind its compressed data');
  }
  return content;
}

/**
 * Unpacks one entry with JSZip, from a new archive that contains only this entry and checked
 * numbers.
 *
 * JSZip would read the original archive in its own way: later names replace earlier ones, `../..`
 * is resolved, folder bits drop content, sizes wrap at 2^31, and prepended bytes shift offsets.
 */
async function unpack(entry: CentralRecord, data: Uint8Array): Promise<Uint8Array | undefined> {
  const archive = await JSZip.loadAsync(singleEntryArchive(entry, data));
  const file = archive.file(onlyName);
  return file === null ? undefined : collectExactly(file.internalStream('uint8array'), entry.bytes);
}

/** Resolves to undefined unless the stream yields exactly `size` bytes. */
function collectExactly(
  stream: JSZip.JSZipStreamHelper<Uint8Array>,
  size: number,
): Promise<Uint8Array | undefined> {
  const content = new Uint8Array(size);
  let produced = 0;
  return new Promise((resolve) => {
    stream
      .on('data', (chunk) => {
        produced += chunk.length;
        if (produced <= size) {
          content.set(chunk, produced - chunk.length);
          return;
        }
        // JSZip inflates 16 kB of input at a time and cannot stop inside such a block. The rest of
        // its output (16 MB at most, at deflate's 1032:1) still arrives in chunks, which are
        // dropped.
        stream.pause();
        resolve(undefined);
      })
      .on('error', () => resolve(undefined))
      .on('end', () => resolve(produced === size ? content : undefined))
      .resume();
  });
}

/**
 * Whether the deflate stream ends with the entry's last byte.
 *
 * JSZip does not report how much input it used, and it skips the input of entries that declare no
 * content. Runs after the size has been verified, discards the output, and stops if there is more
 * than the declared size.
 */
function deflateFillsData({ bytes }: CentralRecord, data: Uint8Array): Promise<boolean> {
  if (data.length === 0) return Promise.resolve(bytes === 0);
  const inflater = createInflateRaw();
  let produced = 0;
  return new Promise((resolve) => {
    inflater
      .on('data', (chunk: Uint8Array) => {
        produced += chunk.length;
        if (produced > bytes) inflater.destroy();
      })
      .on('end', () => resolve(inflater.bytesWritten === data.length))
      .on('error', () => resolve(false))
      .on('close', () => resolve(false))
      .end(data);
  });
}

const onlyName = 'f';

function singleEntryArchive({ method, crc32, bytes }: CentralRecord, data: Uint8Array): Uint8Array {
  const localBytes = 30 + onlyName.length;
  const centralBytes = 46 + onlyName.length;
  const directoryAt = localBytes + data.length;
  const archive = Buffer.alloc(directoryAt + centralBytes + 22);
  writeHeader(archive, 0, { signature: signature.localHeader, fieldsAt: 4, nameAt: 30 });
  archive.set(data, localBytes);
  writeHeader(archive, directoryAt, {
    signature: signature.centralHeader,
    fieldsAt: 6,
    nameAt: 46,
  });
  const end = directoryAt + centralBytes;
  archive.writeUInt32LE(signature.end, end);
  archive.writeUInt16LE(1, end + 8);
  archive.writeUInt16LE(1, end + 10);
  archive.writeUInt32LE(centralBytes, end + 12);
  archive.writeUInt32LE(directoryAt, end + 16);
  return archive;

  /**
   * The fields that both headers have, in this order: version, flags, method, time, date, checksum,
   * sizes, name length.
   */
  function writeHeader(
    to: Buffer,
    at: number,
    shape: { signature: number; fieldsAt: number; nameAt: number },
  ): void {
    to.writeUInt32LE(shape.signature, at);
    const fields = at + shape.fieldsAt;
    to.writeUInt16LE(20, fields);
    to.writeUInt16LE(method, fields + 4);
    to.writeUInt32LE(crc32, fields + 10);
    to.writeUInt32LE(data.length, fields + 14);
    to.writeUInt32LE(bytes, fields + 18);
    to.writeUInt16LE(onlyName.length, fields + 22);
    to.write(onlyName, at + shape.nameAt, 'latin1');
  }
}
