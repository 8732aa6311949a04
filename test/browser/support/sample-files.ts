import { crc32, deflateSync } from 'node:zlib';
import JSZip from 'jszip';

/** A picture of one colour (PNG, third edition, section 5). */
export function aPng(width: number, height: number, [red, green, blue]: [number, number, number]) {
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x += 1) row.set([red, green, blue], 1 + x * 3);
  return pngOf(width, height, Buffer.concat(Array.from({ length: height }, () => row)));
}

/** A picture of points without an order, which cannot be compressed; the same for the same `seed`. */
export function aNoisyPng(width: number, height: number, seed: number): Buffer {
  const rows = noise(height * (1 + width * 3), seed);
  // The first byte of a row says how it is coded.
  for (let at = 0; at < rows.length; at += 1 + width * 3) rows[at] = 0;
  return pngOf(width, height, rows);
}

/** Bytes without an order, which cannot be compressed; the same for the same `seed`. */
export function noise(length: number, seed = 0): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed + 1;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

function pngOf(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A picture of one colour with 16 bits for each channel, of which all are different. */
export function aDeepPng(width: number, height: number, colour: [number, number, number]) {
  const pixel = Buffer.alloc(6);
  for (const [at, value] of colour.entries()) pixel.writeUInt16BE(value * 256 + 77, at * 2);
  const row = Buffer.concat([Buffer.alloc(1), ...Array.from({ length: width }, () => pixel)]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([16, 2], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** One page that says `text` (ISO 32000-1, section 7.5). */
export function aPdf(text: string): Buffer {
  const drawing = `BT /F 24 Tf 40 100 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let pdf = '%PDF-1.4\n';
  let table = '0000000000 65535 f \n';
  for (const [index, object] of objects.entries()) {
    table += `${String(pdf.length).padStart(10, '0')} 00000 n \n`;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const size = objects.length + 1;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
  return Buffer.from(`${pdf}xref\n0 ${size}\n${table}${end}`);
}

/** A steady tone of `seconds`; 88,200 bytes each (RIFF WAVE, 16-bit mono at 44.1 kHz). */
export function aWav(seconds: number): Buffer {
  const bytesPerSecond = 88_200;
  const wave = Buffer.alloc(bytesPerSecond);
  for (let at = 0; at < 44_100; at += 1) {
    wave.writeInt16LE(Math.round(3000 * Math.sin((at * 2 * Math.PI) / 100)), at * 2);
  }
  const length = seconds * bytesPerSecond;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(44_100, 24);
  header.writeUInt32LE(bytesPerSecond, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(length, 40);
  return Buffer.concat([header, ...Array.from({ length: seconds }, () => wave)]);
}

/** A ZIP of these files. */
export function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [path, body] of Object.entries(files)) zip.file(path, body);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}
