import JSZip from 'jszip';
import type { CentralRecord } from './central-directory.ts';
import { signature } from './signature.ts';
import { HiddenBytes } from './inflate-at-once.ts';
import { exactDeflate } from './jszip-inflate.ts';
import { hiddenBytesError, sizeError } from './unpack-entry.ts';

declare module 'jszip' {
  interface JSZipObject {
    /** Part of the public API, but missing in the types of 3.10. */
    internalStream(type: 'uint8array'): JSZipStreamHelper<Uint8Array>;
  }
}

const deflated = 8;

/**
 * Unpacks one entry with JSZip, from a new archive that contains only this entry and checked
 * numbers.
 *
 * JSZip would read the original archive in its own way: later names replace earlier ones, `../..`
 * is resolved, folder bits drop content, sizes wrap at 2^31, and prepended bytes shift offsets.
 */
export async function unpackByJsZip(entry: CentralRecord, data: Uint8Array): Promise<Uint8Array> {
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
    to.writeUInt16LE(
      method === deflated ? exactDeflate(Math.max(bytes, data.length)) : method,
      fields + 4,
    );
    to.writeUInt32LE(crc32, fields + 10);
    to.writeUInt32LE(data.length, fields + 14);
    to.writeUInt32LE(bytes, fields + 18);
    to.writeUInt16LE(onlyName.length, fields + 22);
    to.write(onlyName, at + shape.nameAt, 'latin1');
  }
}
