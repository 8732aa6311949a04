import { ViewerError } from '../parts/fetch-file.ts';
import {
  channelsOf,
  type ColourSpace,
  colourPixels,
  type Pixels,
  type ReadNumber,
} from './pixels.ts';

/** What the header of a Photoshop file says (Adobe Photoshop File Formats Specification, 2019). */
export interface PsdHeader {
  width: number;
  height: number;
  channels: number;
  bits: number;
  mode: number;
  /** Whether it is of the large kind (PSB), whose lengths have eight and four bytes. */
  isLarge: boolean;
}

/** Colour modes by their numbers; the others are bitmap (0) and indexed (2). */
const modes: Readonly<Record<number, ColourSpace>> = {
  0: 'grey',
  1: 'grey',
  2: 'rgb',
  3: 'rgb',
  4: 'cmyk',
  8: 'grey',
  9: 'lab',
};

/** The header of a Photoshop file; `undefined` for another file. */
export function psdHeader(bytes: Uint8Array): PsdHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 30 || view.getUint32(0) !== 0x3842_5053) return undefined;
  return {
    isLarge: view.getUint16(4) === 2,
    channels: view.getUint16(12),
    height: view.getUint32(14),
    width: view.getUint32(18),
    bits: view.getUint16(22),
    mode: view.getUint16(24),
  };
}

/** The picture of all layers together, which most programs save behind them. */
export function readPsd(bytes: Uint8Array<ArrayBuffer>, header: PsdHeader): Pixels {
  const space = modes[header.mode];
  if (space === undefined || ![1, 8, 16].includes(header.bits)) {
    throw new ViewerError('The picture has colours of a kind that cannot be shown here.');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const behind = (at: number, isLong = false) =>
    at + (isLong ? 8 + Number(view.getBigUint64(at)) : 4 + view.getUint32(at));
  const palette = 26;
  const resources = behind(palette);
  const layers = behind(resources);
  if (isWithoutPicture(view, resources + 4, layers)) {
    throw new ViewerError(
      'The file has layers only. Save it in Photoshop with the option “Maximize compatibility”.',
    );
  }
  const planes = readPlanes(view, behind(layers, header.isLarge), header);
  const read = readerOf(planes, header);
  if (header.mode !== 2) {
    const hasOpacity =
      header.channels > channelsOf[space] && !hasOwnChannels(view, layers, header.isLarge);
    return colourPixels(header, space, read, hasOpacity);
  }
  const colours = bytes.subarray(palette + 4, palette + 4 + 768);
  const coloured: ReadNumber = (pixel, channel) => colours[channel * 256 + read(pixel, 0)] ?? 0;
  return colourPixels(header, space, coloured, false);
}

/**
 * Whether the channels behind the colours are selections that somebody saved: the first is the opacity of the
 * merged picture where the number of layers is negative. Files without layers there do not say which.
 */
function hasOwnChannels(view: DataView, layers: number, isLarge: boolean): boolean {
  const size = isLarge ? 8 : 4;
  const isThere = view.getUint32(layers + size - 4) > size;
  return isThere && view.getInt16(layers + 2 * size) > 0;
}

/** Resource 1057 says whether there is a picture of all layers. */
function isWithoutPicture(view: DataView, from: number, to: number): boolean {
  for (let at = from; at + 12 < to; ) {
    if (view.getUint32(at) !== 0x3842_494d) return false;
    const content = at + 6 + 2 * Math.floor(view.getUint8(at + 6) / 2 + 1);
    if (view.getUint16(at + 4) === 1057) return view.getUint8(content + 8) === 0;
    at = content + 4 + 2 * Math.ceil(view.getUint32(content) / 2);
  }
  return false;
}

const rowBytesOf = ({ width, bits }: PsdHeader) => Math.ceil((width * bits) / 8);

/** The channels one behind the other, as they are or packed row by row (PackBits). */
function readPlanes(view: DataView, at: number, header: PsdHeader): Uint8Array {
  const rowBytes = rowBytesOf(header);
  const rows = Math.min(header.channels, 5) * header.height;
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const compression = view.getUint16(at);
  if (compression === 0) return bytes.subarray(at + 2, at + 2 + rows * rowBytes);
  if (compression !== 1)
    throw new ViewerError('The picture has a compression that cannot be shown here.');
  const planes = new Uint8Array(rows * rowBytes);
  const size = header.isLarge ? 4 : 2;
  let from = at + 2 + header.channels * header.height * size;
  for (let row = 0; row < rows; row += 1) {
    const place = at + 2 + row * size;
    const length = size === 4 ? view.getUint32(place) : view.getUint16(place);
    unpackRow(
      bytes.subarray(from, from + length),
      planes.subarray(row * rowBytes, (row + 1) * rowBytes),
    );
    from += length;
  }
  return planes;
}

/** TIFF 6.0, section 9. */
function unpackRow(packed: Uint8Array, row: Uint8Array): void {
  for (let at = 0, to = 0; at < packed.length && to < row.length; ) {
    const head = packed[at] ?? 128;
    at += 1;
    if (head < 128) {
      row.set(packed.subarray(at, at + Math.min(head + 1, row.length - to)), to);
      at += head + 1;
      to += head + 1;
    } else if (head > 128) {
      row.fill(packed[at] ?? 0, to, to + 257 - head);
      at += 1;
      to += 257 - head;
    }
  }
}

/** Bitmaps are black where a bit is set, and inks are full at 0. */
function readerOf(planes: Uint8Array, header: PsdHeader): ReadNumber {
  const { width, height, bits, mode } = header;
  const rowBytes = rowBytesOf(header);
  if (bits === 1) {
    return (pixel) => {
      const x = pixel % width;
      const byte = planes[Math.floor(pixel / width) * rowBytes + (x >> 3)] ?? 0;
      return (byte >> (7 - (x & 7))) & 1 ? 0 : 255;
    };
  }
  const bytes = bits / 8;
  const read: ReadNumber = (pixel, channel) =>
    planes[(channel * width * height + pixel) * bytes] ?? 0;
  return mode === 4
    ? (pixel, channel) => (channel < 4 ? 255 - read(pixel, channel) : read(pixel, channel))
    : read;
}
