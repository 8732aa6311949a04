import { deflateSync, gzipSync } from 'node:zlib';
import JSZip from 'jszip';
import { type BookType, type WorkSheet, utils, write } from '@e965/xlsx';
import utif from 'utif2';
import {
  aBinaryWord,
  aFictionBook,
  anEpub,
  aWord95,
  anOpenDocument,
} from '../../fixtures/visits/sample-readings.ts';
import { bomb } from '../../fixtures/archives/hostile-archives.ts';
import { aSevenZipBomb } from '../../fixtures/archives/sample-seven-zip.ts';
import { aDatabase, lyingArrow, lyingParquet } from '../../fixtures/visits/sample-data.ts';
import { aDocx, aDrawing } from '../../fixtures/visits/sample-documents.ts';
import { aZstd } from '../../fixtures/archives/sample-zstd.ts';
import { aTar } from '../../fixtures/archives/sample-tar.ts';
import { anFbx } from '../../fixtures/visits/sample-scenes.ts';
import { aGlb, aGltf, anStl } from '../../fixtures/visits/sample-models.ts';
import {
  aBigTiff,
  aHeic,
  aJpx,
  aNetpbm,
  aPsd,
  aTga,
} from '../../fixtures/visits/sample-pictures.ts';
import {
  crowdedXfa,
  deepXfa,
  repeatedXfa,
  withAttachments,
  withOptions,
} from '../../fixtures/visits/hostile-pdfs.ts';
import { aDocumentOf, aStream } from '../../fixtures/visits/sample-pdfs.ts';
import { brokenFiles, hostileRecords } from './hostile-records.ts';
import { aPng, zipOf } from './sample-files.ts';
import type { HostileFile } from './sample-kinds.ts';

const words = 'Tide at the north quay';
const text = { text: words };
const refused = { alert: /damaged|too large|too many|takes too long|features? that/ };
const far = 'https://elsewhere.example/far';

function aBook(bookType: BookType, change: (sheet: WorkSheet) => void = () => undefined): Buffer {
  const sheet = utils.aoa_to_sheet([['Where'], [words]]);
  change(sheet);
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'Tides');
  return write(book, { type: 'buffer', bookType });
}

/** A formula that would fetch something. */
function withFormula(sheet: WorkSheet): void {
  sheet['B1'] = { t: 's', v: words, f: `WEBSERVICE("${far}")` };
  sheet['!ref'] = 'A1:B2';
}

/** A sheet that says it has all the cells that a sheet can have, and shows them as one. */
async function greedyXlsx(): Promise<Buffer> {
  const zip = await JSZip.loadAsync(aBook('xlsx', withFormula));
  const path = 'xl/worksheets/sheet1.xml';
  const xml = (await zip.file(path)?.async('string')) ?? '';
  const greedy = xml
    .replace(/<dimension[^>]*>/, '<dimension ref="A1:XFD1048576"/>')
    .replace(
      '</sheetData>',
      '</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
    );
  return zip.file(path, greedy).generateAsync({ type: 'nodebuffer' });
}

async function anOds(change: (xml: string) => string): Promise<Buffer> {
  const zip = await JSZip.loadAsync(aBook('ods'));
  const xml = (await zip.file('content.xml')?.async('string')) ?? '';
  return zip.file('content.xml', change(xml)).generateAsync({ type: 'nodebuffer' });
}

/** Rows and cells that each stand for as many as a sheet can have. */
const repeatedXml = (xml: string) =>
  xml
    .replaceAll('<table:table-row', '<table:table-row table:number-rows-repeated="1048576"')
    .replaceAll('<table:table-cell', '<table:table-cell table:number-columns-repeated="16384"');

