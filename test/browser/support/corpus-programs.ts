import { readFileSync } from 'node:fs';
import { brotliCompressSync, deflateSync } from 'node:zlib';
import { type BookType, utils, write } from '@e965/xlsx';
import type { Browser } from 'playwright-core';
import { aBigTiff, aNetpbm, aTga, aTiff } from '../../fixtures/visits/sample-pictures.ts';
import { aWord95, compoundOf } from '../../fixtures/visits/sample-readings.ts';
import { aGltf } from '../../fixtures/visits/sample-models.ts';
import { aSound } from './record-video.ts';
import { zipOf } from './sample-files.ts';
import type { CorpusFile } from './sample-kinds.ts';

const words = 'Tide at the north quay';
const see = { text: words };

/** A table of a font: its tag and what it holds. */
interface FontTable {
  tag: string;
  checksum: number;
  content: Buffer;
}

function tablesOf(font: Buffer): FontTable[] {
  return Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
    const at = 12 + 16 * index;
    const start = font.readUInt32BE(at + 8);
    return {
      tag: font.toString('latin1', at, at + 4),
      checksum: font.readUInt32BE(at + 4),
      content: font.subarray(start, start + font.readUInt32BE(at + 12)),
    };
  });
}

const padded = (part: Buffer) => Buffer.concat([part, Buffer.alloc(-part.length & 3)]);
const unpackedSize = (tables: readonly FontTable[]) =>
  tables.reduce((sum, { content }) => sum + 16 + padded(content).length, 12);

/** The same font with each table packed by deflate (WOFF 1.0, sections 3 to 5). */
function aWoff(font: Buffer): Buffer {
  const tables = tablesOf(font);
  let end = 44 + 20 * tables.length;
  const packed = tables.map(({ content }) => {
    const small = deflateSync(content);
    return small.length < content.length ? small : content;
  });
  const directory = tables.map(({ tag, checksum, content }, index) => {
    const entry = Buffer.alloc(20);
    entry.write(tag, 'latin1');
    const size = packed[index]?.length ?? 0;
    [end, size, content.length, checksum].forEach((one, at) =>
      entry.writeUInt32BE(one, 4 + 4 * at),
    );
    end += size + (-size & 3);
    return entry;
  });
  const head = Buffer.alloc(44);
  head.write('wOFF');
  head.writeUInt32BE(font.readUInt32BE(0), 4);
  head.writeUInt32BE(end, 8);
  head.writeUInt16BE(tables.length, 12);
  head.writeUInt32BE(unpackedSize(tables), 16);
  return Buffer.concat([head, ...directory, ...packed.map(padded)]);
}

/** A number of seven bits in each byte (WOFF 2.0, section 4.1). */
function inSevens(value: number): number[] {
  const rest = Math.floor(value / 128);
  const last = value % 128;
  return rest === 0 ? [last] : [...inSevens(rest).map((byte) => byte | 128), last];
}

/** The same font with all tables packed by Brotli as they are (WOFF 2.0, sections 4.1 and 5). */
function aWoff2(font: Buffer): Buffer {
  const tables = tablesOf(font);
  const directory = tables.map(({ tag, content }) => {
    // Number 63 says that the tag follows; version 3 of glyphs is the one without a transformation.
    const flags = 63 + (/^(?:glyf|loca)$/.test(tag) ? 0xc0 : 0);
    return Buffer.from([flags, ...Buffer.from(tag), ...inSevens(content.length)]);
  });
  const data = brotliCompressSync(Buffer.concat(tables.map(({ content }) => content)));
  const head = Buffer.alloc(48);
  const body = padded(Buffer.concat([...directory, data]));
  head.write('wOF2');
  head.writeUInt32BE(font.readUInt32BE(0), 4);
  head.writeUInt32BE(head.length + body.length, 8);
  head.writeUInt16BE(tables.length, 12);
  head.writeUInt32BE(unpackedSize(tables), 16);
  head.writeUInt32BE(data.length, 20);
  return Buffer.concat([head, body]);
}

function fonts(): CorpusFile[] {
  const sans = readFileSync('node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf');
  const shown = { text: 'The quick brown fox' };
  return [
    { name: 'sans.otf', bytes: sans, see: shown },
    { name: 'sans.woff', bytes: aWoff(sans), see: shown },
    { name: 'sans.woff2', bytes: aWoff2(sans), see: shown },
  ];
}

