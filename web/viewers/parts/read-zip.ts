import { ViewerError } from './fetch-file.ts';

/** One file of a ZIP, as its central directory describes it (APPNOTE 4.3.12). */
export interface ZipEntry {
  name: Uint8Array<ArrayBuffer>;
  path: string;
  /** Whether it says that its name is in UTF-8 (APPNOTE, appendix D). */
  isUtf8: boolean;
  deflated: boolean;
  size: number;
  /** Its bytes as stored in the archive. */
  compressed: Uint8Array<ArrayBuffer>;
}

const unreadable = 'The file is damaged, or its content does not match its name.';
const endSignature = 0x06054b50;
const centralSignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const maxCommentBytes = 65_535;

/** The first bytes of the format that Office used before 2007, and still uses for encrypted files. */
const compound = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * The files of a ZIP. Throws ViewerError with an explanation if it cannot be read. Unpacks nothing.
 *
 * JSZip does not tell the declared sizes, which are checked before the first byte is unpacked, and its
 * own inflater does not stop at them (decision 0041).
 */
export function readZipEntries(bytes: Uint8Array<ArrayBuffer>, maxEntries: number): ZipEntry[] {
  if (compound.every((byte, at) => bytes[at] === byte)) {
    throw new ViewerError(
      'The file is protected by a password, or it has a format from before Office 2007.',
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  if (count > maxEntries) throw new ViewerError('The file has too many parts to show here.');
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index += 1) {
    const { entry, next } = readEntry(bytes, view, at);
    entries.push(entry);
    at = next;
  }
  return entries;
}

function findEnd(view: DataView): number {
  const last = view.byteLength - endBytes;
  for (let at = last; at >= Math.max(0, last - maxCommentBytes); at -= 1) {
    if (view.getUint32(at, true) === endSignature) return at;
  }
  throw new ViewerError(unreadable);
}

function readEntry(bytes: Uint8Array<ArrayBuffer>, view: DataView, at: number) {
  if (at + 46 > view.byteLength || view.getUint32(at, true) !== centralSignature) {
    throw new ViewerError(unreadable);
  }
  const flags = view.getUint16(at + 8, true);
  if ((flags & 1) !== 0) throw new ViewerError('The file is protected by a password.');
  const method = view.getUint16(at + 10, true);
  if (method !== 0 && method !== 8) throw new ViewerError(unreadable);
  const nameEnd = at + 46 + view.getUint16(at + 28, true);
  const name = bytes.slice(at + 46, nameEnd);
  const entry: ZipEntry = {
    name,
    path: new TextDecoder().decode(name),
    isUtf8: (flags & 0x800) !== 0,
    deflated: method === 8,
    size: view.getUint32(at + 24, true),
    compressed: compressedBytes(
      bytes,
      view,
      view.getUint32(at + 42, true),
      view.getUint32(at + 20, true),
    ),
  };
  const next = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  return { entry, next };
}

function compressedBytes(
  bytes: Uint8Array<ArrayBuffer>,
  view: DataView,
  at: number,
  length: number,
): Uint8Array<ArrayBuffer> {
  if (at + 30 > view.byteLength || view.getUint32(at, true) !== localSignature) {
    throw new ViewerError(unreadable);
  }
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (start + length > view.byteLength) throw new ViewerError(unreadable);
  return bytes.subarray(start, start + length);
}