const xmlWithEntities = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "${'x'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}"><!ENTITY d SYSTEM "${far}">]><a>${'&c;'.repeat(1000)}&d;</a>`;

/** Ten million pages of eight objects: each level names the next one ten times. */
function endlessPages(): Buffer {
  const levels = 7;
  const level = (at: number) =>
    `<< /Type /Pages /Count ${10 ** (levels - at)} /Kids [${`${at === levels - 1 ? 5 : 8 + at} 0 R `.repeat(10)}] >>`;
  const pages = Array.from({ length: levels }, (_, at) => level(at));
  return aDocumentOf([{ lines: [words] }], { catalog: '/Pages 7 0 R', objects: pages });
}

/** A page whose drawing inflates to 64 MiB. */
function drawnBomb(): Buffer {
  const packed = deflateSync(Buffer.alloc(64 * 1024 * 1024, ' ')).toString('latin1');
  return aDocumentOf([{ lines: [] }], {
    catalog: '/Pages 7 0 R',
    objects: [
      '<< /Type /Pages /Count 1 /Kids [8 0 R] >>',
      '<< /Type /Page /Parent 7 0 R /MediaBox [0 0 300 400] /Contents 9 0 R >>',
      aStream(packed, '/Filter /FlateDecode'),
    ],
  });
}

function withPixels(png: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** A TIFF of one pixel that says it has ten billion. */
function hugeTiff(): Buffer {
  const bytes = Buffer.from(utif.encodeImage(new Uint8Array(4), 1, 1));
  const directory = bytes.readUInt32BE(4);
  for (let at = directory + 2; at < directory + 26; at += 12) {
    if (bytes.readUInt16BE(at) > 257) continue;
    bytes.writeUInt16BE(4, at + 2);
    bytes.writeUInt32BE(100_000, at + 8);
  }
  return bytes;
}

const svg = (content: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="48">${content}</svg>`,
  );

/** Ten levels of ten copies of the level before. */
function nestedUses(attribute: string): string {
  const level = (at: number) =>
    `<g id="l${at}">${`<use ${attribute}="#l${at - 1}"/>`.repeat(10)}</g>`;
  const levels = Array.from({ length: 10 }, (_, at) => level(at + 1));
  return `<rect id="l0" width="1" height="1"/>${levels.join('')}`;
}

const ply = (header: string, body = '') =>
  Buffer.from(`ply\nformat ascii 1.0\n${header}\nend_header\n${body}`);
const points = 'property float x\nproperty float y\nproperty float z';

const tables: HostileFile[] = [
  {
    name: 'wide.csv',
    make: () => Buffer.from(`${words}\n${','.repeat(2_000_000)}\n`),
    see: text,
    most: { th: 256, 'tbody tr': 120 },
  },
  {
    name: 'long.csv',
    make: () => Buffer.from(`${words},b\n${'1,2\n'.repeat(2_000_000)}`),
    see: text,
    most: { 'tbody tr': 120 },
  },
  {
    name: 'unclosed.tsv',
    make: () => Buffer.from(`${words}\tb\n"${'x\ty\n'.repeat(500_000)}`),
    see: text,
  },
  {
    name: 'heading.csv',
    make: () => Buffer.from(`${words}${' "'.repeat(2_000_000)}`),
    // The rest of the heading is left out.
    see: { text: '" …' },
  },
  {
    name: 'formula.csv',
    make: () =>
      Buffer.from(`${words},b\n=cmd|' /C calc'!A0,"=WEBSERVICE(""${far}"")"\n<img src=${far}>,x\n`),
    see: text,
  },
  {
    name: 'greedy.xlsx',
    make: greedyXlsx,
    see: { text: 'Where' },
    most: { 'tbody td': 60_000 },
  },
  {
    name: 'formula.xls',
    make: () => aBook('xls', withFormula),
    see: text,
    most: { 'tbody td': 60_000 },
  },
  { name: 'bomb.xlsx', make: bomb, see: refused },
  {
    name: 'entities.xlsx',
    make: () => zipOf({ 'xl/workbook.xml': xmlWithEntities }),
    see: refused,
  },
  {
    name: 'repeats.ods',
    make: () => anOds(repeatedXml),
    see: { text: 'Where' },
    most: { 'tbody td': 60_000 },
  },
  {
    name: 'deep.ods',
    make: () => anOds((xml) => xml.replace('</table:table>', '<table:table>'.repeat(100_000))),
    see: { text: 'The file has no sheets.' },
  },
];

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';

