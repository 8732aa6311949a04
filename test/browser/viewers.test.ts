import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import type { Page } from 'playwright-core';
import { ProjectType } from '../../contract/fields.ts';
import { file, publish } from '../fixtures/clouds/client.ts';
import type { FormPart } from '../fixtures/uploads/multipart.ts';
import { bomb } from '../fixtures/archives/hostile-archives.ts';
import { aDocx, aDrawing, aPptx } from '../fixtures/visits/sample-documents.ts';
import { aGlb, aGltf, anStl } from '../fixtures/visits/sample-models.ts';
import { openPage, picture } from './support/chromium.ts';
import { coloursOf, shareOf } from './support/colours.ts';
import { browser } from './support/own-browser.ts';
import { aWebm } from './support/record-video.ts';
import { aPdf, aPng, aWav, zipOf } from './support/sample-files.ts';
import { watch } from './support/watch.ts';

let page: Page;

/** One published file, or several, and what a visitor must be able to see of it. */
interface Kind {
  type: ProjectType;
  parts: () => Promise<FormPart[]> | FormPart[];
  /** Tells it from others of its type. */
  as?: string;
  see: () => Promise<void>;
}

const html = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tides</title>
<style>:root{color-scheme:light dark}</style><h1>Tides</h1><script>document.querySelector('h1').append(' at ' + 6 * 2)</script>`;
const python = `def tide(hour: int) -> float:\n    """Height in metres."""\n    return 2.5 if hour % 12 else 4.0\n`;
const sql = "SELECT name, length FROM ships WHERE berth = 'north' ORDER BY length DESC;\n";
const yaml = 'harbour:\n  name: Northport\n  berths: 12\n  open: true\n';
const typescript = `export function berth(ship: string, metres = 60): string {\n  return \`\${ship} needs \${metres} metres\`;\n}\n`;
const markdown = `# Harbour rules\n\nKeep the *fairway* clear.\n\n| Quay | Metres |\n| --- | --: |\n| North | 120 |\n| East | 90 |\n\n\`\`\`js\nconst knots = 5;\n\`\`\`\n`;
/** Of three pictures. */
const reds: [number, number, number][] = [
  [179, 54, 26],
  [150, 30, 20],
  [210, 80, 40],
];
const csv = 'Ship,Length,Remark\nTern,62,"late, ""wet"""\nGull,48,<b>bold</b>\n';

async function seesText(selector: string, text: string | RegExp): Promise<void> {
  await page.locator(selector).filter({ hasText: text }).first().waitFor();
}

/** Words of code, in several colours. */
async function seesCode(text: string): Promise<void> {
  await seesText('main', text);
  const words = `[...document.querySelectorAll('main code span')]`;
  const used = await page.evaluate<string[]>(
    `${words}.map((word) => getComputedStyle(word).color)`,
  );
  expect(new Set(used).size).toBeGreaterThanOrEqual(3);
}

/** Runs out of patience after ten seconds. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; !(await isTrue()); ) {
    if (Date.now() > end) throw new Error('it did not happen');
  }
}

/** A model of this colour, and another view of it after a key. */
async function seesModel(is: Parameters<typeof shareOf>[1]): Promise<void> {
  await page.getByRole('button', { name: 'Reset view' }).waitFor();
  const canvas = page.locator('canvas');
  await until(async () => shareOf(await coloursOf(canvas), is) > 0.03);
  const before = await canvas.screenshot();
  await canvas.focus();
  await page.keyboard.press('ArrowRight');
  await until(async () => !(await canvas.screenshot()).equals(before));
}

const isReddish = (red: number, green: number, blue: number) => red > 7 && red > green + blue;
const isGreyBlue = (red: number, green: number, blue: number) =>
  green > 4 && Math.abs(green - blue) < 3 && green > red;

function aLetter(): Promise<Buffer> {
  return aDocx('Letter to the harbour master', {
    body: aDrawing('hull'),
    relations: [['hull', 'image', 'media/hull.png']],
    parts: { 'word/media/hull.png': aPng(60, 40, [179, 54, 26]) },
  });
}

const kinds: Kind[] = [
  {
    type: 'html',
    parts: () => [file('Tide table.html', html)],
    see: () => seesText('h1', 'Tides at 12'),
  },
  {
    type: 'zip',
    parts: async () => [
      file(
        'site.zip',
        await zipOf({ 'index.html': html, 'photos/bow.png': aPng(20, 20, [1, 2, 3]) }),
      ),
    ],
    see: () => seesText('h1', 'Tides at 12'),
  },
  {
    type: 'pdf',
    parts: () => [file('Harbour plan.pdf', aPdf('The harbour plan'))],
    see: async () => {
      await seesText('.letters', 'The harbour plan');
      const drawn = await coloursOf(page.locator('.leaf').first());
      expect(shareOf(drawn, (red, green, blue) => red + green + blue < 12)).toBeGreaterThan(0.001);
    },
  },
  {
    type: 'image',
    parts: () => [file('hull.png', aPng(480, 320, [179, 54, 26]))],
    see: async () => {
      const image = page.getByRole('img', { name: 'hull.png' });
      await image.waitFor();
      expect(shareOf(await coloursOf(image), isReddish)).toBeGreaterThan(0.9);
    },
  },
  {
    type: 'files',
    parts: () => [
      file('readme.txt', 'Read me first'),
      file('songs/shanty.wav', aWav(1)),
      ...reds.map((colour, index) => file(`bow ${index + 1}.png`, aPng(160, 120, colour))),
    ],
    see: seesGallery,
  },
  {
    type: 'presentation',
    parts: async () => [file('Harbour plan.pptx', await aPptx('Harbour plan 2027'))],
    see: async () => {
      await seesText('ol li', 'Harbour plan 2027');
      await seesText('[data-position]', 'Slide 1 of 3');
      await page.keyboard.press('ArrowRight');
      await seesText('[data-position]', 'Slide 2 of 3');
      await seesText('ol li', 'North quay: deepened to 9 metres');
      const slide = page.getByRole('listitem', { name: 'Slide 2 of 3' }).locator('.frame');
      expect(shareOf(await coloursOf(slide), isReddish)).toBeGreaterThan(0.05);
      const link = page.getByRole('link', { name: 'The plan' });
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    },
  },
  {
    type: 'audio',
    parts: () => [file('shanty.wav', aWav(4))],
    see: () => seesSeek('audio', 3),
  },
  {
    type: 'video',
    parts: () => [file('harbour.webm', film)],
    see: async () => {
      await seesSeek('video', 1);
      const isDrawn = (red: number, green: number, blue: number) => green > red && blue > red;
      expect(shareOf(await coloursOf(page.locator('video')), isDrawn)).toBeGreaterThan(0.3);
    },
  },
  {
    type: 'code',
    parts: () => [file('berth.ts', typescript)],
    see: () => seesCode('export function berth'),
  },
  {
    type: 'document',
    parts: async () => [file('Letter.docx', await aLetter())],
    see: async () => {
      await seesText('section p', 'Letter to the harbour master');
      await seesText('section td', '120');
      const drawn = await coloursOf(page.locator('section img'));
      expect(shareOf(drawn, isReddish)).toBeGreaterThan(0.9);
      const link = page.getByRole('link', { name: 'The plan' });
      expect(await link.getAttribute('href')).toBe('https://example.com/plan');
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    },
  },
  {
    type: 'document',
    as: 'table',
    parts: () => [file('ships.csv', csv)],
    see: async () => {
      await seesText('th', 'Remark');
      await seesText('td', 'late, "wet"');
      await seesText('td', '<b>bold</b>');
      await seesText('main', '2 rows.');
    },
  },
  {
    type: 'markdown',
    parts: () => [file('rules.md', markdown)],
    see: async () => {
      await seesText('main h1, main h2', 'Harbour rules');
      await seesText('main em', 'fairway');
      await seesText('main td', '120');
      await seesText('main pre', 'const knots = 5;');
    },
  },
  { type: 'yaml', parts: () => [file('harbour.yaml', yaml)], see: () => seesCode('Northport') },
  { type: 'sql', parts: () => [file('ships.sql', sql)], see: () => seesCode('ORDER BY length') },
  { type: 'python', parts: () => [file('tide.py', python)], see: () => seesCode('def tide') },
  {
    type: 'model3d',
    as: 'glb',
    parts: () => [file('cube.glb', aGlb())],
    see: () => seesModel(isReddish),
  },
  {
    type: 'model3d',
    as: 'gltf',
    parts: () => [file('cube.gltf', aGltf())],
    see: () => seesModel(isReddish),
  },
  {
    type: 'model3d',
    as: 'stl',
    parts: () => [file('cube.stl', anStl())],
    see: () => seesModel(isGreyBlue),
  },
];

/** A recording goes on from where it is sought, fetched in parts. */
async function seesSeek(tag: 'audio' | 'video', seconds: number): Promise<void> {
  const player = page.locator(tag);
  await player.waitFor();
  const position = await player.evaluate(async (player: any, seconds: number) => {
    const once = { once: true };
    if (player.readyState < 1) {
      await new Promise((done) => player.addEventListener('loadedmetadata', done, once));
    }
    player.currentTime = seconds;
    await new Promise((done) => player.addEventListener('seeked', done, once));
    return player.currentTime;
  }, seconds);
  expect(position).toBeCloseTo(seconds, 1);
  expect(answered.filter(({ status }) => status === 206).length).toBeGreaterThan(0);
}

/** Pictures side by side; one opens, the next one follows by key, and the key Escape closes it. */
async function seesGallery(): Promise<void> {
  await page.getByRole('link', { name: 'readme.txt' }).waitFor();
  const pictures = page.locator('[data-gallery] img');
  expect(await pictures.count()).toBe(3);
  await until(async () => shareOf(await coloursOf(pictures.first()), isReddish) > 0.8);
  await page.getByRole('link', { name: 'bow 1.png' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: 'bow 1.png' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await dialog.getByText('2 of 3').waitFor();
  await dialog.getByRole('button', { name: 'Next picture' }).click();
  await dialog.getByRole('img', { name: 'bow 3.png' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await until(() => page.evaluate<boolean>(`document.activeElement.dataset.name === 'bow 3.png'`));
  await page.getByRole('link', { name: 'bow 2.png' }).click();
  expect(new URL(page.url()).hash).toBe('#bow%202.png');
  await page.reload();
  await dialog.getByText('2 of 3').waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'hidden' });
  expect(new URL(page.url()).hash).toBe('');
  await until(() =>
    page.evaluate<boolean>(
      `[...document.querySelectorAll('[data-gallery] img')].every((image) => image.complete && image.naturalWidth > 0)`,
    ),
  );
}

/** Each width and each colour scheme is loaded once, and then looked at in the other colour scheme. */
const appearances = [
  { scheme: 'light', otherScheme: 'dark', width: 1280, height: 800 },
  { scheme: 'dark', otherScheme: 'light', width: 390, height: 844 },
] as const;

let film: Buffer;
let answered: { status: number; url: string }[];
const addresses = new Map<Kind, string>();

beforeAll(async () => {
  film = await aWebm(browser, 3);
  for (const kind of kinds) {
    const answer = await publish(await kind.parts());
    expect(answer.status).toBe(200);
    addresses.set(kind, answer.json.data.url);
  }
});

afterEach(() => page?.context().close());

test('every type of project is tested', () => {
  expect(new Set(kinds.map(({ type }) => type))).toEqual(new Set(ProjectType.options));
});

const named = kinds.map(
  (kind) => [[kind.type, kind.as].filter(Boolean).join(' as '), kind] as const,
);

describe.each(named)('a project of type %s', (name, kind) => {
  test.each(appearances)(
    'shows its content in $scheme at $width px, and asks nothing of anybody else',
    async ({ scheme, otherScheme, width, height }) => {
      page = await openPage(browser, { colorScheme: scheme, viewport: { width, height } });
      const url = addresses.get(kind) ?? '';
      const pageErrors = watch(page, new URL(url).host);
      answered = [];
      page.on('response', (response) => {
        answered.push({ status: response.status(), url: response.url() });
      });
      expect((await page.goto(url))?.status()).toBe(200);
      await kind.see();
      for (const colorScheme of [scheme, otherScheme]) {
        await page.emulateMedia({ colorScheme });
        const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate(over)).toBe(0);
        await picture(page, `viewer-${name.replaceAll(' ', '-')}-${colorScheme}-${width}`);
      }
      expect(pageErrors).toEqual([]);
      const hosts = answered
        .map((answer) => new URL(answer.url))
        .filter(({ protocol }) => protocol.startsWith('http'));
      expect(new Set(hosts.map(({ host }) => host))).toEqual(new Set([new URL(url).host]));
    },
  );
});

/** Neither an archive nor a text, which would be shown. */
const noArchive = Buffer.from('no archive\0\u0001\u0002');

describe('a file that cannot be shown has an explanation and a download', () => {
  test.each([
    ['a letter that is none', 'Letter.docx', noArchive, 'damaged'],
    ['a presentation that is none', 'Plan.pptx', noArchive, 'damaged'],
    [
      'a model whose parts are elsewhere',
      'hull.gltf',
      aGltf({ buffers: [{ uri: 'hull.bin', byteLength: 864 }] }),
      'hull.bin',
    ],
    ['an STL with too many triangles', 'hull.stl', anStl(0xffff_ffff), 'damaged'],
    ['an archive bomb', 'Bomb.docx', bomb(), 'damaged'],
  ])('%s', async (name, filename, body, reason) => {
    page = await openPage(browser, { viewport: { width: 390, height: 844 } });
    const { json } = await publish([file(filename, body)]);
    const pageErrors = watch(page, new URL(json.data.url).host);
    await page.goto(json.data.url);
    await page.getByRole('alert').filter({ hasText: reason }).waitFor();
    expect(await page.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(
      `/${filename}`,
    );
    await picture(page, `refused-${name.replaceAll(' ', '-')}`);
    expect(pageErrors).toEqual([]);
  });
});

/** A letter that would run a script, load from elsewhere, show a page of its own, and lie over ours. */
function aHostileLetter(): Promise<Buffer> {
  const over = 'position:fixed;left:0;top:0;width:100vw;height:100vh;z-index:9999';
  const escape = `x } :host { position: fixed !important; inset: 0 !important; z-index: 9999 } a { x: y`;
  const body = [
    '<w:p><w:hyperlink r:id="run"><w:r><w:t>Run</w:t></w:r></w:hyperlink></w:p>',
    `<w:p><w:r><w:pict><v:rect style="${over}" fillcolor="red"><v:fill color="red"/></v:rect></w:pict></w:r></w:p>`,
    `<w:p><w:r><w:rPr><w:rFonts w:ascii="${escape}"/></w:rPr><w:t>Styled</w:t></w:r></w:p>`,
    aDrawing('far'),
    '<w:altChunk r:id="chunk"/>',
  ].join('');
  const styles = `<w:style w:type="paragraph" w:styleId="Evil"><w:name w:val="evil"/><w:rPr><w:color w:val="${escape}"/><w:rFonts w:ascii="${escape}"/></w:rPr></w:style>`;
  return aDocx('A hostile letter', {
    body,
    relations: [
      ['run', 'hyperlink', "javascript:alert('ran')"],
      ['chunk', 'aFChunk', 'chunk.html'],
    ],
    parts: {
      'word/chunk.html': '<script>parent.alert("ran")</script><h1>Chunk</h1>',
      'word/theme/theme1.xml': styles,
    },
  });
}

test('a hostile document runs nothing, loads nothing and stays in its frame', async () => {
  page = await openPage(browser, { viewport: { width: 1280, height: 800 } });
  const { json } = await publish([file('Letter.docx', await aHostileLetter())]);
  const pageErrors = watch(page, new URL(json.data.url).host);
  page.on('dialog', (dialog) => {
    pageErrors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(json.data.url);
  await seesText('section p', 'A hostile letter');
  expect(await page.locator('iframe, section script, section object').count()).toBe(0);
  expect(await page.locator('section a', { hasText: 'Run' }).getAttribute('href')).toBeNull();
  await page.getByText('Run', { exact: true }).dispatchEvent('click');
  // Neither covered by what it brings along, nor moved.
  await page.getByRole('link', { name: 'Download' }).click({ trial: true });
  await page.getByRole('link', { name: 'Report' }).click({ trial: true });
  await picture(page, 'hostile-letter', true);
  expect(pageErrors).toEqual([]);
});

test('a whole folder downloads as one ZIP', async () => {
  page = await openPage(browser);
  const bundle = kinds.find(({ type }) => type === 'files');
  await page.goto((bundle && addresses.get(bundle)) ?? '');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download all' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  const zip = await JSZip.loadAsync(readFileSync(await download.path()));
  const pictures = ['bow 1.png', 'bow 2.png', 'bow 3.png'];
  expect(Object.keys(zip.files)).toEqual(
    expect.arrayContaining([...pictures, 'readme.txt', 'songs/shanty.wav']),
  );
});

test('without scripts, pictures are links and a document can still be downloaded', async () => {
  page = await openPage(browser, { javaScriptEnabled: false });
  const [gallery, letter] = ['files', 'document'].map((type) =>
    kinds.find((kind) => kind.type === type),
  );
  await page.goto((gallery && addresses.get(gallery)) ?? '');
  await page.getByRole('link', { name: 'bow 2.png' }).click();
  expect(new URL(page.url()).pathname).toBe('/bow%202.png');
  await page.goto((letter && addresses.get(letter)) ?? '');
  await page.locator('noscript p').waitFor();
  expect(await page.getByText('Opening the file').isVisible()).toBe(false);
  await page.getByRole('link', { name: 'Download' }).waitFor();
});
