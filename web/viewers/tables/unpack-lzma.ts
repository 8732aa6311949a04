import { ViewerError } from '../parts/fetch-file.ts';

const bitsOfChance = 11;
const evenChance = 1 << (bitsOfChance - 1);
const states = 12;
const positions = 16;
const endMark = 0xffff_ffff;

const chances = (count: number) => new Uint16Array(count).fill(evenChance);

function damaged(): ViewerError {
  return new ViewerError(
    'The file is damaged, or it uses a feature that this page does not support.',
  );
}

/**
 * Unpacks LZMA into `size` bytes, and no more (LZMA specification, Igor Pavlov, 2015). The packages that
 * do this bring their own compressors.
 * @param properties the five bytes before it in a file
 * @throws ViewerError if it is damaged
 */
export function unpackLzma(packed: Uint8Array, properties: Uint8Array, size: number): Uint8Array {
  const code = properties[0] ?? 255;
  if (code >= 9 * 5 * 5) throw damaged();
  const shape = { lc: code % 9, lp: Math.floor(code / 9) % 5, pb: Math.floor(code / 45) };
  return new LzmaDecoder(packed, shape, size).unpack();
}

/** Bits, each with the chance that it is zero, as arithmetic coding stores them. */
class BitReader {
  readonly #bytes: Uint8Array;
  #at = 5;
  #range = 0xffff_ffff;
  #code: number;