const data: HostileFile[] = [
  {
    name: 'bomb.tgz',
    make: () => gzipSync(aTar({ path: words, content: Buffer.alloc(64 * 1024 * 1024) })),
    see: text,
  },
  {
    name: `${words}.txt.zst`,
    make: () => aZstd(Buffer.from(words), { repeated: 60_000 }),
    see: text,
  },
  { name: 'lying.arrow', make: lyingArrow, see: refused },
  { name: 'bomb.7z', make: aSevenZipBomb, see: refused },
  { name: 'lying.parquet', make: lyingParquet, see: refused, isDeadlineShort: true },
  {
    name: 'endless.sqlite',
    make: () =>
      aDatabase(`CREATE TABLE a (b, c AS (printf('%.*c', 20000000, 'x')));
        INSERT INTO a ${endless} SELECT '${words}' FROM n LIMIT 1000;
        CREATE VIEW v AS ${endless} SELECT * FROM n;
        ${Array.from({ length: 200 }, (_, at) => `CREATE TABLE t${at} (${Array.from({ length: 300 }, (_, column) => `c${column}`).join()});`).join('')}`),
    see: text,
    most: { '.sheet-tabs button': 100, th: 256 },
  },
];

const documents: HostileFile[] = [
  { name: 'bomb.docx', make: bomb, see: refused },
  { name: 'far.docx', make: () => aDocx(words, { body: aDrawing('far') }), see: text },
  {
    name: 'runs.docx',
    make: () => aDocx(words, { body: `<w:p>${'<w:r><w:t>'.repeat(150_000)}</w:p>` }),
    see: refused,
  },
  {
    name: 'hyphens.docx',
    make: () =>
      aDocx(words, { body: `<w:p><w:r>${'<w:noBreakHyphen/>'.repeat(600_000)}</w:r></w:p>` }),
    see: refused,
  },
  {
    name: 'grid.docx',
    make: () =>
      aDocx(words, {
        body: `<w:tbl><w:tblGrid>${'<w:gridCol/>'.repeat(300_000)}</w:tblGrid></w:tbl>`,
      }),
    see: refused,
  },
  {
    name: 'notes.docx',
    make: () =>
      aDocx(words, {
        body: `<w:p>${'<w:r><w:footnoteReference w:id="2"/></w:r>'.repeat(1000)}</w:p>`,
        relations: [['notes', 'footnotes', 'footnotes.xml']],
        parts: {
          'word/footnotes.xml': `<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:footnote w:id="2"><w:p>${'<w:r><w:t>a</w:t></w:r>'.repeat(1000)}</w:p></w:footnote></w:footnotes>`,
        },
      }),
    see: refused,
  },
  ...(
    [
      ['header-pages.docx', 1500, 1000],
      ['header-runs.docx', 1, 400_000],
    ] as const
  ).map(([name, pages, runs]) => ({
    name,
    make: () =>
      aDocx(words, {
        body: `${'<w:p><w:r><w:br w:type="page"/></w:r></w:p>'.repeat(pages)}<w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="header"/></w:sectPr></w:pPr></w:p>`,
        relations: [['header', 'header', 'header1.xml'] as [string, string, string]],
        parts: {
          'word/header1.xml': `<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:p>${'<w:r><w:t>a</w:t></w:r>'.repeat(runs)}</w:p></w:hdr>`,
        },
      }),
    see: refused,
  })),
  {
    name: 'links.docx',
    make: () =>
      aDocx(words, {
        body: `<w:p>${'<w:hyperlink r:id="r49999"/>'.repeat(50_000)}</w:p>`,
        relations: Array.from({ length: 50_000 }, (_, at) => [`r${at}`, 'hyperlink', 'a']),
      }),
    see: refused,
  },
  {
    name: 'deep.docx',
    make: () =>
      aDocx(words, {
        body: `${'<w:tbl><w:tr><w:tc>'.repeat(1200)}<w:p/>${'</w:tc></w:tr></w:tbl>'.repeat(1200)}`,
      }),
    see: { selector: '[data-fault]:not([hidden]), .docx' },
  },
  {
    name: 'entities.docx',
    make: () => aDocx(words, { parts: { 'word/document.xml': xmlWithEntities } }),
    see: refused,
  },
  { name: 'bomb.pptx', make: bomb, see: refused },
  {
    name: 'entities.pptx',
    make: () => zipOf({ 'ppt/presentation.xml': xmlWithEntities }),
    see: refused,
  },
];

