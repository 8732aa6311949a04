import { ViewerError } from '../parts/fetch-file.ts';

/** Reads the header of a 7z archive (7zFormat.txt of the LZMA SDK). Numbers are little-endian. */
export class SevenZipBytes {
  readonly #view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    const byte = this.#view.getUint8(this.at);
    this.at += 1;
    return byte;
  }

  bytes(length: number): Uint8Array {
    if (this.at + length > this.#view.byteLength) throw this.damaged();
    const start = this.#view.byteOffset + this.at;
    this.at += length;
    return new Uint8Array(this.#view.buffer, start, length);
  }

  /** Eight bytes. */
  long(): number {
    const value = Number(this.#view.getBigUint64(this.at, true));
    this.at += 8;
    return value;
  }

  /** A number whose first byte has a set bit for each byte that follows. */
  number(): number {
    const first = this.byte();
    let value = 0;
    for (let at = 0; at < 8; at += 1) {
      const bit = 0x80 >> at;
      if ((first & bit) === 0) return value + (first & (bit - 1)) * 256 ** at;
      value += this.byte() * 256 ** at;
    }
    return value;
  }

  /** How many there are of something that takes a bit or more each. */
  count(): number {
    const count = this.number();
    if (count > this.#view.byteLength * 8) throw this.damaged();
    return count;
  }

  numbers(count: number): number[] {
    return Array.from({ length: count }, () => this.number());
  }

  bits(count: number): boolean[] {
    const bytes = this.bytes(Math.ceil(count / 8));
    return Array.from(
      { length: count },
      (_, at) => ((bytes[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0,
    );
  }

  /** Which of them have a value: a byte that is not zero says that all have. */
  defined(count: number): boolean[] {
    return this.byte() === 0 ? this.bits(count) : Array<boolean>(count).fill(true);
  }

  /** @throws ViewerError unless the next byte is this one */
  expect(byte: number): void {
    if (this.byte() !== byte) throw this.damaged();
  }

  /** Whether the next byte is this one, which is passed then. */
  has(byte: number): boolean {
    const isNext = this.#view.getUint8(this.at) === byte;
    if (isNext) this.at += 1;
    return isNext;
  }

  damaged(): ViewerError {
    return new ViewerError('The file is damaged, or its content does not match its name.');
  }
}
