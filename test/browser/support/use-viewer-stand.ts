import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openPage, startChromium } from './chromium.ts';
import { startViewerStand, type ViewerStand } from './viewer-stand.ts';
import { watch } from './watch.ts';

/** What the tests of a file about viewers share. */
export interface ViewerTests {
  browser: Browser;
  stand: ViewerStand;
  /** A page of its own, watched until the end of the test: any error in it fails the test. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

/** A Chromium and pages of single files for the tests of a file; both end with them. */
export function useViewerStand(): ViewerTests {
  let browser: Browser | undefined;
  let stand: ViewerStand | undefined;
  let opened: { page: Page; errors: string[] }[] = [];

  beforeAll(async () => {
    [browser, stand] = await Promise.all([startChromium(), startViewerStand()]);
  });
  afterAll(async () => {
    await browser?.close();
    stand?.close();
  });
  afterEach(async () => {
    const ended = opened;
    opened = [];
    for (const { page } of ended) await page.context().close();
    expect(ended.flatMap(({ errors }) => errors)).toEqual([]);
  });

  const started = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new Error('only tests and their hooks may use it');
    return thing;
  };
  return {
    get browser() {
      return started(browser);
    },
    get stand() {
      return started(stand);
    },
    async newPage(options) {
      const page = await openPage(started(browser), options);
      opened.push({ page, errors: watch(page, started(stand).host) });
      return page;
    },
  };
}