const sounds: HostileFile[] = [
  {
    name: 'greedy.au',
    make: () =>
      Buffer.from(
        '.snd\0\0\0\x18\xff\xff\xff\xff\0\0\0\x03\0\0\x1f\x40\0\0\0\x01\x01\x02',
        'latin1',
      ),
    see: { selector: 'audio[src^=blob]' },
  },
  {
    name: 'beyond.au',
    make: () => Buffer.alloc(1_000_000, '.snd\xff\xff\xff\xff', 'latin1'),
    see: { alert: /cannot play this recording/ },
  },

  {
    name: 'greedy.aiff',
    make: () =>
      Buffer.from(
        'FORM\xff\xff\xff\xffAIFFCOMM\0\0\0\x12\0\x01\xff\xff\xff\xff\0\x10\x40\x0b\xfa\0\0\0\0\0\0\0SSND\xff\xff\xff\xff\0\0\0\0\0\0\0\0\x01\x02',
        'latin1',
      ),
    see: { selector: 'audio[src^=blob]' },
  },
  {
    name: 'noise.wav',
    make: () => Buffer.alloc(1_000_000, 'RIFF'),
    see: { alert: /cannot play this recording/ },
  },
];

const readings: HostileFile[] = [
  {
    name: 'bomb.kmz',
    make: () => zipOf({ 'doc.kml': Buffer.alloc(64 * 1024 * 1024) }),
    see: refused,
  },
  {
    name: 'long.kmz',
    make: () =>
      zipOf({
        'doc.kml': `<kml><Document><name>${words}</name>${'<Placemark><name>x</name><Point><coordinates>10,54</coordinates></Point></Placemark>'.repeat(100_000)}`,
      }),
    see: { text: 'The rest is left out' },
    most: { td: 2000 },
  },
  {
    name: 'far.kmz',
    make: () => zipOf({ 'doc.kml': `<kml><NetworkLink><href>${far}</href></NetworkLink></kml>` }),
    see: { alert: /names no places/ },
  },
  {
    name: 'pieces.doc',
    make: () => {
      const bytes = aWord95([{ text: Buffer.from(`${words}\r`) }], { isInPieces: true });
      // Every place and length of its pieces is the largest number.
      const at = bytes.indexOf(Buffer.from([2, 28, 0, 0, 0]));
      return bytes.fill(0xff, at + 5, at + 30);
    },
    see: { selector: '[data-fault]:not([hidden]), article' },
  },

  { name: 'bomb.odt', make: bomb, see: refused },
  { name: 'bomb.epub', make: bomb, see: refused },
  {
    name: 'entities.odt',
    make: () => zipOf({ 'content.xml': xmlWithEntities }),
    see: refused,
  },
  {
    name: 'deep.odt',
    make: () => anOpenDocument('text', '<text:section>'.repeat(100_000)),
    see: { alert: /nested too deeply/ },
  },
  {
    name: 'long.odt',
    make: () => anOpenDocument('text', `<text:p>${words}</text:p>`.repeat(100_000)),
    see: { text: 'The rest is left out' },
    most: { 'article p': 20_010 },
  },
  {
    name: 'repeats.odt',
    make: () =>
      anOpenDocument(
        'text',
        `<text:p>${words}</text:p><table:table>${`<table:table-row>${'<table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell>'.repeat(300)}</table:table-row>`.repeat(100)}</table:table>`,
      ),
    see: text,
    most: { td: 20_000 },
  },
  {
    name: 'script.epub',
    make: () =>
      anEpub({
        One: `<p>${words}</p><script>alert(1)</script><p onclick="alert(1)"><a href="javascript:alert(1)">x</a><img src="${far}" alt="x"/></p>`,
      }),
    see: text,
    most: { 'article a[href^=javascript]': 0, 'article script': 0 },
  },
  {
    name: 'crowded.fb2',
    make: () =>
      aFictionBook(
        `${words}${'<image l:href="#hull"/>'.repeat(50_000)}`,
        aPng(600, 600, [1, 2, 3]).toString('base64'),
      ),
    see: text,
    most: { 'article img': 20_000 },
  },
  {
    name: 'deep.fb2',
    make: () => aFictionBook(`${words}${'<a>'.repeat(200_000)}`),
    see: { alert: /nested/ },
  },
  {
    name: 'chunks.docx',
    make: () =>
      aDocx(words, {
        body: `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>${'<w:altChunk r:id="chunk"/>'.repeat(20_000)}`,
        relations: [['chunk', 'aFChunk', 'chunk.html']],
        parts: { 'word/chunk.html': `<p onclick="alert(1)">${'Far '.repeat(300_000)}</p>` },
      }),
    see: text,
  },
  {
    name: 'empty-chunks.docx',
    make: () =>
      aDocx(words, {
        body: '<w:altChunk r:id="chunk"/>'.repeat(3000),
        relations: [['chunk', 'aFChunk', 'chunk.html']],
        parts: { 'word/chunk.html': `<html>${'<p></p>'.repeat(200_000)}` },
      }),
    see: text,
  },
  {
    name: 'open-chunks.docx',
    make: () => aDocx(words, { body: '<w:altChunk a=""></w:altChunk >'.repeat(100_000) }),
    see: text,
  },
  {
    name: 'related-chunks.docx',
    make: () =>
      aDocx(words, {
        body: '<w:altChunk r:id="none"/>'.repeat(5000),
        relations: Array.from({ length: 20_000 }, (_, at) => [`r${at}`, 'aFChunk', 'chunk.html']),
      }),
    see: text,
  },
  {
    name: 'formats.doc',
    make: () => {
      const formats = Array.from({ length: 450 }, (_, at) => `<b id="${at}</b>">`);
      return Buffer.from(`<html><p>${words}${formats.join('')}${'<p>x'.repeat(100_000)}`);
    },
    see: text,
  },
  {
    name: 'divs.doc',
    make: () => Buffer.from(`<html><p>${words}${'<div id="</div>">'.repeat(100_000)}`),
    see: text,
  },
  {
    name: 'tables.doc',
    make: () =>
      Buffer.from(`<html><p>${words}${'<table><tr><td id="</td></tr></table>">'.repeat(20_000)}`),
    see: text,
  },
  {
    name: 'lying.ttc',
    make: () =>
      Buffer.concat([
        Buffer.from('ttcf\0\u0001\0\0\0\0\0\u0001\0\0\0\u0010'),
        Buffer.alloc(200, 255),
      ]),
    see: refused,
  },
  {
    name: 'long.doc',
    make: () => Buffer.from(`<html><body>${`<p>${words} at nine</p>`.repeat(500_000)}`),
    see: { text: 'The rest is left out.' },
  },
  {
    name: 'script.doc',
    make: () =>
      Buffer.from(
        `<html><p>${words}</p><script>alert(1)</script><p onclick="alert(1)"><a href="javascript:alert(1)">x</a><img src="${far}" onerror="alert(1)" alt="x">`,
      ),
    see: text,
    most: { 'article a[href^=javascript]': 0, 'article script': 0, 'article img': 0 },
  },
  {
    name: 'deep.doc',
    make: () => Buffer.from(`<html>${words}${'<div>'.repeat(200_000)}`),
    see: { selector: 'article, [data-fault]:not([hidden])' },
  },
  {
    name: 'spaces.mht',
    make: () =>
      Buffer.from(
        `Content-Type: multipart/related; boundary=B\n\n--B\nContent-Type: text/html\n\n<p>${words}</p>\n--B${' '.repeat(300_000)}\nx\n--B--`,
      ),
    see: text,
  },
  {
    name: 'pictures.doc',
    make: () => Buffer.from(`{\\rtf1 ${words} ${'{\\pict a}'.repeat(2_000_000)}}`),
    see: text,
  },
  {
    name: 'circle.doc',
    make: () => {
      const bytes = aBinaryWord([{ text: `${words}\r` }]);
      // Every sector is followed by the first one.
      for (let at = 512; at < 1024; at += 4) bytes.writeUInt32LE(0, at);
      return bytes;
    },
    see: { selector: '[data-fault]:not([hidden]), article' },
  },
  {
    name: 'endless.ppt',
    make: () => Buffer.concat([aBinaryWord([]).subarray(0, 512), Buffer.alloc(100_000, 0)]),
    see: refused,
  },
];

