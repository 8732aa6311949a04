import utif, { type IFD } from 'utif2';
import { ViewerError } from '../parts/fetch-file.ts';
import { undoDifferences } from './undo-differences.ts';
import {
  channelsOf,
  type ColourSpace,
  colourPixels,
  type Pixels,
  type ReadNumber,
} from './pixels.ts';

/** Tags of TIFF 6.0 by their numbers. */
const tags = {
  kind: 't254',
  width: 't256',
  height: 't257',
  bits: 't258',
  compression: 't259',
  colours: 't262',
  bitOrder: 't266',
  predictor: 't317',
  offsets: 't273',
  orientation: 't274',
  samples: 't277',
  counts: 't279',
  planes: 't284',
  tileOffsets: 't324',
  tileCounts: 't325',
  extra: 't338',
  format: 't339',
  noData: 't42113',
} as const;

/** The pages of a TIFF, of which one can be decoded; previews and masks are none. */
export function tiffPages(bytes: Uint8Array<ArrayBuffer>): IFD[] {
  const pages = directoriesOf(bytes).filter((page) => areaOf(page) > 0);
  const whole = pages.filter((page) => (numberOf(page, tags.kind) & 0b101) === 0);
  return whole.length > 0 ? whole : pages.toSorted((a, b) => areaOf(b) - areaOf(a)).slice(0, 1);
}

/** The library reads any bytes as directories; those of TIFF and of most cameras begin with `II` or `MM`. */
function directoriesOf(bytes: Uint8Array<ArrayBuffer>): IFD[] {
  const [first, second] = bytes;
  const isKnown = first === second && (first === 0x49 || first === 0x4d);
  return isKnown && endsSomewhere(new DataView(bytes.buffer), first === 0x49)
    ? utif.decode(bytes.buffer)
    : [];
}

/** Bytes of a value by its type (TIFF 6.0 §2), of those that the library reads one by one. */
const valueBytes = [0, 0, 0, 2, 4, 8, 0, 0, 2, 4, 8, 4, 8, 4];
/** Tags that point to further directories: previews, Exif and positions. */
const pointers = [330, 34_665, 34_853];
const maxDirectories = 2000;

/** False where directories name each other in a circle, or values are more than the file: the library reads on for ever. */
function endsSomewhere(view: DataView, isLittle: boolean): boolean {
  const short = (at: number) => (at + 2 <= view.byteLength ? view.getUint16(at, isLittle) : 0);
  const long = (at: number) => (at + 4 <= view.byteLength ? view.getUint32(at, isLittle) : 0);
  const seen = new Set<number>();
  const ahead = [long(4)];
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    if (seen.has(at) || seen.size === maxDirectories) return false;
    seen.add(at);
    const end = at + 2 + short(at) * 12;
    for (let entry = at + 2; entry < Math.min(end, view.byteLength); entry += 12) {
      const values = long(entry + 4);
      if (values * (valueBytes[short(entry + 2)] ?? 0) > view.byteLength) return false;
      if (!pointers.includes(short(entry))) continue;
      const list = values === 1 ? entry + 8 : long(entry + 8);
      for (let value = 0; value < Math.min(values, maxDirectories); value += 1)
        ahead.push(long(list + value * 4));
    }
    if (long(end) !== 0) ahead.push(long(end));
  }
  return true;
}

export function tiffSize(page: IFD): { width: number; height: number } {
  return { width: numberOf(page, tags.width), height: numberOf(page, tags.height) };
}

/** The pixels of one page as they are stored, and how they are turned. */
export function decodeTiffPage(
  bytes: Uint8Array<ArrayBuffer>,
  page: IFD,
): { picture: Pixels; orientation: number } {
  return { picture: pixelsOf(bytes, page), orientation: numberOf(page, tags.orientation) };
}

/** How a camera was held: the tag of the first page, if the file has pages at all. */
export function orientationOf(bytes: Uint8Array<ArrayBuffer>): number {
  try {
    const [first] = directoriesOf(bytes);
    return first === undefined ? 1 : numberOf(first, tags.orientation);
  } catch {
    return 1;
  }
}

const spaces: Readonly<Record<number, ColourSpace>> = {
  0: 'grey',
  1: 'grey',
  2: 'rgb',
  5: 'cmyk',
  8: 'lab',
  9: 'lab',
};

