import { readFileSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { picture } from './support/chromium.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';

jest.setTimeout(300_000);

const viewers = useViewerStand();
const sans = readFileSync('node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf');

test('of a collection, the first font is shown', async () => {
  const head = Buffer.alloc(32);
  head.write('ttcf');
  for (const [at, value] of [0x10000, 2, 20, 20].entries()) head.writeUInt32BE(value, 4 + 4 * at);
  const font = Buffer.from(sans);
  // Tables are found from the start of the collection.
  for (let at = 20; at < 12 + 16 * font.readUInt16BE(4); at += 16)
    font.writeUInt32BE(font.readUInt32BE(at) + 20, at);
  const page = await viewers.newPage();
  const bytes = Buffer.concat([head.subarray(0, 20), font]);
  await page.goto(viewers.stand.show('sans.ttc', bytes));
  await page.getByRole('heading', { name: 'Latin' }).waitFor();
  expect(await page.locator('p.in-font').count()).toBe(6);
});

test('a font is shown in six sizes, with the characters that it has and no others', async () => {
  const page = await viewers.newPage({ viewport: { width: 390, height: 800 } });
  await page.goto(viewers.stand.show('sans.ttf', sans));
  await page.getByRole('heading', { name: 'Latin' }).waitFor();
  const headings = await page.locator('.font-view h2').allTextContents();
  expect(headings).toEqual(
    expect.arrayContaining(['Latin', 'Cyrillic', 'Greek', 'Digits and signs']),
  );
  for (const missing of ['Devanagari', 'Thai', 'Kana', 'Hangul', 'Han', 'Arabic']) {
    expect(headings).not.toContain(missing);
  }
  expect(await page.locator('p.in-font').count()).toBe(6);
  await page.getByRole('textbox', { name: 'Try it' }).fill('Ahoy');
  const family = 'getComputedStyle(document.querySelector("textarea")).fontFamily';
  expect(await page.evaluate<string>(family)).toMatch(/^Specimen/);
  await page.getByRole('heading', { name: 'Cyrillic' }).scrollIntoViewIfNeeded();
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'font-dark-390');
});
