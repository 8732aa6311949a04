import { checkSize, colourPixels, damagedPicture, type Pixels, type ReadNumber } from './pixels.ts';

/** Fields of the header (Truevision TGA File Format Specification 2.0, section C). */
interface Header {
  kind: 'indexed' | 'rgb' | 'grey';
  isPacked: boolean;
  width: number;
  height: number;
  /** Bits of a point, or of a colour of the map. */
  bits: number;
  hasOpacity: boolean;
  isFromTop: boolean;
  isFromRight: boolean;
  map: { first: number; length: number; bits: number };
  /** Where the map of colours begins; the points follow it. */
  start: number;
}

const headerBytes = 18;
const kinds = [undefined, 'indexed', 'rgb', 'grey'] as const;
/** A point has a colour, the place of one in the map, or a grey, which may have an opacity. */
const depths = { indexed: [8, 16], rgb: [15, 16, 24, 32], grey: [8, 16] } as const;

/**
 * The picture of a TGA file, which has no mark of its own.
 * @throws ViewerError if it is too large, damaged, or another file
 */
export function readTga(bytes: Uint8Array<ArrayBuffer>): Pixels {
  const header = headerOf(bytes);
  if (header === undefined) throw damagedPicture();
  checkSize(header);
  const { width, height, map } = header;
  const mapBytes = Math.ceil(map.bits / 8);
  const colours = bytes.subarray(header.start, header.start + map.length * mapBytes);
  const points = pointsOf(bytes.subarray(header.start + map.length * mapBytes), header);
  const pointBytes = Math.ceil(header.bits / 8);
  const size = { width, height };
  const placeOf = (pixel: number) => {
    const [row, column] = [Math.floor(pixel / width), pixel % width];
    const y = header.isFromTop ? row : height - 1 - row;
    return (y * width + (header.isFromRight ? width - 1 - column : column)) * pointBytes;
  };
  if (header.kind === 'grey') {
    return colourPixels(
      size,
      'grey',
      (pixel, at) => points[placeOf(pixel) + at] ?? 0,
      pointBytes === 2,
    );
  }
  if (header.kind === 'rgb') {
    const read: ReadNumber = (pixel, channel) =>
      channelOf(points, placeOf(pixel), pointBytes, channel);
    return colourPixels(size, 'rgb', read, header.hasOpacity && isSeen(points, pointBytes));
  }
  return colourPixels(
    size,
    'rgb',
    (pixel, channel) => {
      const at = placeOf(pixel);
      const index = (points[at] ?? 0) + (pointBytes === 2 ? 256 * (points[at + 1] ?? 0) : 0);
      return channelOf(colours, (index - map.first) * mapBytes, mapBytes, channel);
    },
    map.bits === 32 && isSeen(colours, mapBytes),
  );
}

function headerOf(bytes: Uint8Array<ArrayBuffer>): Header | undefined {
  if (bytes.length < headerBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [mapKind, number] = [view.getUint8(1), view.getUint8(2)];
  const kind = number > 11 || (number & 4) !== 0 ? undefined : kinds[number & 3];
  if (kind === undefined || mapKind > 1 || (kind === 'indexed' && mapKind === 0)) return undefined;
  const bits = view.getUint8(16);
  const mapBits = mapKind === 0 ? 0 : view.getUint8(7);
  const areKnown =
    depths[kind].some((one) => one === bits) && [0, 15, 16, 24, 32].includes(mapBits);
  const flags = view.getUint8(17);
  return areKnown
    ? {
        kind,
        isPacked: number > 8,
        width: view.getUint16(12, true),
        height: view.getUint16(14, true),
        bits,
        hasOpacity: bits === 32 && (flags & 15) > 0,
        isFromTop: (flags & 0x20) !== 0,
        isFromRight: (flags & 0x10) !== 0,
        map: {
          first: view.getUint16(3, true),
          length: mapKind * view.getUint16(5, true),
          bits: mapBits,
        },
        start: headerBytes + view.getUint8(0),
      }
    : undefined;
}

/** The points as they are stored without packets. Fewer than the size needs are a damaged file. */
function pointsOf(data: Uint8Array, { width, height, bits, isPacked }: Header): Uint8Array {
  const pointBytes = Math.ceil(bits / 8);
  const all = width * height * pointBytes;
  // A packet has at most 128 points.
  const least = isPacked ? Math.ceil((width * height) / 128) * (1 + pointBytes) : all;
  if (data.length < least) throw damagedPicture();
  return isPacked ? unpacked(data, all, pointBytes) : data;
}

/** Packets of one point again and again, or of points as they are (section C, "Run-length packets"). */
function unpacked(data: Uint8Array, all: number, pointBytes: number): Uint8Array {
  const points = new Uint8Array(all);
  for (let from = 0, to = 0; to < all; ) {
    const head = data[from];
    if (head === undefined) throw damagedPicture();
    const length = Math.min(((head & 127) + 1) * pointBytes, all - to);
    const isRun = head > 127;
    const source = data.subarray(from + 1, from + 1 + (isRun ? pointBytes : length));
    if (source.length < (isRun ? pointBytes : length)) throw damagedPicture();
    for (let at = 0; at < length; at += 1)
      points[to + at] = source[isRun ? at % pointBytes : at] ?? 0;
    from += 1 + source.length;
    to += length;
  }
  return points;
}

/** Red, green, blue or opacity: stored as blue, green, red, or with five bits each. */
function channelOf(from: Uint8Array, at: number, bytes: number, channel: number): number {
  if (bytes > 2) return from[at + (channel === 3 ? 3 : 2 - channel)] ?? 0;
  const word = (from[at] ?? 0) + 256 * (from[at + 1] ?? 0);
  return (((word >> (5 * (2 - channel))) & 31) * 255) / 31;
}

/** Some programs say that there is an opacity, and leave it at zero everywhere. */
function isSeen(from: Uint8Array, bytes: number): boolean {
  for (let at = 3; at < from.length; at += bytes) if (from[at] !== 0) return true;
  return false;
}
