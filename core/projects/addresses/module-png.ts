import { crc32, deflateSync } from 'node:zlib';

/** The modules of a QR code, row by row; 1 is dark. */
export interface Modules {
  size: number;
  data: Uint8Array;
}

/**
 * A picture of `width` pixels of each side, with a white margin of some modules around: a PNG (ISO/IEC 15948) of one
 * bit a pixel. Each row of modules is drawn once, so the largest picture takes some milliseconds; in colours it took
 * 300, for anybody who asked.
 */
export function modulePng({ size, data }: Modules, margin: number, width: number): Buffer {
  const total = size + 2 * margin;
  const moduleAt = (pixel: number) => Math.floor((pixel * total) / width) - margin;
  const isIn = (at: number) => at >= 0 && at < size;
  const drawRow = (row: number) => {
    // The first byte is the filter of the row: none.
    const bytes = Buffer.alloc(1 + Math.ceil(width / 8));
    for (let pixel = 0; pixel < width; pixel += 1) {
      const column = moduleAt(pixel);
      const isDark = isIn(row) && isIn(column) && data[row * size + column] === 1;
      if (!isDark) bytes[1 + (pixel >> 3)] = (bytes[1 + (pixel >> 3)] ?? 0) | (0x80 >> (pixel & 7));
    }
    return bytes;
  };
  const drawn = Array.from({ length: total }, (_, at) => drawRow(at - margin));
  const rows = Array.from({ length: width }, (_, pixel) => moduleAt(pixel) + margin);
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, bitDepth, greyscale, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  const pixels = deflateSync(Buffer.concat(rows.flatMap((row) => drawn[row] ?? [])));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const bitDepth = 1;
const greyscale = 0;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