function pixelsOf(bytes: Uint8Array<ArrayBuffer>, page: IFD): Pixels {
  const samples = numberOf(page, tags.samples) || 1;
  const isApart = samples > 1 && numberOf(page, tags.planes) === 2;
  const planes = isApart ? planesOf(bytes, page, samples) : [decoded(bytes, page)];
  const size = tiffSize(page);
  // Read after decoding, because the decoder of JPEG gives RGB.
  const space = spaces[numberOf(page, tags.colours)];
  const isLinear = space === 'rgb' && numberOf(page, tags.bits) === 32;
  if (space === undefined || samples < channelsOf[space] || isLinear) {
    return { ...size, rgba: new Uint8ClampedArray(utif.toRGBA8(page)) };
  }
  const readers = planes.map((plane) => readerOf(plane, isApart ? 1 : samples, bytes[0] === 0x49));
  const read: ReadNumber = (pixel, channel) =>
    (isApart ? readers[channel]?.(pixel, 0) : readers[0]?.(pixel, channel)) ?? 0;
  const hasOpacity = samples > channelsOf[space] && numberOf(page, tags.extra) > 0;
  const shades = shadesOf(page, space, () => rangeOf(read, page, size.width * size.height));
  return colourPixels(
    size,
    space,
    (pixel, channel) => shades(read(pixel, channel), channel),
    hasOpacity,
  );
}

function decoded(bytes: Uint8Array<ArrayBuffer>, page: IFD): IFD {
  const compression = numberOf(page, tags.compression) || 1;
  if (isUnread(page, compression)) {
    throw new ViewerError('The picture has a compression that cannot be shown here.');
  }
  // The library turns the bits of faxes by itself, and those of a JPEG are never turned.
  const isTurned = numberOf(page, tags.bitOrder) === 2 && turned.has(compression);
  utif.decodeImage((isTurned ? bytes.map(turnedByte) : bytes).buffer, page);
  if (numberOf(page, tags.predictor) === 3) {
    const samples = numberOf(page, tags.samples) || 1;
    undoDifferences(page.data, {
      samples,
      numbers: tiffSize(page).width * samples,
      bytes: Math.ceil(numberOf(page, tags.bits) / 8) || 1,
      isLittle: bytes[0] === 0x49,
    });
  }
  return page;
}

function isUnread(page: IFD, compression: number): boolean {
  // The decoder takes the four numbers of a JPEG for inks.
  const isOfFour = numberOf(page, tags.samples) === 4 && numberOf(page, tags.colours) === 2;
  // The differences of fractions begin again in each tile.
  const isTiled = page[tags.tileOffsets] !== undefined && numberOf(page, tags.predictor) === 3;
  return unread.has(compression) || (compression === 7 && isOfFour) || isTiled;
}

/** LZMA, Zstandard, WebP, JPEG XL and JPEG 2000: the library leaves pictures black that it cannot unpack. */
const unread: ReadonlySet<number> = new Set([
  34_925, 34_926, 50_000, 50_001, 50_002, 52_546, 34_712,
]);

/** None, LZW, deflate and PackBits. */
const turned: ReadonlySet<number> = new Set([1, 5, 8, 32_773, 32_946]);

/** The first bit is the lowest (TIFF 6.0, section 8, FillOrder). */
function turnedByte(byte: number): number {
  let other = 0;
  for (let bit = 0; bit < 8; bit += 1) other = (other << 1) | ((byte >> bit) & 1);
  return other;
}

/** Pictures whose red, green and blue are one behind the other; the library reads each as a grey one. */
function planesOf(bytes: Uint8Array<ArrayBuffer>, page: IFD, samples: number): IFD[] {
  const lists = [tags.offsets, tags.counts, tags.tileOffsets, tags.tileCounts] as const;
  return Array.from({ length: Math.min(samples, 5) }, (_, at) => {
    const plane: IFD = { ...page, [tags.samples]: [1] };
    for (const list of lists) {
      const all = page[list];
      if (!Array.isArray(all)) continue;
      const each = all.length / samples;
      plane[list] = all.slice(at * each, (at + 1) * each).map(Number);
    }
    return decoded(bytes, plane);
  });
}

