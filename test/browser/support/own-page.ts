import { afterEach, beforeEach } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from './chromium.ts';
import { browser } from './own-browser.ts';
import { watch } from './watch.ts';

/** The page of one test, in the Chromium of its file, with nothing kept from another test. */
export let page: Page;

beforeEach(async () => {
  page = await openPage(browser);
});

afterEach(() => page.context().close());

/** Opens an address in it. Returns what {@link watch} notices, as it happens. */
export async function visit(url: string): Promise<string[]> {
  const pageErrors = watch(page, new URL(url).host);
  await page.goto(url);
  return pageErrors;
}
