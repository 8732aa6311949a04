import { expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aDocumentOf, aStream } from '../fixtures/visits/sample-pdfs.ts';
import { expectGoodLayout } from './support/chromium.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';

jest.setTimeout(300_000);

const viewers = useViewerStand();
let page: Page;

const chapters = ['Tides', 'Berths', 'Pilots', 'Lights', 'Fees', 'Fog'];
const handbook = aDocumentOf(
  chapters.map((title, index) => ({
    lines: [`Chapter ${index + 1}: ${title}`, 'The harbour is open.', 'Ask the harbour master.'],
    annotations:
      index > 0
        ? []
        : [
            '<< /Type /Annot /Subtype /Text /Rect [250 300 270 320] /Contents (Check this with the pilots) /T (Ada) >>',
            '<< /Type /Annot /Subtype /Screen /Rect [30 60 230 160] >>',
            '<< /Type /Annot /Subtype /Link /Rect [30 340 200 365] /Border [0 0 0] /A << /S /URI /URI (https://example.org/tides) >> >>',
            '<< /Type /Annot /Subtype /Link /Rect [30 320 200 338] /Border [0 0 0] /A << /S /URI /URI (javascript:alert(1)) >> >>',
          ],
  })),
  { outline: chapters.map((title, index) => ({ title, page: index + 1 })) },
);

async function open(bytes: Buffer, width = 900): Promise<void> {
  page = await viewers.samePage({ width, height: 800 });
  await page.goto(viewers.stand.show('Handbook.pdf', bytes));
  await page.getByText('Chapter 1: Tides').waitFor();
}

const pageField = () => page.getByRole('textbox', { name: 'Page' });

/** The number of the page follows what is scrolled, a moment later. */
async function untilPage(number: string): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const look = () =>
      document.querySelector('[data-page]').value === '${number}' ? done() : requestAnimationFrame(look);
    look();
  })`);
}

test('words are found with Ctrl+F, forwards and backwards, and marked', async () => {
  await open(handbook);
  await page.keyboard.press('Control+f');
  await page.keyboard.type('HARBOUR');
  await page.keyboard.press('Enter');
  const amount = page.locator('.finder output');
  await page.getByText('1 of 12').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('2 of 12').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('3 of 12').waitFor();
  await untilPage('2');
  await page.keyboard.press('Shift+Enter');
  await page.getByText('2 of 12').waitFor();
  const marked = await page.evaluate<string[]>(
    `[...CSS.highlights.get('chosen')].map((range) => range.startContainer.data.slice(range.startOffset, range.endOffset))`,
  );
  expect(marked).toEqual(['harbour']);
  expect(await page.evaluate("CSS.highlights.get('found').size")).toBeGreaterThan(2);
  await expectGoodLayout(page, 'pdf-find');
  await page.getByRole('searchbox').fill('anchor');
  await page.keyboard.press('Enter');
  await page.getByText('Not found').waitFor();
  await page.keyboard.press('Escape');
  expect(await amount.isVisible()).toBe(false);
  expect(await page.evaluate("CSS.highlights.get('found').size")).toBe(0);
});

test('the outline and the thumbnails lead to their pages', async () => {
  await open(handbook);
  await page.getByRole('button', { name: 'Contents' }).press('Enter');
  await page.getByRole('button', { name: 'Fees' }).click();
  await untilPage('5');
  expect(await pageField().inputValue()).toBe('5');
  await expectGoodLayout(page, 'pdf-outline');
  await page.setViewportSize({ width: 900, height: 800 });
  await page.getByRole('button', { name: 'Pages' }).click();
  const second = page.getByRole('button', { name: 'Page 2', exact: true });
  await second.locator('canvas').waitFor();
  await expectGoodLayout(page, 'pdf-thumbnails');
  await second.click();
  await untilPage('2');
  expect(await pageField().inputValue()).toBe('2');
});

test('notes open, what does not play says so, and only harmless links are links', async () => {
  await open(handbook, 390);
  await page.getByText('plays only in Adobe Acrobat').waitFor();
  const note = page.getByText('Check this with the pilots');
  expect(await note.isVisible()).toBe(false);
  await page.locator('summary[aria-label="Note by Ada"]').press('Enter');
  await note.waitFor();
  await expectGoodLayout(page, 'pdf-notes');
  const links = page.locator('.leaf > a');
  expect(await links.evaluateAll((all: any[]) => all.map(({ href }) => href))).toEqual([
    'https://example.org/tides',
  ]);
});

test('every page is printed, also with Ctrl+P', async () => {
  await open(handbook);
  await page.evaluate(`window.print = () => {
    document.body.dataset.printed = document.querySelectorAll('.printed img').length;
  }`);
  await page.keyboard.press('Control+p');
  await page.locator('body[data-printed="6"]').waitFor();
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(6);
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  expect(await page.locator('.printed').count()).toBe(0);
});

test('a page that is left before it could be drawn is not drawn', async () => {
  // The note of page 25 is in the middle of the file, which is not read at first.
  const pages = Array.from({ length: 40 }, (_, at) => ({
    lines: ['Chapter 1: Tides'],
    annotations: at === 24 ? ['86 0 R'] : [],
  }));
  const padding = aStream(' '.repeat(600_000));
  const note = '<< /Type /Annot /Subtype /Text /Contents (Late) /Rect [30 30 50 50] >>';
  const file = aDocumentOf(pages, { objects: [padding, note, padding] });
  page = await viewers.newPage({ viewport: { width: 900, height: 800 } });
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waiting = 0;
  await page.route('**/Handbook.pdf', async (route) => {
    if (route.request().headers()['range']?.startsWith('bytes=524288-') === true) {
      waiting += 1;
      await held;
    }
    await route.continue();
  });
  await page.goto(viewers.stand.show('Handbook.pdf', file));
  await page.locator('.leaf canvas').first().waitFor();
  const middle = page.locator('.leaf').nth(24);
  const near = `(at) => new Promise((done) => {
    document.querySelectorAll('.leaf')[at].scrollIntoView({ behavior: 'instant' });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
  })`;
  await page.evaluate(`(${near})(24)`);
  await page.evaluate(`(${near})(0)`);
  expect(waiting).toBe(1);
  release();
  await page.locator('.leaf').last().locator('.letters').waitFor({ state: 'attached' });
  await page.evaluate(`(${near})(0)`);
  expect(await middle.locator('.letters').count()).toBe(1);
  expect(await middle.locator('canvas').count()).toBe(0);
  await page.evaluate(`(${near})(24)`);
  await middle.locator('canvas').waitFor();
});

test('an XFA form says that it is one', async () => {
  const form = '/AcroForm << /Fields [] /XFA [(template) 4 0 R] >>';
  await open(aDocumentOf([{ lines: ['Chapter 1: Tides'] }], { catalog: form }));
  await page.getByText('This is an XFA form').waitFor();
  await open(handbook);
  expect(await page.getByText('This is an XFA form').isVisible()).toBe(false);
});
