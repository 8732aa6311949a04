import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';
import { seriousFindings } from './dashboard.ts';
import { type OwnAddress, ownAddress } from './own-address.ts';

/** Longer than any step takes on a slow machine; a test may have several. */
const STEP_TIMEOUT_MS = 30_000;

const pictures = new URL('../../../artefacts/browser/', import.meta.url);

/** Debian's Chromium without a window; it takes less than half the CPU time of the one with a window. */
const withoutWindow = '/usr/bin/chromium-headless-shell';

/** `CHROMIUM`, or what Debian's packages have installed. */
const chromiumPath =
  process.env['CHROMIUM'] ?? (existsSync(withoutWindow) ? withoutWindow : '/usr/bin/chromium');

const launchOptions: LaunchOptions = {
  executablePath: chromiumPath,
  headless: true,
  chromiumSandbox: false,
  // Where the shell has no locale, Chromium gives a file with letters beyond ASCII no name.
  env: { ...process.env, LANG: 'C.UTF-8' },
  args: [
    '--disable-gpu',
    // 3D is drawn by the processor: CI has no graphics card.
    '--enable-unsafe-swiftshader',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/** A Chromium of the test file's own, with a fresh profile that tells nobody anything. */
export async function startChromium(from?: OwnAddress): Promise<Browser> {
  const address = from ?? (await ownAddress());
  const browser = await chromium.launch(withArgs(address.chromiumArgs));
  browser.on('disconnected', () => address.close());
  return browser;
}

function withArgs(more: readonly string[]): LaunchOptions {
  return { ...launchOptions, args: [...(launchOptions.args ?? []), ...more] };
}

/** A page waits for its service worker as in other browsers; Chromium would ask the network at the same time. */
const workersAlone = ['--disable-features=ServiceWorkerAutoPreload,ServiceWorkerSyntheticResponse'];

/** The Chromium of one person, who closes it and opens it again with all that it kept in `profile`. */
export async function startOwnChromium(profile: string): Promise<BrowserContext> {
  // Our own pages let nobody evaluate anything.
  const context = await chromium.launchPersistentContext(profile, {
    ...withArgs(workersAlone),
    bypassCSP: true,
  });
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  return context;
}

/** A page with nothing kept from another one; close it with `page.context().close()`. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  const page = await context.newPage();
  // Playwright catches a file chooser only while somebody listens. A listener that a test adds just before
  // the click may come too late.
  page.on('filechooser', () => undefined);
  return page;
}

/** Waits until the page has been drawn, with the changes that a new size of the window caused. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
}

/** With `PICTURES=1`, keeps what the page looks like in `artefacts/browser/`, for a person to look at. */
export async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  if (process.env['PICTURES'] === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, pictures)), fullPage });
}

/** The page fits into both widths in both schemes, and axe finds nothing serious. With `PICTURES=1`, pictures of all four are kept. */
export async function expectGoodLayout(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(over)).toBe(0);
      await picture(page, `${name}-${colorScheme}-${width}`, true);
    }
  }
  expect(await seriousFindings(page, name)).toEqual([]);
}