function aBook(bookType: BookType, rows: readonly (readonly unknown[])[]): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows.map((row) => [...row])), 'Tides');
  const content: Buffer | string = write(book, { type: 'buffer', bookType });
  return Buffer.from(content);
}

/** What programs that are no Excel name `.xls`, and an OpenDocument sheet of 100,000 cells. */
function sheets(): CorpusFile[] {
  const row = `<tr><td>${words}</td><td>9</td></tr>`;
  const many = Array.from({ length: 10_000 }, (_, at) => [words, ...Array(9).fill(at)]);
  return [
    {
      name: 'page.xls',
      bytes: Buffer.from(`<html><body><table>${row}</table></body></html>`),
      see,
    },
    { name: 'tabs.xls', bytes: Buffer.from(`Where\tWhen\r\n${words}\t9\r\n`), see },
    { name: 'xml.xls', bytes: aBook('xlml', [['Where'], [words]]), see },
    { name: 'large.ods', bytes: aBook('ods', many), see },
  ];
}

const red = [179, 54, 26] as const;
const points = <T>(point: readonly T[]): T[] => Array.from({ length: 64 * 48 }, () => point).flat();

function pictures(jpeg: Buffer): CorpusFile[] {
  const see = { selector: '.picture img[src^=blob]' };
  const size = { width: 64, height: 48 };
  const stored = points([...red].toReversed());
  return [
    { name: 'hull.ppm', bytes: aNetpbm('P6 64 48 255\n', points(red)), see },
    { name: 'digits.ppm', bytes: Buffer.from(`P3\n64 48\n255\n${points(red).join(' ')}`), see },
    { name: 'hull.pgm', bytes: aNetpbm('P5 64 48 255\n', points([90])), see },
    { name: 'hull.pbm', bytes: aNetpbm('P4 64 48\n', Array<number>(8 * 48).fill(0xf0)), see },
    {
      name: 'hull.pam',
      bytes: aNetpbm('P7\nWIDTH 64\nHEIGHT 48\nDEPTH 3\nMAXVAL 255\nENDHDR\n', points(red)),
      see,
    },
    { name: 'hull.tga', bytes: aTga({ kind: 2, ...size, bits: 24, data: stored }), see },
    {
      name: 'large.tif',
      bytes: aBigTiff({
        ...size,
        data: Buffer.from(points(red)),
        tags: { 258: [8], 262: [2], 277: [3], 278: [48] },
      }),
      see,
    },
    {
      name: 'hull.hdr',
      bytes: Buffer.concat([
        Buffer.from('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 48 +X 64\n'),
        Buffer.from(points([179, 54, 26, 128])),
      ]),
      see,
    },
    { name: 'ship.dng', bytes: aTiff({ ...size, data: jpeg, tags: { 274: [1] } }), see },
  ];
}

/** Sun's sound of a second, in 16 bits. */
function anAu(): Buffer {
  const sound = Buffer.alloc(24 + 16_000);
  sound.write('.snd');
  [24, 16_000, 3, 8000, 1].forEach((one, at) => sound.writeUInt32BE(one, 4 + 4 * at));
  for (let at = 0; at < 8000; at += 1) {
    sound.writeInt16BE(Math.round(9000 * Math.sin(at / 5)), 24 + 2 * at);
  }
  return sound;
}

async function sounds(browser: Browser): Promise<CorpusFile[]> {
  const audio = { selector: 'audio' };
  return [
    { name: 'bell.au', bytes: anAu(), see: { selector: 'audio[src^=blob]' } },
    { name: 'bell.snd', bytes: anAu(), see: { selector: 'audio[src^=blob]' } },
    { name: 'book.m4b', bytes: await aSound(browser, 'audio/mp4'), see: audio },
    {
      name: 'sound.webm',
      bytes: await aSound(browser, 'audio/webm'),
      see: { alert: /The sound of this film plays/ },
    },
    { name: 'bell.mka', bytes: await aSound(browser, 'audio/webm'), see: audio },
  ];
}

