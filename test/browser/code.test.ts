import { expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { picture } from './support/chromium.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';

jest.setTimeout(300_000);

const viewers = useViewerStand();
let page: Page;

const lines = Array.from({ length: 50_000 }, (_, index) => `quay ${index + 1} is <free>`);
const log = Buffer.from(`${lines.join('\n')}\n`);

async function open(name: string, bytes: Buffer, hash = ''): Promise<void> {
  page = await viewers.samePage({ width: 1280, height: 800 });
  await page.goto(viewers.stand.show(name, bytes) + hash);
  await page.getByRole('button', { name: /^Copy/ }).waitFor();
}

/** Whether the middle of a line is in the window. */
const isInView = (line: number) =>
  page.evaluate<boolean>(
    `(({ top, bottom }) => top > 0 && bottom < innerHeight)(document.querySelector('#L${line}').getBoundingClientRect())`,
  );

test('of 50,000 lines only those near the reader are numbered, and an address names any of them', async () => {
  await open('harbour.log', log, '#L43210');
  const marked = page.locator('.on');
  expect(await marked.allTextContents()).toEqual(['quay 43210 is <free>\n']);
  expect(await isInView(43_210)).toBe(true);
  expect(await page.locator('.line').count()).toBeLessThan(3000);
  await page.getByRole('textbox', { name: 'Line' }).fill('20-22');
  await page.keyboard.press('Enter');
  await page.locator('#L21.on').waitFor();
  expect(await marked.count()).toBe(3);
  expect(await isInView(21)).toBe(true);
  await picture(page, 'code-long');
});

test('all of a long file is found by the browser and copied', async () => {
  await open('harbour.log', log);
  expect(await page.evaluate("window.find('quay 49999 is <free>')")).toBe(true);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toBe(log.toString());
});

test('coloured code of many lines has numbers that are links', async () => {
  const code = lines.slice(0, 3000).map((_, index) => `const quay${index} = ${index};`);
  await open('quays.ts', Buffer.from(code.join('\n')), '#L2900-L2902');
  expect(await page.locator('.on').count()).toBe(3);
  expect(await isInView(2901)).toBe(true);
  await page.locator('#L2903 > a').click({ modifiers: ['Shift'] });
  await page.locator('#L2903.on').waitFor();
  expect(await page.locator('.on').count()).toBe(4);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'code-dark-390');
});

test('one line of two megabytes is shown, and wraps', async () => {
  await open('quays.json', Buffer.from(`["${'quay, '.repeat(320_000)}"]`));
  await page.getByRole('button', { name: 'Tree' }).click();
  await page.getByRole('button', { name: 'Wrap lines' }).click();
  const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(over)).toBe(0);
  expect(await page.locator('#L1').evaluate((line: any) => line.offsetHeight)).toBeGreaterThan(
    100_000,
  );
});

test('a file that is not shown whole says so where it is copied', async () => {
  await open('harbour.log', Buffer.concat([log, log, log]));
  await page.getByRole('button', { name: 'Copy this part' }).waitFor();
  await page.getByText('This is only the beginning of a large file.').waitFor();
});

test('JSON is a tree that opens, and is searched, beside its source', async () => {
  const quays = Array.from({ length: 450 }, (_, at) => ({ quay: `north ${at}`, depth: at }));
  await open('quays.json', Buffer.from(JSON.stringify({ master: 'Ada', quays })));
  const tree = page.locator('.json-tree');
  await tree.getByText('450 items').click();
  await tree.getByText('199:').waitFor();
  expect(await tree.getByText('200:').count()).toBe(0);
  await tree.getByRole('button', { name: 'Show more (250 left)' }).click();
  await tree.getByText('399:').click();
  await tree.getByText('"north 399"', { exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).fill('NORTH 44');
  await tree.getByText('11 found.').waitFor();
  await tree.getByText('quays[449].quay:').waitFor();
  await page.getByRole('button', { name: 'Tree' }).click();
  expect(await page.locator('#L1').isVisible()).toBe(true);
  expect(await tree.isVisible()).toBe(false);
});

test('a link to a line of JSON shows the source, and what is no JSON has no tree', async () => {
  await open('quays.json', Buffer.from('{\n"a": 1\n}'), '#L2');
  expect(await isInView(2)).toBe(true);
  await open('quays.json', Buffer.from('{"a": '));
  expect(await page.getByRole('button', { name: 'Tree' }).count()).toBe(0);
});

test('a calendar shows the time on the reader’s clock, and leads to the reader’s own calendar', async () => {
  const own = await viewers.newPage({ timezoneId: 'Asia/Tokyo' });
  const event = 'SUMMARY:Tide\nDTSTART;TZID=Europe/Berlin:20260301T230000\nEND:VEVENT';
  const calendar = Buffer.from(`BEGIN:VCALENDAR\nBEGIN:VEVENT\n${event}\nEND:VCALENDAR\n`);
  await own.goto(viewers.stand.show('tides.ics', calendar));
  await own.getByRole('row', { name: 'Your time Monday, 2 March 2026, 07:00' }).waitFor();
  const link = own.getByRole('link', { name: 'Add to your calendar' });
  expect(await link.getAttribute('href')).toMatch(/tides\.ics$/);
});
