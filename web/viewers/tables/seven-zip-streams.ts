import type { SevenZipBytes } from './seven-zip-bytes.ts';

/** Property numbers of 7zFormat.txt. */
const id = {
  end: 0x00,
  packed: 0x06,
  unpacked: 0x07,
  parts: 0x08,
  sizes: 0x09,
  sums: 0x0a,
  folder: 0x0b,
  coderSizes: 0x0c,
  partCounts: 0x0d,
} as const;

interface Coder {
  /** The method as hexadecimal digits: `030101` is LZMA. */
  method: string;
  properties: Uint8Array;
}

/** Files that are packed together. */
interface Folder {
  coders: Coder[];
  /** In bytes, of each coder's output. */
  sizes: number[];
  /** Which output is that of the folder. */
  last: number;
  hasSum: boolean;
}

export interface PackedStreams {
  /** From the end of the archive's first 32 bytes. */
  start: number;
  packedSizes: number[];
  folders: Folder[];
  /** In bytes, of the files that are not empty. */
  fileSizes: number[];
}

/** `StreamsInfo`, up to and with its end. */
export function readStreams(bytes: SevenZipBytes): PackedStreams {
  const streams: PackedStreams = { start: 0, packedSizes: [], folders: [], fileSizes: [] };
  if (bytes.has(id.packed)) Object.assign(streams, readPacked(bytes));
  if (bytes.has(id.unpacked)) streams.folders = readFolders(bytes);
  streams.fileSizes = bytes.has(id.parts)
    ? readParts(bytes, streams.folders)
    : streams.folders.map(sizeOf);
  bytes.expect(id.end);
  return streams;
}

export const sizeOf = ({ sizes, last }: Folder) => sizes[last] ?? 0;

function readPacked(bytes: SevenZipBytes): Pick<PackedStreams, 'start' | 'packedSizes'> {
  const start = bytes.number();
  const count = bytes.count();
  const packedSizes = bytes.has(id.sizes) ? bytes.numbers(count) : [];
  if (bytes.has(id.sums)) passSums(bytes, count);
  bytes.expect(id.end);
  return { start, packedSizes };
}

function passSums(bytes: SevenZipBytes, count: number): boolean[] {
  const defined = bytes.defined(count);
  bytes.bytes(4 * defined.filter(Boolean).length);
  return defined;
}

function readFolders(bytes: SevenZipBytes): Folder[] {
  bytes.expect(id.folder);
  const count = bytes.count();
  // They may be elsewhere, which no program does.
  bytes.expect(0);
  const folders = Array.from({ length: count }, () => readFolder(bytes));
  bytes.expect(id.coderSizes);
  for (const folder of folders) folder.sizes = bytes.numbers(folder.sizes.length);
  if (bytes.has(id.sums)) {
    for (const [at, hasSum] of passSums(bytes, count).entries()) {
      const folder = folders[at];
      if (folder !== undefined) folder.hasSum = hasSum;
    }
  }
  bytes.expect(id.end);
  return folders;
}

function readFolder(bytes: SevenZipBytes): Folder {
  const coders: Coder[] = [];
  let [inputs, outputs] = [0, 0];
  for (let left = bytes.count(); left > 0; left -= 1) {
    const flags = bytes.byte();
    const method = [...bytes.bytes(flags & 0x0f)];
    const isComplex = (flags & 0x10) !== 0;
    inputs += isComplex ? bytes.count() : 1;
    outputs += isComplex ? bytes.count() : 1;
    const properties = (flags & 0x20) === 0 ? new Uint8Array() : bytes.bytes(bytes.count());
    coders.push({
      method: method.map((byte) => byte.toString(16).padStart(2, '0')).join(''),
      properties,
    });
  }
  const bound = new Set<number>();
  for (let left = outputs - 1; left > 0; left -= 1) {
    bytes.number();
    bound.add(bytes.number());
  }
  const packed = inputs - outputs + 1;
  if (packed > 1) bytes.numbers(packed);
  const sizes = Array<number>(outputs).fill(0);
  return { coders, sizes, last: sizes.findIndex((_, at) => !bound.has(at)), hasSum: false };
}

/** The sizes of the files in each folder; that of the last one is what is left. */
function readParts(bytes: SevenZipBytes, folders: readonly Folder[]): number[] {
  const counts = bytes.has(id.partCounts) ? folders.map(() => bytes.count()) : folders.map(() => 1);
  const hasSizes = bytes.has(id.sizes);
  const sizes = folders.flatMap((folder, at) => {
    const count = counts[at] ?? 0;
    if (count === 0) return [];
    const listed = hasSizes ? bytes.numbers(count - 1) : [];
    return [...listed, sizeOf(folder) - listed.reduce((sum, size) => sum + size, 0)];
  });
  if (bytes.has(id.sums)) {
    const unsummed = folders.map(({ hasSum }, at) => {
      const count = counts[at] ?? 0;
      return hasSum && count === 1 ? 0 : count;
    });
    passSums(
      bytes,
      unsummed.reduce((sum, count) => sum + count, 0),
    );
  }
  bytes.expect(id.end);
  return sizes;
}
