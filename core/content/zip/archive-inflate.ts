import { createInflateRaw, crc32 as checksumOf } from 'node:zlib';
import JSZip from 'jszip';
import { entryFault } from './archive-fault.ts';
import { signature } from './archive-fields.ts';
import type { CentralRecord } from './central-directory.ts';

declare module 'jszip' {
  interface JSZipObject {
    /** Public and documented, but missing in the types of 3.10. */
    internalStream(type: 'uint8array'): JSZipStreamHelper<Uint8Array>;
  }
}

const deflated = 8;

/**
 * The content of one entry, exactly as long as declared and with the checksum declared.
 *
 * Never holds more than the declared size plus one 16 kB chunk: what comes after is dropped where
 * it appears and the stream stopped, so the caller bounds memory by bounding declared sizes.
 * Throws ARCHIVE_INVALID.
 */
export async function inflateEntry(entry: CentralRecord, data: Uint8Array): Promise<Uint8Array> {
  const content = await unpack(entry, data);
  if (content === undefined) {
    throw entryFault(entry.name, 'unpacks to another size than it declares, or is damaged');
  }
  if (checksumOf(content) !== entry.crc32) {
    throw entryFault(entry.name, 'does not match its checksum');
  }
  if (entry.method === deflated && !(await deflateFillsData(entry, data))) {
    throw entryFault(entry.name, 'has other bytes hidden behind its compressed data');
  }
  return content;
}

/**
 * JSZip gets each entry as an archive of its own, written here from checked numbers.
 *
 * Given the original it would do its own reading: later names replace earlier ones, `../..` is
 * resolved, folder bits drop content, sizes wrap at 2^31, prepended bytes shift offsets.
 */
async function unpack(entry: CentralRecord, data: Uint8Array): Promise<Uint8Array | undefined> {
  const archive = await JSZip.loadAsync(singleEntryArchive(entry, data));
  const file = archive.file(onlyName);
  return file === null ? undefined : collect(file.internalStream('uint8array'), entry.bytes);
}

/** Resolves to undefined unless the stream yields exactly `size` bytes. */
function collect(
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
        // JSZip feeds 16 kB of input at a time and cannot stop within it: the rest of that block
        // (16 MB at most, at deflate's 1032:1) still comes here, chunk by chunk, and is dropped.
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
 * JSZip does not tell how much input it used, and skips it altogether for entries that declare no
 * content. Runs after the size is known to be true, discards what it inflates, and stops above it.
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

  /** Both headers hold version, flags, method, time, date, checksum, sizes, name length in this order. */
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
