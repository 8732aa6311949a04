import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { aDracoGlb, aMeshoptGlb, aPointCloud, aThreeMf } from '../fixtures/visits/packed-models.ts';
import { openPage, picture, startChromium } from './support/chromium.ts';
import { coloursOf, shareOf } from './support/colours.ts';
import { startViewerStand, type ViewerStand } from './support/viewer-stand.ts';
import { watch } from './support/watch.ts';

jest.setTimeout(300_000);

let browser: Browser;
let stand: ViewerStand;
let page: Page;

beforeAll(async () => {
  [browser, stand] = await Promise.all([startChromium(), startViewerStand()]);
});
afterAll(async () => {
  await browser?.close();
  stand?.close();
});
afterEach(() => page?.context().close());

const isReddish = (red: number, green: number, blue: number) => red > 6 && red > green + blue;

test.each<[string, () => Promise<Buffer> | Buffer]>([
  ['draco.glb', aDracoGlb],
  ['meshopt.glb', aMeshoptGlb],
  ['pyramid.3mf', aThreeMf],
  ['scan.ply', aPointCloud],
])('%s is shown in its colour', async (name, make) => {
  page = await openPage(browser, { viewport: { width: 390, height: 700 } });
  const pageErrors = watch(page, stand.host);
  await page.goto(stand.show(name, await make()));
  await page.getByRole('button', { name: 'Reset view' }).waitFor();
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
  await picture(page, `model-${name}`);
  expect(shareOf(await coloursOf(page.locator('canvas')), isReddish)).toBeGreaterThan(0.004);
  expect(pageErrors).toEqual([]);
});
