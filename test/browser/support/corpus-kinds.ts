import { gzipSync } from 'node:zlib';
import { type BookType, utils, write } from '@e965/xlsx';
import { aTar } from '../../fixtures/archives/sample-tar.ts';
import { aHeic, aTiff } from '../../fixtures/visits/sample-pictures.ts';
import { aZstd } from '../../fixtures/archives/sample-zstd.ts';
import { aDocx, aPptx } from '../../fixtures/visits/sample-documents.ts';
import {
  aBinaryWord,
  aFictionBook,
  anEpub,
  anOpenDocument,
  binarySlides,
} from '../../fixtures/visits/sample-readings.ts';
import { aWav, zipOf } from './sample-files.ts';
import type { CorpusFile } from './sample-kinds.ts';

const words = 'Tide at the north quay';

const point = `{"type":"Feature","properties":{"name":"${words}"},"geometry":{"type":"Point","coordinates":[10,54]}}`;
const flow = `graph TD\n  a["${words}"] --> b["South quay"]\n`;
const graph = `digraph { a [label="${words}"] a -> b }\n`;
const way = '<trkseg><trkpt lat="54" lon="10"/><trkpt lat="55" lon="11"/></trkseg>';

/** Formats of text, each with its own page or as its source. */
const texts: Readonly<Record<string, string>> = {
  'quays.geojson': `{"type":"FeatureCollection","features":[${point}]}`,
  'quays.topojson': `{"type":"Topology","arcs":[],"objects":{"a":{"type":"Point","coordinates":[10,54],"properties":{"name":"${words}"}}}}`,
  'quays.kml': `<kml><Document><Placemark><name>${words}</name><Point><coordinates>10,54</coordinates></Point></Placemark></Document></kml>`,
  'walk.gpx': `<gpx><trk><name>${words}</name>${way}</trk></gpx>`,
  'note.eml': `From: a@example.com\nTo: b@example.com\nSubject: ${words}\n\n${words}\n`,
  'people.vcf': `BEGIN:VCARD\nVERSION:3.0\nFN:${words}\nTEL:+49 431 1\nEND:VCARD\n`,
  'letter.rtf': String.raw`{\rtf1\ansi {\b ${words}}\par And the south quay.}`,
  'tides.jsonl': `{"quay":"${words}","metres":2.5}\n{"quay":"South quay","metres":3}\n`,
  'tides.ndjson': `{"quay":"${words}"}\n`,
  'plan.drawio': `<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/><mxCell id="2" value="${words}" vertex="1" parent="1"><mxGeometry width="200" height="60" as="geometry"/></mxCell></root></mxGraphModel>`,
  'plan.excalidraw': `{"type":"excalidraw","elements":[{"type":"text","text":"${words}","x":0,"y":0,"width":200,"height":25,"fontSize":20}]}`,
};

/** Diagrams are drawn in a frame, whose words are not those of the page. */
const diagrams: Readonly<Record<string, string>> = {
  'flow.mmd': flow,
  'flow.mermaid': flow,
  'graph.dot': graph,
  'graph.gv': graph,
};

const books: Readonly<Record<string, BookType>> = {
  xlsm: 'xlsm',
  xltx: 'xlsx',
  xltm: 'xlsm',
  xlsb: 'xlsb',
  ots: 'ods',
  fods: 'fods',
};

function aBook(bookType: BookType): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([['Where'], [words]]), 'Tides');
  const content: Buffer | string = write(book, { type: 'buffer', bookType });
  return Buffer.from(content);
}

/** A picture of Windows without its file header, 64 by 48, all of one colour. */
function aDib(): Buffer {
  const head = Buffer.alloc(40);
  head.writeInt32LE(40, 0);
  head.writeInt32LE(64, 4);
  head.writeInt32LE(48, 8);
  head.writeInt16LE(1, 12);
  head.writeInt16LE(24, 14);
  return Buffer.concat([head, Buffer.alloc(64 * 48 * 3, Buffer.from([26, 54, 179]))]);
}

function aBmp(): Buffer {
  const dib = aDib();
  const head = Buffer.alloc(14);
  head.write('BM');
  head.writeInt32LE(14 + dib.length, 2);
  head.writeInt32LE(54, 10);
  return Buffer.concat([head, dib]);
}