const pdfs: HostileFile[] = [
  {
    name: 'endless.pdf',
    make: endlessPages,
    see: { text: 'Only the first' },
    most: { '.leaf': 10_000 },
    workers: 1,
  },
  { name: 'drawn.pdf', make: drawnBomb, see: { selector: '.leaf canvas' }, workers: 1 },
  {
    name: 'scripts.pdf',
    make: () =>
      aDocumentOf([{ lines: [words] }], {
        catalog: `/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /AA << /WC << /S /URI /URI (${far}) >> >>`,
      }),
    see: text,
    workers: 1,
  },
  {
    name: 'fields.pdf',
    make: () =>
      aDocumentOf([
        {
          lines: [words],
          annotations: Array.from(
            { length: 20_000 },
            (_, at) =>
              `<< /Type /Annot /Subtype /Widget /FT /Tx /T (f${at}) /V (x) /Rect [0 0 9 9] >>`,
          ),
        },
      ]),
    see: text,
    most: { '.fields section': 1000 },
    workers: 1,
  },
  {
    name: 'notes.pdf',
    make: () =>
      aDocumentOf([
        {
          lines: [words],
          annotations: Array.from(
            { length: 20_000 },
            () => '<< /Type /Annot /Subtype /Text /Contents (x) /Rect [0 0 9 9] >>',
          ),
        },
      ]),
    see: text,
    most: { '.comment': 1000 },
    workers: 1,
  },
];

