import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, jest, test } from '@jest/globals';
import encodeJxl, { init } from '@jsquash/jxl/encode.js';
import type { Page } from 'playwright-core';
import utif from 'utif2';
import { picture } from './support/chromium.ts';
import { coloursOf, shareOf } from './support/colours.ts';
import { aHeic, aTiff as aTiffOf } from '../fixtures/visits/sample-pictures.ts';
import { aDeepPng, aPng } from './support/sample-files.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';

jest.setTimeout(300_000);

const viewers = useViewerStand();
let page: Page;

const width = 320;
const height = 200;
const red = new Uint8ClampedArray(width * height * 4).map(
  (_, at) => [179, 54, 26, 255][at % 4] ?? 0,
);
const isReddish = (red: number, green: number, blue: number) => red > 7 && red > green + blue;

async function aJxl(): Promise<Buffer> {
  const wasm = createRequire(import.meta.url).resolve('@jsquash/jxl/codec/enc/jxl_enc.wasm');
  await init(await (globalThis as any).WebAssembly.compile(readFileSync(wasm)));
  const image: any = { width, height, data: red, colorSpace: 'srgb' };
  return Buffer.from(await encodeJxl(image));
}

const aTiff = () => Buffer.from(utif.encodeImage(new Uint8Array(red), width, height));

async function open(name: string, bytes: Buffer): Promise<void> {
  page = await viewers.samePage({ width: 390, height: 800 });
  await page.goto(viewers.stand.show(name, bytes));
}

test.each<[string, () => Promise<Buffer> | Buffer]>([
  ['hull.tiff', aTiff],
  ['hull.jxl', aJxl],
  ['hull.heic', aHeic],
  ['hull.png', () => aPng(width, height, [179, 54, 26])],
  ['deep.png', () => aDeepPng(width, height, [179, 54, 26])],
])('%s is shown, and zooms', async (name, make) => {
  await open(name, await make());
  await page.getByRole('button', { name: 'Fit' }).waitFor();
  const image = page.getByRole('img', { name });
  expect(shareOf(await coloursOf(image), isReddish)).toBeGreaterThan(0.9);
  expect(await image.evaluate((image: any) => [image.naturalWidth, image.naturalHeight])).toEqual([
    width,
    height,
  ]);
  await page.getByRole('button', { name: '100 %' }).click();
  await picture(page, `picture-${name}`);
});

test('a picture that the browser refuses again and again has no error beside it', async () => {
  page = await viewers.newPage();
  await page.addInitScript(
    `setInterval(() => document.querySelector('.picture img')?.dispatchEvent(new Event('error')), 20);`,
  );
  await page.goto(viewers.stand.show('hull.jxl', await aJxl()));
  await page.getByRole('button', { name: 'Fit' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a picture is shown in a browser that decodes no image which failed before', async () => {
  page = await viewers.newPage();
  // As Firefox does it. The page's own script may ask once, about the file itself.
  await page.addInitScript(`
    const failed = new WeakSet();
    const { decode } = HTMLImageElement.prototype;
    HTMLImageElement.prototype.decode = function () {
      if (failed.has(this)) return Promise.reject(new DOMException('', 'EncodingError'));
      return decode.call(this);
    };
    addEventListener('error', ({ target }) => failed.add(target), true);
  `);
  await page.goto(viewers.stand.show('hull.tiff', aTiff()));
  await page.getByRole('button', { name: 'Fit' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

/** A TIFF that says it has this many columns and rows. */
function withSize(tiff: Buffer, columns: number, rows: number): Buffer {
  const bytes = Buffer.from(tiff);
  const directory = bytes.readUInt32BE(4);
  for (let at = directory + 2; at < directory + 2 + 12 * bytes.readUInt16BE(directory); at += 12) {
    const tag = bytes.readUInt16BE(at);
    if (tag !== 256 && tag !== 257) continue;
    bytes.writeUInt16BE(4, at + 2);
    bytes.writeUInt32BE(tag === 256 ? columns : rows, at + 8);
  }
  return bytes;
}

test.each<[string, string, () => Buffer, RegExp]>([
  ['too many pixels', 'huge.tif', () => withSize(aTiff(), 100_000, 100_000), /too many pixels/],
  ['a TIFF that is none', 'none.tif', () => Buffer.from('no picture'), /damaged/],
  [
    'a JPEG XL of a billion pixels',
    'huge.jxl',
    // Large, height and width of 30 bits each.
    () => Buffer.from([0xff, 0x0a, 0xfe, 0xff, 0xff, 0xff, 0xe1, 0xff, 0xff, 0xff, 0x7f]),
    /too many pixels/,
  ],
  ['a JPEG XL that is cut', 'cut.jxl', () => Buffer.from([0xff, 0x0a, 0x10]), /damaged/],
  ['a photo of an iPhone that is cut', 'photo.heic', () => aHeic().subarray(0, 300), /damaged/],
  ['a broken PNG', 'hull.png', () => Buffer.from('no picture'), /damaged/],
])('%s has an explanation and no broken icon', async (_, name, make, reason) => {
  await open(name, make());
  expect(await page.getByRole('alert').textContent()).toMatch(reason);
  expect(await page.locator('.picture').isVisible()).toBe(false);
});

test('the pages of a TIFF are turned by buttons', async () => {
  const pageOf = (colour: readonly number[]) => ({
    width,
    height,
    data: Buffer.alloc(width * height * 3, Buffer.from(colour)),
    tags: { 258: [8], 262: [2], 277: [3] },
  });
  await open('scan.tiff', aTiffOf(pageOf([20, 40, 200]), pageOf([179, 54, 26])));
  await page.getByText('Page 1 of 2').waitFor();
  const image = page.getByRole('img', { name: 'scan.tiff' });
  expect(shareOf(await coloursOf(image), isReddish)).toBe(0);
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('Page 2 of 2').waitFor();
  expect(shareOf(await coloursOf(image), isReddish)).toBeGreaterThan(0.9);
  await picture(page, 'picture-pages');
});

test('a photo of a camera is upright', async () => {
  page = await viewers.samePage({ width: 390, height: 800 });
  const url: string = await page.evaluate(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 200 });
    const context = canvas.getContext('2d');
    context.fillStyle = 'rgb(179 54 26)';
    context.fillRect(0, 0, 320, 200);
    return canvas.toDataURL('image/jpeg');
  })()`);
  const data = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  await open('dsc.nef', aTiffOf({ width: 9, height: 9, data, tags: { 274: [6] } }));
  await page.getByRole('button', { name: 'Fit' }).waitFor();
  const image = page.getByRole('img', { name: 'dsc.nef' });
  expect(await image.evaluate((image: any) => [image.naturalWidth, image.naturalHeight])).toEqual([
    height,
    width,
  ]);
  expect(shareOf(await coloursOf(image), isReddish)).toBeGreaterThan(0.9);
});