/** What programs that are no Word name `.doc`. */
function namedAsWord(png: Buffer): CorpusFile[] {
  const page = `<html><head><meta charset=windows-1252></head><body><h1>K\u00E4 <o:p></o:p></h1><p>${words}<p>Two<br>three<table><tr><td>One<td><img src="a_files/b.png"></table>`;
  const archive = [
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; boundary="b"',
    '',
    '--b\nContent-Type: text/html\n',
    page,
    '--b\nContent-Location: file:///C:/a_files/b.png\nContent-Type: image/png',
    `Content-Transfer-Encoding: base64\n\n${png.toString('base64')}\n--b--`,
  ].join('\n');
  return [
    { name: 'page.doc', bytes: Buffer.from(page, 'latin1'), see: { text: 'Kä' } },
    { name: 'archive.doc', bytes: Buffer.from(archive), see: { selector: '.prose img' } },
    { name: 'archive.mhtml', bytes: Buffer.from(archive), see: { selector: '.prose td img' } },
    { name: 'rich.doc', bytes: Buffer.from(`{\\rtf1 ${words}\\line two\\par}`), see },
    {
      name: 'xml.doc',
      bytes: Buffer.from(
        `<?xml version="1.0"?><w:wordDocument><w:body><w:p><w:r><w:t>${words}</w:t></w:r></w:p></w:body></w:wordDocument>`,
      ),
      see,
    },
    { name: 'plain.doc', bytes: Buffer.from(`${words}\n`), see },
  ];
}

const mail = (subject: string, more: string, text: string) =>
  `From: a@example.com\nTo: b@example.com\nSubject: ${subject}\n${more}\n${text}\n`;

async function documents(png: Buffer): Promise<CorpusFile[]> {
  const inner = mail('Tide', '', `${words}\n`);
  const forward = `--x\nContent-Type: message/rfc822\n\n${inner}\n--x--`;
  const place = `<Placemark><name>${words}</name><Point><coordinates>10,54</coordinates></Point></Placemark>`;
  const area =
    '<Placemark><name>Dock</name><Polygon><outerBoundaryIs><LinearRing><coordinates>10,54 10.1,54 10.1,54.1 10,54</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>';
  return [
    {
      name: 'forward.eml',
      bytes: Buffer.from(mail('Fwd', 'Content-Type: multipart/mixed; boundary=x\n', forward)),
      see,
    },
    {
      name: 'quays.kmz',
      bytes: await zipOf({ 'doc.kml': `<kml><Document>${place}${area}</Document></kml>` }),
      see,
    },
    {
      name: 'photos.kmz',
      bytes: await zipOf({
        'doc.kml': `<kml><Document>${place.replace('<Point>', '<description>&lt;img src="a.png"&gt;</description><Point>')}</Document></kml>`,
        'a.png': png,
      }),
      see: { selector: '.prose img[alt="Tide at the north quay"]' },
    },
    {
      name: 'bytes.rtf',
      bytes: Buffer.concat([
        Buffer.from(`{\\rtf1 {\\pict\\pngblip\\bin${png.length} `),
        png,
        Buffer.from('}}'),
      ]),
      see: { selector: '.prose img' },
    },
    {
      name: 'pictured.rtf',
      bytes: Buffer.from(
        String.raw`{\rtf1 ${words}\par {\*\shppict{\pict\picwgoal2880\pichgoal2160\pngblip ${png.toString('hex')}}}{\nonshppict{\pict\wmetafile8 00}}\par {\pict\emfblip 00}}`,
      ),
      see: { selector: '.prose img' },
    },
    ...namedAsWord(png),
    { name: 'letter95.doc', bytes: aWord95([{ text: Buffer.from(`${words}\r`) }]), see },
    {
      name: 'plan95.ppt',
      bytes: compoundOf({ PP40: Buffer.alloc(5000) }),
      see: { alert: /PowerPoint 95 or older/ },
    },
    {
      name: 'old.gltf',
      bytes: aGltf({ asset: { version: '1.0' }, accessors: {} }),
      see: { alert: /glTF from before 2017/ },
    },
  ];
}

/** Files as programs of other people name and write them. */
export async function corpusPrograms(
  browser: Browser,
  { png, jpeg }: { png: Buffer; jpeg: Buffer },
): Promise<CorpusFile[]> {
  return [
    ...fonts(),
    ...sheets(),
    ...pictures(jpeg),
    ...(await sounds(browser)),
    ...(await documents(png)),
  ];
}