const tooSlow = { selector: '#slow:not([hidden])' };
const tooLarge = { text: 'This page has too many parts' };

const forms: HostileFile[] = [
  { name: 'repeats.pdf', make: () => repeatedXfa(words, [100_000_000]), see: tooSlow, workers: 1 },
  {
    name: 'nested.pdf',
    make: () => repeatedXfa(words, [100, 100, 100, 100]),
    see: tooSlow,
    workers: 1,
    isDeadlineShort: true,
  },
  {
    name: 'crowded.pdf',
    make: () => crowdedXfa(words, 12_000),
    // A slow machine reaches the limit of time before that of parts.
    see: { selector: `${tooSlow.selector}, :text("${tooLarge.text}")` },
    most: { '.xfa *': 0 },
    workers: 1,
  },
  {
    name: 'deep.pdf',
    make: () => deepXfa(words, 400),
    see: tooLarge,
    most: { '.xfa *': 0 },
    workers: 1,
  },
  {
    name: 'options.pdf',
    make: () => withOptions(words, Array<number>(1000).fill(4000)),
    see: { selector: '.uncounted' },
    most: { '.fields option': 8010 },
    workers: 1,
  },
];

const attachments: HostileFile[] = [
  {
    name: 'attached.pdf',
    make: () => withAttachments(words, 1, 128),
    press: ['Contents', 'Attachments'],
    see: { text: 'f0.bin is too large' },
    most: { '[data-attachments] button:enabled': 0 },
    workers: 1,
  },
  {
    name: 'attachments.pdf',
    make: () => withAttachments(words, 400, 128),
    press: ['Contents', 'Attachments'],
    see: { text: 'The attached files take too long to read.' },
    workers: 1,
    isDeadlineShort: true,
  },
];

