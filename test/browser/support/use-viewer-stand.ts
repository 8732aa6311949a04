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
  /**
   * The page of all tests with this size, watched as well. Only for a test that leaves nothing in it
   * that another document would meet: no route, no script of its own, no clock, no unsaved form.
   */
  samePage(viewport: ViewportSize): Promise<Page>;
}

type ViewportSize = NonNullable<BrowserContextOptions['viewport']>;

interface WatchedPage {
  page: Page;
  errors: string[];
}

/** A Chromium and pages of single files for the tests of a file; both end with them. */
export function useViewerStand(): ViewerTests {
  let browser: Browser | undefined;
  let stand: ViewerStand | undefined;
  let opened: WatchedPage[] = [];
  const kept = new Map<string, WatchedPage>();

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
    const all = [...ended, ...kept.values()];
    expect(all.flatMap(({ errors }) => errors.splice(0))).toEqual([]);
  });

  const started = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new Error('only tests and their hooks may use it');
    return thing;
  };
  const openWatched = async (options?: BrowserContextOptions): Promise<WatchedPage> => {
    const page = await openPage(started(browser), options);
    return { page, errors: watch(page, started(stand).host) };
  };
  return {
    get browser() {
      return started(browser);
    },
    get stand() {
      return started(stand);
    },
    async newPage(options) {
      const watched = await openWatched(options);
      opened.push(watched);
      return watched.page;
    },
    async samePage(viewport) {
      const size = `${viewport.width} x ${viewport.height}`;
      const watched = kept.get(size) ?? (await openWatched({ viewport }));
      kept.set(size, watched);
      await watched.page.setViewportSize(viewport);
      await watched.page.emulateMedia({ colorScheme: 'light', media: null });
      return watched.page;
    },
  };
}
