import JSZip from 'jszip';
import { archiveError, entryError, signature } from './header-fields.ts';
import { bytesSource, collect } from './byte-source.ts';
import { type ArchiveEntry, type ArchiveLimits, openArchive } from './open-archive.ts';
import { walkEntries } from './walk-entries.ts';
import { hiddenBytesError, sizeError, unpackEntry as unpackChunks } from './unpack-entry.ts';
import { crc32 as checksumOf } from 'node:zlib';
import type { CentralRecord } from './central-directory.ts';
import { exactDeflate, HiddenBytes } from './jszip-inflate.ts';

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
    const bytes = await unpackEntry(entry, dataOf.get(entry) ?? new Uint8Array());
    if (!entry.isDropped) files.push({ path: entry.path, bytes });
  }
  return { files, topFolder };
}

const deflated = 8;

/**
 * The content of one entry, with the declared size and checksum.
 *
 * Holds at most the declared size plus a few chunks of 64 kB, and stops inflating at the declared
 * size, so a limit on declared sizes limits memory.
 * @throws CodedError ARCHIVE_INVALID
 */
async function unpackEntry(entry: CentralRecord, data: Uint8Array): Promise<Uint8Array> {
  // JSZip skips the data of entries that declare no content.
  if (entry.bytes === 0) return collect(unpackChunks(entry, [data]));
  const content = await unpackByJsZip(entry, data);
  if (checksumOf(content) !== entry.crc32) {
    throw entryError(entry.name, 'does not match its checksum');
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
async function unpackByJsZip(entry: CentralRecord, data: Uint8Array): Promise<Uint8Array> {
  const archive = await JSZip.loadAsync(singleEntryArchive(entry, data));
  const file = archive.file(onlyName);
  if (file === null) throw sizeError(entry);
  return collectExactly(file.internalStream('uint8array'), entry);
}

function collectExactly(
  stream: JSZip.JSZipStreamHelper<Uint8Array>,
  entry: CentralRecord,
): Promise<Uint8Array> {
  const content = new Uint8Array(entry.bytes);
  let produced = 0;
  return new Promise((resolve, reject) => {
    stream
      .on('data', (chunk) => {
        produced += chunk.length;
        if (produced <= entry.bytes) {
          content.set(chunk, produced - chunk.length);
          return;
        }
        stream.pause();
        reject(sizeError(entry));
      })
      .on('error', (error) =>
        reject(error instanceof HiddenBytes ? hiddenBytesError(entry) : sizeError(entry)),
      )
      .on('end', () => (produced === entry.bytes ? resolve(content) : reject(sizeError(entry))))
      .resume();
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
    to.writeUInt16LE(method === deflated ? exactDeflate : method, fields + 4);
    to.writeUInt32LE(crc32, fields + 10);
    to.writeUInt32LE(data.length, fields + 14);
    to.writeUInt32LE(bytes, fields + 18);
    to.writeUInt16LE(onlyName.length, fields + 22);
    to.write(onlyName, at + shape.nameAt, 'latin1');
  }
}