const pictures: HostileFile[] = [
  {
    name: 'huge.hdr',
    make: () => Buffer.from('#?RADIANCE\n\n-Y 99999 +X 99999\n'),
    see: refused,
  },
  { name: 'huge.ppm', make: () => aNetpbm('P6 99999 99999 255\n'), see: refused },
  { name: 'empty.pgm', make: () => aNetpbm('P2 7000 7000 255\n'), see: refused },
  { name: 'comments.pbm', make: () => Buffer.alloc(20_000_000, 'P1 9 9\n#'), see: refused },
  {
    name: 'huge.tga',
    make: () => aTga({ kind: 10, width: 65_535, height: 65_535, bits: 32 }),
    see: refused,
  },
  {
    name: 'packets.tga',
    make: () => aTga({ kind: 10, width: 7000, height: 7000, bits: 24, data: [255, 1, 2, 3] }),
    see: refused,
  },
  {
    name: 'values.tiff',
    make: () => {
      const bytes = aBigTiff({ width: 1, height: 1, data: Buffer.from([7]), tags: {} });
      // Its first tag says that it has as many values as fit into eight bytes.
      return bytes.fill(0xff, bytes.indexOf(Buffer.from([0, 1, 16, 0])) + 4, bytes.length - 8);
    },
    see: refused,
  },

  {
    name: 'huge.png',
    make: () => withPixels(aPng(1, 1, [1, 2, 3]), 100_000, 100_000),
    see: refused,
  },
  { name: 'huge.tif', make: hugeTiff, see: refused },
  {
    name: 'huge.jxl',
    make: () => Buffer.from([0xff, 0x0a, 0xfe, 0xff, 0xff, 0xff, 0xe1, 0xff, 0xff, 0xff, 0x7f]),
    see: refused,
  },
  {
    name: 'huge.psd',
    make: () => aPsd({ width: 300_000, height: 300_000, mode: 3, bits: 8 }, []),
    see: refused,
  },
  {
    name: 'lengths.psb',
    make: () => {
      const bytes = aPsd({ width: 2, height: 2, mode: 3, bits: 8 }, []);
      return bytes.fill(0xff, 26);
    },
    see: refused,
  },
  {
    name: 'huge.jp2',
    make: () => {
      const bytes = aJpx();
      return bytes.fill(0x7f, bytes.indexOf('\xff\x51', 'latin1') + 6).subarray(0, 300);
    },
    see: refused,
  },
  {
    name: 'huge.heic',
    make: () => {
      const bytes = aHeic();
      // Its grid (ISO/IEC 23008-12, section 6.6.2.3) says it has four billion columns.
      return bytes.fill(0xff, bytes.indexOf('ispe') + 8, bytes.indexOf('ispe') + 16);
    },
    see: refused,
  },
  {
    name: 'heads.nef',
    make: () => Buffer.alloc(4_000_000, Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 2, 0xff, 0xd8])),
    see: refused,
  },
  {
    name: 'script.svg',
    make: () =>
      svg(
        `<script>alert(1)</script><image href="${far}"/><style>@import "${far}"</style><rect width="64" height="48" onload="alert(1)"/>`,
      ),
    see: { selector: '.picture img' },
  },
  {
    name: 'uses.svg',
    make: () => svg(nestedUses('xlink:href')),
    see: { alert: /too many repeated parts/ },
  },
  {
    name: 'entity-uses.svg',
    make: () =>
      Buffer.from(
        `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY level "#l9">]><svg:svg xmlns:svg="http://www.w3.org/2000/svg">${nestedUses(
          'href',
        )
          .replaceAll('#l9', '&level;')
          .replaceAll(/<(\/?)(?=\w)/g, '<$1svg:')}</svg:svg>`,
      ),
    see: { alert: /too many repeated parts/ },
  },
  {
    name: 'own-use.svg',
    make: () => svg('<g id="a"><use href="#a"/><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
    see: { selector: '.picture img[src]' },
  },
  {
    name: 'laughs.svg',
    make: () =>
      Buffer.from(xmlWithEntities.replace('<a>', '<svg xmlns="http://www.w3.org/2000/svg">')),
    see: refused,
  },
];

const withPicture = (uri: string) => ({
  images: [{ uri }],
  textures: [{ source: 0 }],
  materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
});

/** An OBJ whose 60,000 triangles, side by side, are each a part. */
function aFieldOf(part: string): Buffer {
  const one = (_: unknown, at: number) => {
    const [x, y] = [at % 250, Math.floor(at / 250)];
    return `v ${x} ${y} 0\nv ${x + 1} ${y} 0\nv ${x} ${y + 1} 0\n${part}\nf -3 -2 -1\n`;
  };
  return Buffer.from(Array.from({ length: 60_000 }, one).join(''));
}

const models: HostileFile[] = [
  {
    name: 'endless.gltf',
    make: () => aGltf({ accessors: [{ componentType: 5126, count: 1e12, type: 'VEC3' }] }),
    see: refused,
  },
  {
    name: 'zeros.gltf',
    make: () =>
      aGltf({
        accessors: Array.from({ length: 5 }, () => ({
          componentType: 5126,
          count: 40_000_000,
          type: 'VEC3',
        })),
      }),
    see: refused,
  },
  {
    name: 'far.glb',
    make: () => aGlb(withPicture(far)),
    see: { text: 'Shown without files that are not beside it: far' },
  },
  { name: 'endless.stl', make: () => anStl(2 ** 31), see: refused },
  {
    name: 'endless.ply',
    make: () => ply(`element vertex 2000000000\n${points}`, '0 0 0\n'),
    see: { selector: 'canvas, [data-fault]:not([hidden])' },
  },
  {
    name: 'list.ply',
    make: () =>
      Buffer.concat([
        Buffer.from(
          `ply\nformat binary_little_endian 1.0\nelement vertex 2000000000\n${points}\nend_header\n`,
        ),
        Buffer.alloc(12),
      ]),
    see: refused,
  },
  {
    name: 'far.obj',
    make: () =>
      Buffer.from(`mtllib ${far}.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 999999999 -5 7\n`),
    see: { selector: 'canvas, [data-fault]:not([hidden])' },
  },
  {
    name: 'groups.obj',
    make: () => aFieldOf('g a'),
    see: { selector: 'canvas' },
  },
  {
    name: 'materials.obj',
    make: () => aFieldOf('usemtl a'),
    see: { selector: 'canvas' },
  },
  { name: 'bomb.3mf', make: bomb, see: refused },
  { name: 'bomb.usdz', make: bomb, see: refused },
  {
    name: 'bomb.fbx',
    make: () => anFbx(() => deflateSync(Buffer.alloc(250 * 1024 * 1024))),
    see: refused,
  },
  {
    name: 'entities.dae',
    make: () => Buffer.from(xmlWithEntities),
    see: refused,
  },
];