/** A cursor of one PNG (a directory of Windows, type 2). */
function aCur(png: Buffer): Buffer {
  const head = Buffer.from([0, 0, 2, 0, 1, 0, 64, 48, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
  head.writeInt32LE(png.length, 14);
  return Buffer.concat([head, png]);
}

/** Numbers of 16 bits with the higher byte first, which browsers do not play. */
function anAiff(): Buffer {
  const sound = Buffer.alloc(8000);
  for (let at = 0; at < 4000; at += 1) {
    sound.writeInt16BE(Math.round(9000 * Math.sin(at / 5)), at * 2);
  }
  const head = Buffer.from(
    'FORM\0\0\0\0AIFFCOMM\0\0\0\x12\0\x01\0\0\x0f\xa0\0\x10\x40\x0b\xfa\0\0\0\0\0\0\0SSND\0\0\0\0\0\0\0\0\0\0\0\0',
    'latin1',
  );
  head.writeInt32BE(head.length - 8 + sound.length, 4);
  head.writeInt32BE(8 + sound.length, head.length - 12);
  return Buffer.concat([head, sound]);
}

/** A file of each kind that people name beside the usual ones. */
export async function corpusKinds(png: Buffer): Promise<CorpusFile[]> {
  const see = { text: words };
  const [docx, pptx] = [await aDocx(words), await aPptx(words)];
  const paragraph = `<text:p>${words}</text:p>`;
  const page = `<draw:page><draw:frame><draw:text-box>${paragraph}</draw:text-box></draw:frame></draw:page>`;
  const tar = aTar({ path: words });
  const picture = { selector: '.picture img' };
  return [
    ...Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text), see })),
    ...Object.entries(diagrams).map(([name, text]) => ({
      name,
      bytes: Buffer.from(text),
      see: { selector: '.diagram img, .diagram svg, figure img' },
    })),
    ...Object.entries(books).map(([end, type]) => ({
      name: `book.${end}`,
      bytes: aBook(type),
      see,
    })),
    ...['dotx', 'docm', 'dotm'].map((end) => ({ name: `letter.${end}`, bytes: docx, see })),
    ...['ppsx', 'potx', 'pptm', 'ppsm', 'potm'].map((end) => ({
      name: `plan.${end}`,
      bytes: pptx,
      see,
    })),
    { name: 'letter.doc', bytes: aBinaryWord([{ text: `${words}\r` }]), see },
    { name: 'plan.ppt', bytes: binarySlides([{ title: words, text: 'x' }]), see },
    { name: 'letter.odt', bytes: await anOpenDocument('text', paragraph), see },
    { name: 'plan.odp', bytes: await anOpenDocument('presentation', page), see },
    { name: 'story.epub', bytes: await anEpub({ One: `<p>${words}</p>` }), see },
    { name: 'story.fb2', bytes: aFictionBook(words), see },
    { name: 'IMG_1.jpg', bytes: aHeic(), see: picture },
    {
      name: 'scan.png',
      bytes: aTiff({ width: 2, height: 1, data: Buffer.of(9, 90), tags: { 258: [8], 262: [1] } }),
      see: picture,
    },
    { name: 'report.docx', bytes: Buffer.from(`<html><body><h1>${words}</h1></body></html>`), see },
    { name: 'notes.docx', bytes: Buffer.from(`\uFEFF${words}\n`, 'utf16le'), see },
    { name: 'photo.pdf', bytes: png, see: picture },
    { name: 'letter.doc', bytes: docx, see: { selector: '.document-view' } },
    { name: 'files.docx', bytes: await zipOf({ [words]: words }), see },
    { name: 'tides.tar.zst', bytes: aZstd(tar), see },
    { name: 'tides.tgz', bytes: gzipSync(tar), see },
    { name: 'tides.tar.gz', bytes: gzipSync(tar), see },
    { name: `${words}.txt.gz`, bytes: gzipSync(Buffer.from(words)), see },
    { name: 'tides.jar', bytes: await zipOf({ [words]: words }), see },
    { name: 'hull.bmp', bytes: aBmp(), see: picture },
    { name: 'hull.dib', bytes: aBmp(), see: picture },
    { name: 'hull.cur', bytes: aCur(png), see: picture },
    { name: 'hull.ico', bytes: aCur(png).fill(1, 2, 3), see: picture },
    { name: 'bell.aiff', bytes: anAiff(), see: { selector: 'audio[src^=blob]' } },
    { name: 'bell.wave', bytes: aWav(1), see: { selector: 'audio' } },
  ];
}
