import { readFileSync } from 'node:fs';
import { write, utils } from '@e965/xlsx';
import utif from 'utif2';
import { bomb } from '../../fixtures/archives/hostile-archives.ts';
import { aSevenZip } from '../../fixtures/archives/sample-seven-zip.ts';
import { aDatabase, anArrow, aParquet } from '../../fixtures/visits/sample-data.ts';
import { aDocx, aPptx } from '../../fixtures/visits/sample-documents.ts';
import { aGlb } from '../../fixtures/visits/sample-models.ts';
import { aThreeMf } from '../../fixtures/visits/packed-models.ts';
import { aHeic, aJpx, aPsd } from '../../fixtures/visits/sample-pictures.ts';
import { anEpub, anOpenDocument } from '../../fixtures/visits/sample-readings.ts';
import { aDae, anFbx, aUsdz } from '../../fixtures/visits/sample-scenes.ts';
import type { HostileFile } from './sample-kinds.ts';

const words = 'Tide at the north quay';
const text = { text: words };
const far = 'https://elsewhere.example/far';
const code = `<script>alert(1)</script><img src="${far}" onerror="alert(1)">`;
const harmless = {
  'main script, main img[src^=http], main [onerror], main a[href^="javascript" i]': 0,
};
const lines = (...of: string[]) => Buffer.from(of.join('\r\n'));

/** Texts that publishing sets as pages. */
export const hostileRecords: readonly HostileFile[] = [
  {
    name: 'far.kml',
    make: () =>
      Buffer.from(
        `<kml><Document><NetworkLink><Link><href>${far}</href></Link></NetworkLink><Placemark><name>${words}</name><description><![CDATA[${code}]]></description><Style><IconStyle><Icon><href>${far}</href></Icon></IconStyle></Style><Point><coordinates>10,54</coordinates></Point></Placemark></Document></kml>`,
      ),
    see: text,
    most: harmless,
  },
  {
    name: 'deep.kml',
    make: () =>
      Buffer.from(
        `<kml><Document><Placemark><name>${words}</name></Placemark>${'<Folder>'.repeat(100_000)}`,
      ),
    see: text,
  },
  {
    name: 'entities.gpx',
    make: () =>
      Buffer.from(
        `<!DOCTYPE gpx [<!ENTITY b "${'x'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}"><!ENTITY d SYSTEM "${far}">]><gpx><wpt lat="54" lon="10"><name>${words}</name><desc>${'&c;'.repeat(1000)}&d;</desc></wpt></gpx>`,
      ),
    see: text,
  },
  {
    name: 'deep.geojson',
    make: () =>
      Buffer.from(
        `{"type":"Feature","properties":{"name":"${words}"},"geometry":${'{"type":"GeometryCollection","geometries":['.repeat(20_000)}${']}'.repeat(20_000)}}`,
      ),
    see: text,
  },
  {
    name: 'far.eml',
    make: () =>
      lines(
        'From: a@example.com',
        'To: b@example.com',
        `Subject: ${words}`,
        'Content-Type: text/html',
        '',
        `<p>${words}</p>${code}<a href="javascript:alert(1)">x</a><style>@import "${far}"</style>`,
      ),
    see: text,
    most: harmless,
  },
  {
    name: 'deep.eml',
    make: () =>
      lines(
        'From: a@example.com',
        'To: b@example.com',
        `Subject: ${words}`,
        'Content-Type: multipart/mixed; boundary=a0',
        '',
        ...Array.from({ length: 20_000 }, (_, at) =>
          lines(`--a${at}`, `Content-Type: multipart/mixed; boundary=a${at + 1}`, '').toString(),
        ),
      ),
    see: text,
  },
  {
    name: 'far.vcf',
    make: () =>
      lines(
        ...Array.from({ length: 2000 }, () => [
          'BEGIN:VCARD',
          `FN:${words}`,
          `PHOTO;VALUE=uri:${far}`,
          'URL:javascript:alert(1)',
          `NOTE:${code}`,
          'END:VCARD',
        ]).flat(),
      ),
    see: text,
    most: harmless,
  },
  {
    name: 'deep.rtf',
    make: () => Buffer.from(String.raw`{\rtf1 ${words}\par ${'{'.repeat(500_000)}`),
    see: text,
  },
  {
    name: 'far.rtf',
    make: () =>
      Buffer.from(
        String.raw`{\rtf1 ${words}\par {\field{\*\fldinst HYPERLINK "javascript:alert(1)"}{\fldrslt x}}{\field{\*\fldinst INCLUDEPICTURE "${far}"}}{\object\objdata ${'ff'.repeat(100_000)}}{\pict\picw999999999\pich999999999\pngblip ${'00'.repeat(1000)}}\bin999999999 ${code}}`,
      ),
    see: text,
    most: harmless,
  },
  {
    name: 'pictures.rtf',
    make: () =>
      Buffer.from(
        String.raw`{\rtf1 ${words}\par ${String.raw`{\pict\wmetafile8\picwgoal999999999\pichgoal-1 ffffffffff}{\pict\dibitmap0 28000000${'ff'.repeat(60)}}`.repeat(2000)}{\pict\pngblip ${'89504e47'.repeat(500_000)}}`,
      ),
    see: text,
    most: { ...harmless, '.prose img': 2000 },
  },
  {
    name: 'forwards.eml',
    make: () =>
      lines(
        ...Array.from({ length: 3000 }, () => [
          'From: a@example.com',
          'To: b@example.com',
          `Subject: ${words}`,
          'Content-Type: message/rfc822',
          '',
        ]).flat(),
      ),
    see: text,
    most: { blockquote: 10 },
  },
  {
    name: 'far.drawio',
    make: () =>
      Buffer.from(
        `<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/><mxCell id="2" value="${words}&lt;script&gt;alert(1)&lt;/script&gt;" style="shape=image;image=${far};html=1" vertex="1" parent="1"><mxGeometry width="90" height="40" as="geometry"/></mxCell><mxCell id="3" vertex="1" parent="4"><mxGeometry width="1e308" height="1" as="geometry"/></mxCell><mxCell id="4" vertex="1" parent="3"><mxGeometry width="9" height="9" as="geometry"/></mxCell></root></mxGraphModel>`,
      ),
    see: text,
    most: harmless,
  },
  {
    name: 'far.excalidraw',
    make: () =>
      Buffer.from(
        JSON.stringify({
          type: 'excalidraw',
          elements: [
            { type: 'text', text: words, x: 0, y: 0, width: 1e308, height: 20 },
            { type: 'rectangle', x: 0, y: 0, width: 9, height: 9, link: 'javascript:alert(1)' },
            { type: 'image', fileId: 'f', x: 0, y: 0, width: 9, height: 9 },
          ],
          files: { f: { dataURL: far } },
        }),
      ),
    see: text,
    most: harmless,
  },
  {
    name: 'far.dot',
    make: () =>
      Buffer.from(
        `digraph { /* ${words} */ a [label="${words}" URL="javascript:alert(1)" image="${far}"] b [label=<${code}>] a -> b -> a }`,
      ),
    see: { selector: 'main' },
    most: harmless,
  },
  {
    name: 'cues.srt',
    make: () => Buffer.from(`1\n00:00:01,000 --> 99:99:99,999\n${words}${code}\n\n`.repeat(10_000)),
    see: text,
    most: harmless,
  },
  {
    name: 'deep.ipynb',
    make: () =>
      Buffer.from(
        `{"nbformat":4,"metadata":{},"cells":[{"cell_type":"markdown","source":"${words}"},{"cell_type":"code","source":"","outputs":[{"output_type":"display_data","data":{"application/json":${'['.repeat(5000)}${']'.repeat(5000)}}}]}]}`,
      ),
    see: text,
  },
];

