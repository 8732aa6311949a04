import type { PictureSize } from './jxl-size.ts';
import { checkSize, colourPixels, damagedPicture, type Pixels, type ReadNumber } from './pixels.ts';

/** What the header of a picture of Netpbm says. */
interface Header extends PictureSize {
  /** Numbers of a point. */
  channels: number;
  /** The largest number. */
  most: number;
  /** Where the numbers begin. */
  start: number;
  form: 'digits' | 'bits' | 'bytes';
}

/** Comments and other fields are shorter. */
const mostHeaderBytes = 4096;

/** Whether a file begins as one of Netpbm does: PBM, PGM, PPM or PAM. */
export function isNetpbm([first, second = 0]: Uint8Array): boolean {
  return first === 0x50 && second >= 0x31 && second <= 0x37;
}

/**
 * The picture of a PBM, PGM, PPM or PAM, as numbers or in digits (pbm(5), pgm(5), ppm(5) and pam(5) of Netpbm).
 * @throws ViewerError if it is too large or damaged
 */
export function readNetpbm(bytes: Uint8Array<ArrayBuffer>): Pixels {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, mostHeaderBytes));
  const header = head.startsWith('P7') ? pamHeader(head) : pnmHeader(head);
  if (header === undefined) throw damagedPicture();
  const { width, height, channels, most } = header;
  checkSize(header);
  if (!(channels >= 1 && channels <= 4) || !(most >= 1 && most <= 65_535)) throw damagedPicture();
  const read = readerOf(bytes, header);
  // In a bitmap, 1 is black.
  const isInverse = /^P[14]/.test(head);
  const shade: ReadNumber = (pixel, channel) => {
    const value = (read(pixel, channel) * 255) / most;
    return isInverse ? 255 - value : value;
  };
  const space = channels < 3 ? 'grey' : 'rgb';
  return colourPixels({ width, height }, space, shade, channels % 2 === 0);
}

const space = String.raw`(?:\s|#[^\n\r]*[\n\r])+`;
const bitmap = new RegExp(`^P[14]${space}(\\d{1,9})${space}(\\d{1,9})\\s`);
const others = new RegExp(
  `^P[2356]${space}(\\d{1,9})${space}(\\d{1,9})${space}(\\d{1,9})(?:\\s|#[^\\n\\r]*[\\n\\r])`,
);

function pnmHeader(head: string): Header | undefined {
  const found = bitmap.exec(head) ?? others.exec(head);
  if (found === null) return undefined;
  const [whole, width, height, most = 1] = found;
  const kind = Number(head[1]);
  return {
    width: Number(width),
    height: Number(height),
    most: Number(most),
    channels: kind % 3 === 0 ? 3 : 1,
    start: whole.length,
    form: kind < 4 ? 'digits' : kind === 4 ? 'bits' : 'bytes',
  };
}

function pamHeader(head: string): Header | undefined {
  const end = /^ENDHDR\n/m.exec(head);
  if (end === null) return undefined;
  const lines = head.slice(0, end.index).split('\n');
  const field = (name: string) =>
    Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length));
  return {
    width: field('WIDTH'),
    height: field('HEIGHT'),
    most: field('MAXVAL'),
    channels: field('DEPTH'),
    start: end.index + end[0].length,
    form: 'bytes',
  };
}

/** Reads a number of a point. A file with fewer numbers than its size needs is damaged. */
function readerOf(bytes: Uint8Array<ArrayBuffer>, header: Header): ReadNumber {
  const { width, height, channels, most, start, form } = header;
  const count = width * height * channels;
  const data = bytes.subarray(start);
  const need = (size: number) => {
    if (data.length < size) throw damagedPicture();
  };
  if (form === 'digits') {
    // A digit, and a space behind it where numbers may have more digits.
    need(most === 1 ? count : 2 * count - 1);
    const numbers = numbersIn(data, count, most === 1 ? 1 : 5);
    return (pixel, channel) => numbers[pixel * channels + channel] ?? 0;
  }
  if (form === 'bits') {
    const rowBytes = Math.ceil(width / 8);
    need(rowBytes * height);
    return (pixel) => {
      const column = pixel % width;
      const byte = data[Math.floor(pixel / width) * rowBytes + (column >> 3)] ?? 0;
      return (byte >> (7 - (column & 7))) & 1;
    };
  }
  if (most < 256) {
    need(count);
    return (pixel, channel) => data[pixel * channels + channel] ?? 0;
  }
  need(2 * count);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return (pixel, channel) => view.getUint16(2 * (pixel * channels + channel));
}

const [zero, hash] = [0x30, 0x23];

function endOfLine(data: Uint8Array, at: number): number {
  const end = data.indexOf(0x0a, at);
  return end === -1 ? data.length : end + 1;
}

/** Numbers in digits, with comments between them. Those of a bitmap may stand without a space. */
function numbersIn(data: Uint8Array, count: number, mostDigits: number): Uint16Array {
  const numbers = new Uint16Array(count);
  let at = 0;
  const isDigit = () => (data[at] ?? 0) >= zero && (data[at] ?? 0) <= zero + 9;
  for (let index = 0; index < count; index += 1) {
    while (at < data.length && !isDigit()) at = data[at] === hash ? endOfLine(data, at) : at + 1;
    if (at >= data.length) throw damagedPicture();
    let value = 0;
    for (let digits = 0; digits < mostDigits && isDigit(); digits += 1, at += 1) {
      value = value * 10 + (data[at] ?? 0) - zero;
    }
    numbers[index] = value;
  }
  return numbers;
}
