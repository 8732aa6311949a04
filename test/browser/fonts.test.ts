import { readFileSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { picture } from './support/chromium.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';

jest.setTimeout(300_000);

const viewers = useViewerStand();
const sans = readFileSync('node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf');

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