  constructor(bytes: Uint8Array) {
    if (bytes.length < 5) throw damaged();
    this.#bytes = bytes;
    this.#code = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  }

  bit(of: Uint16Array, at: number): 0 | 1 {
    const chance = of[at] ?? evenChance;
    const bound = (this.#range >>> bitsOfChance) * chance;
    const isZero = this.#code < bound;
    of[at] = isZero ? chance + (((1 << bitsOfChance) - chance) >> 5) : chance - (chance >> 5);
    this.#code -= isZero ? 0 : bound;
    this.#range = isZero ? bound : this.#range - bound;
    this.#fill();
    return isZero ? 0 : 1;
  }

  /** A number whose bits are likely to be anything. */
  plain(bits: number): number {
    let value = 0;
    for (let left = bits; left > 0; left -= 1) {
      this.#range >>>= 1;
      const isSet = this.#code >= this.#range;
      if (isSet) this.#code -= this.#range;
      value = value * 2 + Number(isSet);
      this.#fill();
    }
    return value;
  }

  /** A number, from its highest bit on; each bit has a chance for each number before it. */
  number(of: Uint16Array, from: number, bits: number): number {
    let value = 1;
    for (let left = bits; left > 0; left -= 1) value = value * 2 + this.bit(of, from + value);
    return value - (1 << bits);
  }

  /** The same, from its lowest bit on. */
  reversed(of: Uint16Array, from: number, bits: number): number {
    let [path, value] = [1, 0];
    for (let at = 0; at < bits; at += 1) {
      const bit = this.bit(of, from + path);
      path = path * 2 + bit;
      value += bit << at;
    }
    return value;
  }

  #fill(): void {
    if (this.#range >= 2 ** 24) return;
    if (this.#at > this.#bytes.length + 4) throw damaged();
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | (this.#bytes[this.#at] ?? 0)) >>> 0;
    this.#at += 1;
  }
}

/** How long a match is, less two. */
class LengthReader {
  readonly #choices = chances(2);
  readonly #short = chances(positions * 8);
  readonly #middle = chances(positions * 8);
  readonly #long = chances(256);

  read(bits: BitReader, position: number): number {
    if (bits.bit(this.#choices, 0) === 0) return bits.number(this.#short, position * 8, 3);
    if (bits.bit(this.#choices, 1) === 0) return 8 + bits.number(this.#middle, position * 8, 3);
    return 16 + bits.number(this.#long, 0, 8);
  }
}

class LzmaDecoder {
  readonly #bits: BitReader;
  readonly #shape: { lc: number; lp: number; pb: number };
  readonly #output: Uint8Array;
  readonly #literals: Uint16Array;
  readonly #isMatch = chances(states * positions);
  readonly #isRepeat = chances(states);
  readonly #isOther = [chances(states), chances(states), chances(states)] as const;
  readonly #isLong = chances(states * positions);
  readonly #slots = chances(4 * 64);
  readonly #near = chances(115);
  readonly #align = chances(16);
  readonly #lengths = new LengthReader();
  readonly #repeatLengths = new LengthReader();
  #end = 0;
  #state = 0;
  /** The last four distances, less one. */
  #distances: [number, number, number, number] = [0, 0, 0, 0];

  constructor(packed: Uint8Array, shape: { lc: number; lp: number; pb: number }, size: number) {
    this.#bits = new BitReader(packed);
    this.#shape = shape;
    this.#output = new Uint8Array(size);
    this.#literals = chances(0x300 << (shape.lc + shape.lp));
  }

  unpack(): Uint8Array {
    while (this.#end < this.#output.length) {
      const position = this.#end & ((1 << this.#shape.pb) - 1);
      if (this.#bits.bit(this.#isMatch, this.#state * positions + position) === 0) {
        this.#literal();
        continue;
      }
      const isRepeat = this.#bits.bit(this.#isRepeat, this.#state) === 1;
      const length = isRepeat ? this.#repeat(position) : this.#match(position);
      if (this.#distances[0] === endMark) throw damaged();
      this.#copy(length);
    }
    return this.#output;
  }

  #literal(): void {
    const { lc, lp } = this.#shape;
    const before = this.#output[this.#end - 1] ?? 0;
    const context = ((this.#end & ((1 << lp) - 1)) << lc) + (before >> (8 - lc));
    const from = 0x300 * context;
    let value = 1;
    if (this.#state >= 7) {
      const match = this.#output[this.#end - this.#distances[0] - 1] ?? 0;
      for (let at = 7; at >= 0; at -= 1) {
        const expected = (match >> at) & 1;
        const bit = this.#bits.bit(this.#literals, from + ((1 + expected) << 8) + value);
        value = value * 2 + bit;
        if (bit !== expected) break;
      }
    }
    while (value < 0x100) value = value * 2 + this.#bits.bit(this.#literals, from + value);
    this.#output[this.#end] = value;
    this.#end += 1;
    if (this.#state < 4) this.#state = 0;
    else this.#state -= this.#state < 10 ? 3 : 6;
  }

  /** A match at one of the last distances; returns its length. */
  #repeat(position: number): number {
    const isFirst = this.#bits.bit(this.#isOther[0], this.#state) === 0;
    if (isFirst && this.#bits.bit(this.#isLong, this.#state * positions + position) === 0) {
      this.#state = this.#state < 7 ? 9 : 11;
      return 1;
    }
    if (!isFirst) this.#swapDistances();
    const length = this.#repeatLengths.read(this.#bits, position) + 2;
    this.#state = this.#state < 7 ? 8 : 11;
    return length;
  }

  #swapDistances(): void {
    const [first, second, third, fourth] = this.#distances;
    if (this.#bits.bit(this.#isOther[1], this.#state) === 0) {
      this.#distances = [second, first, third, fourth];
    } else if (this.#bits.bit(this.#isOther[2], this.#state) === 0) {
      this.#distances = [third, first, second, fourth];
    } else {
      this.#distances = [fourth, first, second, third];
    }
  }

  /** A match at a new distance; returns its length. */
  #match(position: number): number {
    const length = this.#lengths.read(this.#bits, position);
    this.#state = this.#state < 7 ? 7 : 10;
    const [first, second, third] = this.#distances;
    this.#distances = [this.#distance(Math.min(length, 3)), first, second, third];
    return length + 2;
  }

  #distance(length: number): number {
    const slot = this.#bits.number(this.#slots, length * 64, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 + (slot & 1)) * 2 ** bits;
    if (slot < 14) return base + this.#bits.reversed(this.#near, base - slot, bits);
    const high = this.#bits.plain(bits - 4) * 16;
    return base + high + this.#bits.reversed(this.#align, 0, 4);
  }

  #copy(length: number): void {
    const from = this.#end - this.#distances[0] - 1;
    if (from < 0) throw damaged();
    const end = Math.min(this.#output.length, this.#end + length);
    for (let at = from; this.#end < end; at += 1, this.#end += 1) {
      this.#output[this.#end] = this.#output[at] ?? 0;
    }
  }
}
