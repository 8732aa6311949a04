import { expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { picture } from './support/chromium.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';

jest.setTimeout(300_000);

const viewers = useViewerStand();
let page: Page;

const chapters = Array.from(
  { length: 1000 },
  (_, number) => `## Tide ${number}\n\nThe **quay** is dry at ${number}.\n`,
);
const text = Buffer.from(`# Tides\n\n${chapters.join('\n')}`);

async function open(hash = ''): Promise<void> {
  page = await viewers.samePage({ width: 1280, height: 800 });
  await page.goto(viewers.stand.show('tides.md', text) + hash);
  await page.locator('.prose h2').first().waitFor({ state: 'attached' });
}

/** Headings that the browser has laid out. */
const laidOut = () =>
  page.evaluate<number>(
    `new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(
      [...document.querySelectorAll('.prose h2')].filter((one) =>
        one.checkVisibility({ contentVisibilityAuto: true })).length))))`,
  );

test('of a text of 1,000 chapters only those near the reader are laid out, and all can be found', async () => {
  await open();
  expect(await page.locator('.prose h2').count()).toBe(1000);
  expect(await laidOut()).toBeLessThan(200);
  await picture(page, 'text-long');
  expect(await page.evaluate("window.find('is dry at 999')")).toBe(true);
});

test('an address names any of its headings', async () => {
  await open('#tide-700');
  const top = await page
    .locator('#tide-700')
    .evaluate((heading: any) => heading.getBoundingClientRect().top);
  expect(top).toBeGreaterThanOrEqual(0);
  expect(top).toBeLessThan(800);
  expect(await laidOut()).toBeLessThan(200);
});
