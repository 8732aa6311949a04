import { existsSync, readdirSync, readFileSync } from 'node:fs';
import encodeJxl, { init } from '@jsquash/jxl/encode.js';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BookType, utils, write } from '@e965/xlsx';
import type { Browser } from 'playwright-core';
import { aHeic, aJpx, aPsd, aTiff } from '../../fixtures/visits/sample-pictures.ts';
import utif from 'utif2';
import {
  aDracoGlb,
  aMeshoptGlb,
  aMovedGlb,
  aPointCloud,
  aTexturedGlb,
  aThreeMf,
} from '../../fixtures/visits/packed-models.ts';
import { aLockedPdf } from '../../fixtures/visits/locked-pdf.ts';
import { bomb } from '../../fixtures/archives/hostile-archives.ts';
import { aDocumentOf } from '../../fixtures/visits/sample-pdfs.ts';
import { aSevenZip } from '../../fixtures/archives/sample-seven-zip.ts';
import { aDatabase, anArrow, aParquet } from '../../fixtures/visits/sample-data.ts';
import { aDocx, aPptx } from '../../fixtures/visits/sample-documents.ts';
import { aTar } from '../../fixtures/archives/sample-tar.ts';
import { aDae, anFbx, aUsdz } from '../../fixtures/visits/sample-scenes.ts';
import { aGlb, aGltf, anStl } from '../../fixtures/visits/sample-models.ts';
import { corpusKinds } from './corpus-kinds.ts';
import { corpusPrograms } from './corpus-programs.ts';
import { aWebm } from './record-video.ts';
import { aDeepPng, aPdf, aPng, aWav } from './sample-files.ts';
import type { CorpusFile } from './sample-kinds.ts';

const words = 'Tide at the north quay';
const text = (name: string, body = `${words}\n`): CorpusFile => ({
  name,
  bytes: Buffer.from(body),
  see: { text: words },
});

/** Extensions of code and plain text, whose syntax does not matter here. */
const textExtensions =
  'js mjs cjs jsx ts mts cts tsx css scss sass less json jsonc json5 xml toml ini env conf cfg sh bash zsh ' +
  'fish ps1 bat rb php java kt scala groovy go rs c h cc cpp hpp cs swift m dart lua pl r jl ex erl hs clj ' +
  'elm vue svelte astro graphql proto diff tf dockerfile makefile cmake gradle asm v zig sol tex ml nix f90 ' +
  'lisp scm tcl vb bas properties adoc rst bib geojson jsonl vtt srt ics vcf license gitignore ' +
  'yaml yml sql py txt log';

const prose = {
  'rules.md': `# Rules\n\n${words}\n\n- [x] done\n\n> [!NOTE]\n> Slowly.\n\n$x^2$ :boat: [^1]\n\n[^1]: Note.\n`,
  'plain.markdown': `${words}\n`,
  'frame.md': `<p align="center"><img src="https://example.org/a.png"><b>${words}</b></p>\n<script>alert(1)</script>\n`,
  'table.md': `| Quay |\n| --- |\n| ${words} |\n`,
  'right-to-left.md': `# תקנון\n\n- אחד\n- ${words}\n\n1. אחד\n\n> ב\n`,
  'deep.md': `${'> '.repeat(400)}${words}\n`,
};

const calendar = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  `SUMMARY:${words}`,
  'DTSTART;TZID=Europe/Berlin:20260301T090000',
  'RRULE:FREQ=WEEKLY;COUNT=4',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

const notebook = JSON.stringify({
  nbformat: 4,
  metadata: {},
  cells: [
    { cell_type: 'markdown', source: [`# ${words}`] },
    {
      cell_type: 'code',
      source: 'print(1)',
      outputs: [
        { output_type: 'stream', text: '1\n' },
        { output_type: 'display_data', data: { 'text/html': '<script>alert(1)</script><b>b</b>' } },
      ],
    },
  ],
});

