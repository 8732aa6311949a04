import { beforeAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { signIn } from '../fixtures/accounts/accounts.ts';
import { file } from '../fixtures/clouds/client.ts';
import { hitsOf, outcomesOf, whenCounted } from '../fixtures/visits/opens.ts';
import { created } from '../fixtures/projects/projects.ts';
import { openPage } from './support/chromium.ts';
import { browser } from './support/own-browser.ts';

const person =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

let key: string;
beforeAll(async () => {
  key = await signIn();
});

/** A look in a browser that nobody seems to drive, unless told otherwise. */
async function looked(url: string, options: BrowserContextOptions, driven = false) {
  const page = await openPage(browser, options);
  if (!driven) {
    const content = "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })";
    await page.addInitScript({ content });
  }
  await page.goto(url, { waitUntil: 'load' });
  await page.reload({ waitUntil: 'load' });
  await page.context().close();
}

test('a page that a person loads twice is two visits and two opens', async () => {
  const { projectId, url } = await created(key, {
    files: [file('index.html', '<!doctype html><title>Mine</title><h1>Mine</h1>')],
  });
  await looked(url, { userAgent: person });
  // An open may be counted before the visit that it belongs to.
  const data = await whenCounted(
    key,
    projectId,
    ({ opens, visits }) => opens.total >= 2 && visits.total >= 2,
  );
  expect(data).toMatchObject({ opens: { total: 2 }, visits: { total: 2 } });
  expect(data.recentOpens[0]).toMatchObject({ browser: 'Chrome', device: 'desktop' });
  expect(outcomesOf(await hitsOf(key, projectId))).toEqual(['open', 'open']);
});

test('a browser that a program controls counts no open', async () => {
  const { projectId, url } = await created(key);
  await looked(url, { userAgent: person }, true);
  const data = await whenCounted(key, projectId, ({ visits }) => visits.total >= 2);
  expect(data).toMatchObject({ opens: { total: 0 }, visits: { total: 2 } });
});
