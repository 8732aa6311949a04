import { archiveFault } from './archive-fault.ts';

/** Record signatures, APPNOTE 4.3. */
export const signature = {
  localHeader: 0x04034b50,
  dataDescriptor: 0x08074b50,
  centralHeader: 0x02014b50,
  end: 0x06054b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
} as const;

/** Little-endian numbers of one record. Reading outside of it is a bug here, not a fault of the archive. */
export interface Fields {
  u16(at: number): number;
  u32(at: number): number;
  /** Rounded above 2^53; such a number is past the end of any archive. */
  u64(at: number): number;
}

/** The fields of `length` bytes at `at`; throws ARCHIVE_INVALID when the archive ends before them. */
export function fieldsAt(zip: Uint8Array, at: number, length: number): Fields {
  const bytes = bytesAt(zip, at, length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    u16: (offset) => view.getUint16(offset, true),
    u32: (offset) => view.getUint32(offset, true),
    u64: (offset) => Number(view.getBigUint64(offset, true)),
  };
}

/** `length` bytes at `at`, not copied; throws ARCHIVE_INVALID when the archive ends before them. */
export function bytesAt(zip: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length > zip.length) throw archiveFault('is cut short or points past its own end');
  return zip.subarray(at, at + length);
}