const tables = {
  'comma.csv': Buffer.from(`Where,When\n${words},09:40\n`),
  'semicolon.csv': Buffer.from(`Where;When\n${words};09:40\n`),
  'sep.csv': Buffer.from(`sep=|\nWhere|When\n${words}|09:40\n`),
  'mark.csv': Buffer.from(`\uFEFFWhere,When\n${words},09:40\n`),
  'wide.csv': Buffer.from(`\uFEFFWhere,When\n${words},09:40\n`, 'utf16le'),
  'latin.csv': Buffer.from(`Where,Wann\n${words},Übermorgen\n`, 'latin1'),
  'tab.tsv': Buffer.from(`Where\tWhen\n${words}\t09:40\n`),
  'formula.csv': Buffer.from(`Where,When\n${words},"=HYPERLINK(""https://example.org"")"\n`),
};

/** Formats that no browser shows by itself: the page has at least the name of the file and a download. */
const offered = 'doc odt pages numbers epub ppt odp key xcf wma rar'.split(' ');

/** Packages whose READMEs are shown as GitHub would; each has its licence in its `package.json`. */
const packages =
  'zod three react react-dom jszip mime parse5 qrcode highlight.js markdown-it docx-preview pptxgenjs ' +
  'meshoptimizer fast-check esbuild aws4fetch bowser dns-packet temml tldts constructs ' +
  'utif2 ajv ajv-formats tsx user-agents oauth4webapi sirv';
const licences = new Set([
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '(MIT OR GPL-3.0-or-later)',
]);
const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

