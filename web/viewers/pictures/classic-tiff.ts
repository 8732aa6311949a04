import { damagedPicture } from './pixels.ts';

/** Bytes of a value by its type (TIFF 6.0 §2; BigTIFF has 16 to 18, of eight bytes). */
const valueBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
const long = 4;
/** Tags of directories that no picture needs: previews, Exif and positions. */
const pointers: ReadonlySet<number> = new Set([330, 34_665, 34_853]);

/**
 * A BigTIFF as a TIFF that the library reads: the same bytes, and behind them directories with numbers of four
 * bytes (BigTIFF design of LibTIFF). Other files are given back as they are.
 * @throws ViewerError if it is damaged
 */
export function classicTiff(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const [first, second] = bytes;
  const isTiff = first === second && (first === 0x49 || first === 0x4d);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isTiff || bytes.length < 16 || view.getUint16(2, first === 0x49) !== 43) return bytes;
  return new Rewriter(bytes, first === 0x49).rewritten();
}

class Rewriter {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #from: DataView;
  readonly #to: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  readonly #isLittle: boolean;
  #end: number;

  constructor(bytes: Uint8Array<ArrayBuffer>, isLittle: boolean) {
    this.#bytes = bytes;
    this.#from = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.length;
    // A directory becomes smaller; whoever needs more room names the same values again and again.
    this.#to = new Uint8Array(2 * bytes.length);
    this.#to.set(bytes);
    this.#view = new DataView(this.#to.buffer);
    this.#isLittle = isLittle;
  }

  rewritten(): Uint8Array<ArrayBuffer> {
    this.#view.setUint16(2, 42, this.#isLittle);
    const seen = new Set<number>();
    let pointer = 4;
    let at = this.#numberAt(8);
    while (at !== 0 && !seen.has(at)) {
      seen.add(at);
      const count = this.#numberAt(at);
      const next = at + 8 + 20 * count;
      if (count > 0xffff || next + 8 > this.#bytes.length) throw damagedPicture();
      this.#view.setUint32(pointer, this.#end, this.#isLittle);
      pointer = this.#writeDirectory(at + 8, count);
      at = this.#numberAt(next);
    }
    this.#view.setUint32(pointer, 0, this.#isLittle);
    return this.#to.subarray(0, this.#end);
  }

  /** Returns where the place of the next one is to be written. */
  #writeDirectory(from: number, count: number): number {
    const kept = Array.from({ length: count }, (_, index) => from + 20 * index).filter(
      (entry) => !pointers.has(this.#from.getUint16(entry, this.#isLittle)),
    );
    const start = this.#room(6 + 12 * kept.length);
    this.#view.setUint16(start, kept.length, this.#isLittle);
    for (const [index, entry] of kept.entries()) this.#writeEntry(entry, start + 2 + 12 * index);
    return start + 2 + 12 * kept.length;
  }

  #writeEntry(entry: number, to: number): void {
    const type = this.#from.getUint16(entry + 2, this.#isLittle);
    const count = this.#numberAt(entry + 4);
    const size = count * (valueBytes[type] ?? 0);
    const place = size <= 8 ? entry + 12 : this.#numberAt(entry + 12);
    if (place + size > this.#bytes.length) throw damagedPicture();
    const values =
      type < 16 ? this.#bytes.subarray(place, place + size) : this.#shortened(place, count);
    this.#view.setUint16(to, this.#from.getUint16(entry, this.#isLittle), this.#isLittle);
    this.#view.setUint16(to + 2, type < 16 ? type : long, this.#isLittle);
    this.#view.setUint32(to + 4, count, this.#isLittle);
    const isKept = type < 16 && size > 8;
    const target = values.length <= 4 ? to + 8 : isKept ? place : this.#room(values.length);
    if (values.length > 4) this.#view.setUint32(to + 8, target, this.#isLittle);
    if (!isKept) this.#to.set(values, target);
  }

  /** Numbers of eight bytes as ones of four. */
  #shortened(place: number, count: number): Uint8Array {
    const values = new DataView(new ArrayBuffer(4 * count));
    for (let index = 0; index < count; index += 1) {
      values.setUint32(4 * index, this.#numberAt(place + 8 * index), this.#isLittle);
    }
    return new Uint8Array(values.buffer);
  }

  #numberAt(at: number): number {
    if (at + 8 > this.#bytes.length) throw damagedPicture();
    const number = Number(this.#from.getBigUint64(at, this.#isLittle));
    if (number > 0xffff_ffff) throw damagedPicture();
    return number;
  }

  #room(size: number): number {
    const start = this.#end;
    this.#end += size;
    if (this.#end > this.#to.length) throw damagedPicture();
    return start;
  }
}