const isGrey = (page: IFD) => numberOf(page, tags.colours) < 2;
const isSigned = (page: IFD) => isGrey(page) && numberOf(page, tags.format) === 2;
const isFraction = (page: IFD) => numberOf(page, tags.format) === 3;

/** The numbers of decoded data as they are stored. */
function readerOf(page: IFD, samples: number, isLittle: boolean): ReadNumber {
  const { data } = page;
  const { width } = tiffSize(page);
  const bits = numberOf(page, tags.bits) || 1;
  const rowBits = Math.ceil((width * samples * bits) / 8) * 8;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const whole = wholeReader(view, page, isLittle);
  if (whole !== undefined) {
    const count = Math.floor((data.length * 8) / bits);
    return (pixel, channel) => {
      const at = pixel * samples + channel;
      return at < count ? whole((at * bits) / 8) : 0;
    };
  }
  return (pixel, channel) => {
    const from = Math.floor(pixel / width) * rowBits + ((pixel % width) * samples + channel) * bits;
    let value = 0;
    for (let at = from; at < from + bits; at += 1) {
      value = value * 2 + (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    }
    return value;
  };
}

/** Reads numbers of whole bytes. The library has put those of two bytes into little endian. */
function wholeReader(
  view: DataView,
  page: IFD,
  isLittle: boolean,
): ((at: number) => number) | undefined {
  const bits = numberOf(page, tags.bits);
  if (bits === 8) return (at) => (isSigned(page) ? view.getInt8(at) : view.getUint8(at));
  if (bits === 16) {
    return (at) => (isSigned(page) ? view.getInt16(at, true) : view.getUint16(at, true));
  }
  if (bits === 32 && isFraction(page)) return (at) => view.getFloat32(at, isLittle);
  if (bits === 32) {
    return (at) => (isSigned(page) ? view.getInt32(at, isLittle) : view.getUint32(at, isLittle));
  }
  if (bits === 64 && isFraction(page)) return (at) => view.getFloat64(at, isLittle);
  if (bits > 16 || isFraction(page)) {
    throw new ViewerError('The picture has numbers of a kind that cannot be shown here.');
  }
  return undefined;
}

/** Makes the stored numbers of a colour space ones from 0 to 255. */
function shadesOf(
  page: IFD,
  space: ColourSpace,
  range: () => Range,
): (value: number, channel: number) => number {
  const bits = numberOf(page, tags.bits) || 1;
  const most = 2 ** bits - 1;
  if (space === 'lab' && numberOf(page, tags.colours) === 8) {
    // Its colours are signed numbers (TIFF 6.0, section 23).
    const middle = 2 ** (bits - 1);
    return (value, channel) =>
      (channel === 0 ? value : (value + middle) % (most + 1)) * (255 / most);
  }
  if (space !== 'grey' && !isFraction(page)) return (value) => value * (255 / most);
  const { low, high } = bits >= 16 || isSigned(page) ? range() : { low: 0, high: most };
  const factor = 255 / (high - low || 1);
  if (numberOf(page, tags.colours) === 0) return (value) => (high - value) * factor;
  const isInRange = (channel: number) => channel === 0 || space !== 'grey';
  return (value, channel) => (isInRange(channel) ? (value - low) * factor : (value * 255) / most);
}

interface Range {
  low: number;
  high: number;
}

/** Heights and measurements have ranges of their own, and cameras of microscopes use twelve bits. */
function rangeOf(read: ReadNumber, page: IFD, count: number): Range {
  const noData = page[tags.noData] === undefined ? Number.NaN : numberOf(page, tags.noData);
  let low = Infinity;
  let high = -Infinity;
  for (let pixel = 0; pixel < count; pixel += 1) {
    const value = read(pixel, 0);
    if (value === noData || !(Math.abs(value) < 1e30)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const isPlain = !isSigned(page) && low >= 0;
  if (isPlain && isFraction(page) && high <= 1) return { low: 0, high: 1 };
  return isPlain && numberOf(page, tags.bits) === 16 && high > 4095
    ? { low: 0, high: 65_535 }
    : { low, high };
}

const areaOf = (page: IFD) => numberOf(page, tags.width) * numberOf(page, tags.height);

function numberOf(page: IFD, tag: string): number {
  const value = page[tag];
  return Array.isArray(value) ? Number(value[0]) || 0 : 0;
}