/** A font that says it has four gigabytes when unpacked (WOFF 2.0, section 4.1). */
function hugeWoff(): Buffer {
  const bytes = Buffer.alloc(4096, 0x7f);
  bytes.write('wOF2\0\x01\0\0', 'latin1');
  bytes.writeUInt32BE(bytes.length, 8);
  bytes.writeUInt16BE(0xffff, 12);
  bytes.writeUInt32BE(0xffff_fff0, 16);
  return bytes;
}

const fonts: HostileFile[] = [{ name: 'huge.woff2', make: hugeWoff, see: refused }];

const texts: HostileFile[] = [
  {
    name: 'deep.json',
    make: () => Buffer.from(`["${words}",${'['.repeat(900_000)}1${']'.repeat(900_000)}]`),
    see: { selector: `.value:text("${words}")` },
    most: { '.json-tree li': 5 },
  },
  {
    name: 'wide.json',
    make: () => Buffer.from(`["${words}",${'[],'.repeat(600_000)}1]`),
    see: { selector: `.value:text("${words}")` },
    most: { '.json-tree li': 250 },
  },
  {
    name: 'page.md',
    make: () =>
      Buffer.from(
        `<script>alert(1)</script><img src=x onerror=alert(1)><iframe src="${far}"></iframe><a href="javascript:alert(1)">a</a><style>@import "${far}"</style>\n\n![](${far})\n\n${words}\n`,
      ),
    see: text,
    most: { '.prose script, .prose iframe, .prose style, .prose [onerror]': 0 },
  },
  {
    name: 'deep.md',
    make: () => Buffer.from(`${words}\n\n${'> '.repeat(20_000)}a\n\n${'['.repeat(20_000)}\n`),
    see: text,
  },
  {
    name: 'page.ipynb',
    make: () =>
      Buffer.from(
        JSON.stringify({
          nbformat: 4,
          metadata: {},
          cells: [
            { cell_type: 'markdown', source: words },
            {
              cell_type: 'code',
              source: '',
              outputs: [
                {
                  output_type: 'display_data',
                  data: {
                    'text/html': `<script>alert(1)</script><img src="${far}">`,
                    'image/svg+xml': '<svg onload="alert(1)"/>',
                    'application/javascript': 'alert(1)',
                  },
                },
              ],
            },
          ],
        }),
      ),
    see: text,
    most: { 'main script, main iframe': 0 },
  },
  { name: 'deep.json', make: () => Buffer.from(`"${words}"${'['.repeat(300_000)}`), see: text },
  { name: 'line.js', make: () => Buffer.from(`// ${words}\n${'a='.repeat(400_000)}`), see: text },
  {
    name: 'turned.py',
    make: () => Buffer.from(`# ${words}\n</code><script>alert(1)</script>\u202e\n`),
    see: text,
    most: { 'main script': 0 },
  },
  { name: 'cues.mp4', make: () => Buffer.from('no film'), see: { alert: /cannot play/ } },
];

/** One file or more of each format that a viewer reads. */
export const hostileFiles: readonly HostileFile[] = [
  ...tables,
  ...data,
  ...documents,
  ...readings,
  ...sounds,
  ...pdfs,
  ...forms,
  ...attachments,
  ...pictures,
  ...models,
  ...fonts,
  ...texts,
  ...hostileRecords,
  ...brokenFiles,
];
