const signature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const lastSector = 0xfffffffa;
const entryBytes = 128;

/**
 * A file of the format in which Office kept its documents until 2007: streams with names (MS-CFB).
 * Chains that lead in circles end with the file's own number of sectors.
 */
export class CompoundFile {
  readonly #view: DataView;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #sectorBytes: number;
  readonly #table: number[];
  readonly #smallTable: number[];
  readonly #small: Uint8Array<ArrayBuffer>;
  readonly #entries = new Map<string, { start: number; size: number }>();

  /** @throws Error if it is none */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    if (!isCompoundFile(bytes) || bytes.length < 512) throw damaged();
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const shift = this.#view.getUint16(30, true);
    if (shift !== 9 && shift !== 12) throw damaged();
    this.#sectorBytes = 2 ** shift;
    this.#table = this.#numbersIn(this.#tableSectors());
    const directory = this.#chain(this.#view.getUint32(48, true));
    const root = this.#readDirectory(directory);
    this.#smallTable = this.#numbersOf(this.#chain(this.#view.getUint32(60, true)));
    this.#small = root === undefined ? new Uint8Array() : this.#chain(root.start);
  }

  /** The bytes of a stream; `undefined` if the file has none of this name. */
  stream(name: string): Uint8Array<ArrayBuffer> | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const { start, size } = entry;
    const isSmall = size < this.#view.getUint32(56, true);
    const bytes = isSmall ? this.#smallChain(start) : this.#chain(start);
    return bytes.subarray(0, size);
  }

  /** The sectors of the allocation table: the first 109 in the header, others in a chain (section 2.5). */
  #tableSectors(): number[] {
    const found = Array.from({ length: 109 }, (_, at) => this.#view.getUint32(76 + 4 * at, true));
    const perSector = this.#sectorBytes / 4 - 1;
    let next = this.#view.getUint32(68, true);
    for (let left = this.#sectors(); next < lastSector && left > 0; left -= 1) {
      const numbers = this.#numbersOf(this.#sector(next));
      found.push(...numbers.slice(0, perSector));
      next = numbers[perSector] ?? lastSector;
    }
    return found.filter((sector) => sector < lastSector);
  }

  #sectors(): number {
    return Math.ceil(this.#bytes.length / this.#sectorBytes);
  }

  #sector(number: number): Uint8Array<ArrayBuffer> {
    const start = (number + 1) * this.#sectorBytes;
    return this.#bytes.subarray(start, start + this.#sectorBytes);
  }

  #numbersIn(sectors: readonly number[]): number[] {
    return sectors.flatMap((sector) => this.#numbersOf(this.#sector(sector)));
  }

  #numbersOf(bytes: Uint8Array<ArrayBuffer>): number[] {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = Math.floor(bytes.length / 4);
    return Array.from({ length: count }, (_, at) => view.getUint32(4 * at, true));
  }

  #chain(start: number): Uint8Array<ArrayBuffer> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let next = start;
    for (let left = this.#sectors(); next < lastSector && left > 0; left -= 1) {
      parts.push(this.#sector(next));
      next = this.#table[next] ?? lastSector;
    }
    return joined(parts);
  }

  #smallChain(start: number): Uint8Array<ArrayBuffer> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let next = start;
    for (let left = this.#smallTable.length; next < lastSector && left > 0; left -= 1) {
      parts.push(this.#small.subarray(next * 64, next * 64 + 64));
      next = this.#smallTable[next] ?? lastSector;
    }
    return joined(parts);
  }

  /**
   * Only the root's own streams: an embedded file has a folder with streams of the same names. They are a tree
   * (section 2.6.1). The root's stream holds all small ones (section 2.6.3).
   */
  #readDirectory(directory: Uint8Array<ArrayBuffer>) {
    const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength);
    if (directory.length < entryBytes) return undefined;
    const entryAt = (at: number) => ({
      start: view.getUint32(at + 116, true),
      size: view.getUint32(at + 120, true),
    });
    const seen = new Set<number>();
    const left = [view.getUint32(76, true)];
    for (let number = left.pop(); number !== undefined; number = left.pop()) {
      const at = number * entryBytes;
      if (at + entryBytes > directory.length || seen.has(number)) continue;
      seen.add(number);
      const length = Math.min(64, view.getUint16(at + 64, true));
      const name = new TextDecoder('utf-16le').decode(directory.subarray(at, at + length - 2));
      if (directory[at + 66] === 2) this.#entries.set(name, entryAt(at));
      left.push(view.getUint32(at + 68, true), view.getUint32(at + 72, true));
    }
    return entryAt(0);
  }
}

/** Whether a file begins as one of this format. */
export function isCompoundFile(bytes: Uint8Array): boolean {
  return signature.every((byte, at) => bytes[at] === byte);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function damaged(): Error {
  return new Error('The compound file is damaged.');
}