/** A directory of pictures that comes after itself (TIFF 6.0, section 2). */
function circularTiff(): Buffer {
  const bytes = Buffer.from(utif.encodeImage(new Uint8Array(64 * 48 * 4).fill(127), 64, 48));
  const directory = bytes.readUInt32BE(4);
  bytes.writeUInt32BE(directory, directory + 2 + bytes.readUInt16BE(directory) * 12);
  return bytes;
}

const refused = { alert: /damaged|too large|features? that|no font that|not a database|cannot/ };

/** The start of a file, as an interrupted copy leaves it. */
const startOf = (name: string, make: () => Promise<Buffer> | Buffer): HostileFile => ({
  name: `start.${name}`,
  make: async () => {
    const bytes = await make();
    return bytes.subarray(0, Math.floor(bytes.length / 2));
  },
  see: refused,
});

/** Words under the name of a format. */
const wrong = (extension: string): HostileFile => ({
  name: `words.${extension}`,
  make: () => Buffer.from(`${words}\n`.repeat(20)),
  see: refused,
});

/** Files that end too early, that are something else, or that go round in a circle. */
export const brokenFiles: readonly HostileFile[] = [
  { name: 'circle.tif', make: circularTiff, see: refused },
  { name: 'circle.dng', make: circularTiff, see: refused },
  { name: 'bomb.xlsb', make: bomb, see: refused },
  { name: 'bomb.odp', make: bomb, see: refused },
  startOf('heic', aHeic),
  startOf('psd', () => aPsd({ width: 64, height: 64, mode: 3, bits: 8 }, [])),
  startOf('jp2', aJpx),
  startOf('tif', circularTiff),
  startOf('parquet', () => aParquet([{ name: 'Where', data: [words] }])),
  startOf('sqlite', () => aDatabase('CREATE TABLE a (b); INSERT INTO a VALUES (1)')),
  startOf('arrow', () => anArrow({ Where: [words] })),
  startOf('7z', aSevenZip),
  startOf('docx', () => aDocx(words)),
  startOf('pptx', () => aPptx(words)),
  startOf('xlsb', () => {
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([[words]]), 'Tides');
    return write(book, { type: 'buffer', bookType: 'xlsb' });
  }),
  startOf('odt', () => anOpenDocument('text', `<text:p>${words}</text:p>`)),
  startOf('odp', () => anOpenDocument('presentation', '<draw:page/>')),
  startOf('epub', () => anEpub({ One: `<p>${words}</p>` })),
  startOf('glb', aGlb),
  startOf('3mf', aThreeMf),
  startOf('fbx', () => anFbx()),
  startOf('usdz', aUsdz),
  startOf('dae', () => aDae()),
  startOf('ttf', () =>
    readFileSync('node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf'),
  ),
  // A text with the name of a text's format is shown.
  ...['odt', 'epub'].map((extension) => ({ ...wrong(extension), see: text })),
  ...'heic tif psd ai nef dng jp2 sqlite parquet arrow 7z tar ttf fbx dae usdz 3mf ppt odp xlsb'
    .split(' ')
    .map(wrong),
];