function readmes(): CorpusFile[] {
  return packages.split(' ').flatMap((name) => {
    const folder = path.join(modules, name);
    if (!existsSync(folder)) throw new Error(`${name} is not installed; choose another package`);
    const { license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    if (!licences.has(license)) throw new Error(`${name} has the licence ${license}`);
    const readme = readdirSync(folder).find((file) => /^readme\.md$/i.test(file));
    if (readme === undefined) return [];
    const bytes = readFileSync(path.join(folder, readme));
    return [{ name: `${name}.md`, bytes, see: { selector: '.prose > *' } }];
  });
}

const red: [number, number, number] = [179, 54, 26];

/** Encoded by Chromium itself. */
async function encoded(browser: Browser, type: string): Promise<Buffer> {
  const page = await browser.newPage();
  const url = await page.evaluate<string>(`(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 64;
    canvas.height = 48;
    const drawing = canvas.getContext('2d');
    drawing.fillStyle = '#b3361a';
    drawing.fillRect(0, 0, 64, 48);
    return canvas.toDataURL('${type}');
  })()`);
  await page.close();
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

async function aJxl(pixels: Uint8ClampedArray): Promise<Buffer> {
  const wasm = createRequire(import.meta.url).resolve('@jsquash/jxl/codec/enc/jxl_enc.wasm');
  await init(await (globalThis as any).WebAssembly.compile(readFileSync(wasm)));
  const image: any = { width: 64, height: 48, data: pixels, colorSpace: 'srgb' };
  return Buffer.from(await encodeJxl(image));
}

async function pictures(browser: Browser): Promise<CorpusFile[]> {
  const shown = { selector: '.picture img' };
  const pixels = new Uint8ClampedArray(64 * 48 * 4).map((_, at) => [...red, 255][at % 4] ?? 0);
  const jpeg = await encoded(browser, 'image/jpeg');
  const channels = red.map((value) => Buffer.from([value, value]));
  const tiff = Buffer.from(utif.encodeImage(new Uint8Array(pixels), 64, 48));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><script>alert(1)</script><image href="https://example.org/a.png"/><rect width="64" height="48" fill="red"/></svg>`;
  return [
    { name: 'hull.png', bytes: aPng(64, 48, red), see: shown },
    { name: 'deep.png', bytes: aDeepPng(64, 48, red), see: shown },
    { name: 'hull.apng', bytes: aPng(64, 48, red), see: shown },
    { name: 'hull.jpg', bytes: jpeg, see: shown },
    { name: 'hull.jfif', bytes: jpeg, see: shown },
    { name: 'hull.webp', bytes: await encoded(browser, 'image/webp'), see: shown },
    { name: 'hull.svg', bytes: Buffer.from(svg), see: shown },
    { name: 'hull.tiff', bytes: tiff, see: shown },
    { name: 'hull.jxl', bytes: await aJxl(pixels), see: shown },
    {
      name: 'ship.psd',
      bytes: aPsd({ width: 2, height: 1, mode: 3, bits: 8 }, channels),
      see: shown,
    },
    { name: 'ship.jp2', bytes: aJpx(), see: shown },
    {
      name: 'ship.nef',
      bytes: aTiff({ width: 64, height: 48, data: jpeg, tags: { 274: [6] } }),
      see: shown,
    },
    { name: 'photo.heic', bytes: aHeic(), see: shown },
    { name: 'broken.png', bytes: Buffer.from('no picture'), see: { alert: /damaged/ } },
    { name: 'broken.tif', bytes: Buffer.from('no picture'), see: { alert: /damaged/ } },
  ];
}

async function documents(): Promise<CorpusFile[]> {
  const lines = [{ lines: [words] }];
  const script = { catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' };
  const launch =
    '<< /Type /Annot /Subtype /Link /Rect [0 0 300 400] /A << /S /Launch /F (calc.exe) >> >>';
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([['Where'], [words]]), 'Tides');
  const sheets = (['xlsx', 'xls', 'ods'] as BookType[]).map((bookType) => ({
    name: `tides.${bookType}`,
    bytes: write(book, { type: 'buffer', bookType }) as Buffer,
    see: { text: words },
  }));
  return [
    ...sheets,
    { name: 'one.pdf', bytes: aPdf(words), see: { text: words } },
    { name: 'poster.ai', bytes: aPdf(words), see: { text: words } },
    {
      name: 'outline.pdf',
      bytes: aDocumentOf(lines, { outline: [{ title: 'A', page: 1 }] }),
      see: { text: words },
    },
    { name: 'script.pdf', bytes: aDocumentOf(lines, script), see: { text: words } },
    {
      name: 'launch.pdf',
      bytes: aDocumentOf([{ lines: [words], annotations: [launch] }]),
      see: { text: words },
    },
    {
      name: 'locked.pdf',
      bytes: aLockedPdf(words, 'x'),
      see: { text: 'This document needs a password' },
    },
    { name: 'broken.pdf', bytes: Buffer.from('no document'), see: { alert: /damaged/ } },
    { name: 'letter.docx', bytes: await aDocx(words), see: { text: words } },
    { name: 'plan.pptx', bytes: await aPptx(words), see: { text: words } },
    { name: 'bomb.docx', bytes: bomb(), see: { alert: /damaged|large/ } },
    { name: 'bomb.pptx', bytes: bomb(), see: { alert: /damaged|large/ } },
    { name: 'bomb.xlsx', bytes: bomb(), see: { alert: /damaged|large/ } },
    {
      name: 'ships.parquet',
      bytes: aParquet([{ name: 'Where', data: [words] }]),
      see: { text: words },
    },
    { name: 'ships.arrow', bytes: anArrow({ Where: [words] }), see: { text: words } },
    {
      name: 'ships.feather',
      bytes: anArrow({ Where: [words] }, { form: 'stream' }),
      see: { text: words },
    },
    { name: 'tides.7z', bytes: aSevenZip(), see: { text: words } },
    {
      name: 'ships.sqlite',
      bytes: await aDatabase(`CREATE TABLE ships (Quay); INSERT INTO ships VALUES ('${words}')`),
      see: { text: words },
    },
    {
      name: 'sans.ttf',
      bytes: readFileSync('node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf'),
      see: { text: 'The quick brown fox' },
    },
    { name: 'broken.otf', bytes: Buffer.from('no font'), see: { alert: /no font that browsers/ } },
    { name: 'tides.tar', bytes: aTar({ path: words }), see: { text: words } },
    { name: 'broken.tgz', bytes: Buffer.from('no archive'), see: { alert: /damaged/ } },
    { name: 'thumbs.db', bytes: Buffer.from('no database'), see: { alert: /not a database/ } },
    { name: 'bomb.ods', bytes: bomb(), see: { alert: /damaged|large/ } },
    { name: 'broken.xls', bytes: Buffer.from('no sheet'), see: { alert: /damaged/ } },
  ];
}

async function models(): Promise<CorpusFile[]> {
  const shown = { selector: 'canvas[aria-label^="3D model"]' };
  const endless = { accessors: [{ componentType: 5126, count: 1e12, type: 'VEC3' }] };
  return [
    { name: 'cube.glb', bytes: aGlb(), see: shown },
    { name: 'cube.gltf', bytes: aGltf(), see: shown },
    { name: 'moved.glb', bytes: aMovedGlb(), see: shown },
    { name: 'cube.stl', bytes: anStl(), see: shown },
    { name: 'face.obj', bytes: Buffer.from('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'), see: shown },
    { name: 'scan.ply', bytes: aPointCloud(), see: shown },
    { name: 'pyramid.3mf', bytes: await aThreeMf(), see: shown },
    { name: 'draco.glb', bytes: await aDracoGlb(), see: shown },
    { name: 'textured.glb', bytes: aTexturedGlb(), see: shown },
    { name: 'meshopt.glb', bytes: await aMeshoptGlb(), see: shown },
    { name: 'endless.gltf', bytes: aGltf(endless), see: { alert: /too many points/ } },
    { name: 'endless.stl', bytes: anStl(2 ** 31), see: { alert: /damaged/ } },
    { name: 'broken.glb', bytes: Buffer.from('no model'), see: { alert: /damaged/ } },
    { name: 'cube.fbx', bytes: anFbx(), see: shown },
    { name: 'sail.dae', bytes: aDae('missing.png'), see: shown },
    { name: 'sail.usdz', bytes: await aUsdz(), see: shown },
    { name: 'bomb.3mf', bytes: bomb(), see: { alert: /damaged|large/ } },
  ];
}

/** Files as people publish them, made here or from packages whose licence allows it. */
export async function corpus(browser: Browser): Promise<CorpusFile[]> {
  const named = Object.entries(tables).map(([name, bytes]) => ({
    name,
    bytes,
    see: { text: words },
  }));
  return [
    ...textExtensions.split(' ').map((extension) => text(`tides.${extension}`)),
    ...Object.entries(prose).map(([name, body]) => text(name, body)),
    text('tides.ipynb', notebook),
    {
      name: 'walk.ics',
      bytes: Buffer.from(calendar),
      see: { text: 'Sunday, 1 March 2026, 09:00 (Europe/Berlin)' },
    },
    text('hostile.ts', `const a = '</code><script>alert(1)</script>'; // ${words}\n`),
    ...named,
    ...offered.map((extension) => ({
      name: `thing.${extension}`,
      bytes: Buffer.from([0, 1, 2, 3]),
      see: { text: `thing.${extension}` },
    })),
    ...readmes(),
    ...(await pictures(browser)),
    ...(await documents()),
    ...(await models()),
    ...(await corpusKinds(aPng(64, 48, red))),
    ...(await corpusPrograms(browser, {
      png: aPng(64, 48, red),
      jpeg: await encoded(browser, 'image/jpeg'),
    })),
    { name: 'bell.wav', bytes: aWav(1), see: { selector: 'audio' } },
    { name: 'launch.webm', bytes: await aWebm(browser, 1), see: { selector: 'video' } },
    { name: 'broken.mp4', bytes: Buffer.from('no film'), see: { alert: /cannot play/ } },
    { name: 'broken.mp3', bytes: Buffer.from('no sound'), see: { alert: /cannot play/ } },
  ];
}
