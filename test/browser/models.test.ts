import { expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  aDracoGlb,
  aMeshoptGlb,
  aMovedGlb,
  aPointCloud,
  aTexturedGlb,
  aThreeMf,
} from '../fixtures/visits/packed-models.ts';
import { picture } from './support/chromium.ts';
import { coloursOf, shareOf } from './support/colours.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';

jest.setTimeout(300_000);

const viewers = useViewerStand();
let page: Page;

const isReddish = (red: number, green: number, blue: number) => red > 6 && red > green + blue;

test.each<[string, () => Promise<Buffer> | Buffer]>([
  ['draco.glb', aDracoGlb],
  ['meshopt.glb', aMeshoptGlb],
  ['textured.glb', aTexturedGlb],
  ['pyramid.3mf', aThreeMf],
  ['scan.ply', aPointCloud],
])('%s is shown in its colour', async (name, make) => {
  page = await viewers.samePage({ width: 390, height: 700 });
  await page.goto(viewers.stand.show(name, await make()));
  await page.getByRole('button', { name: 'Reset view' }).waitFor();
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
  await picture(page, `model-${name}`);
  expect(shareOf(await coloursOf(page.locator('canvas')), isReddish)).toBeGreaterThan(0.004);
});

test('a model that rises far is in the picture before and after', async () => {
  page = await viewers.newPage({ viewport: { width: 390, height: 700 } });
  await page.clock.install();
  await page.goto(viewers.stand.show('moved.glb', aMovedGlb()));
  await page.getByRole('button', { name: 'Reset view' }).waitFor();
  const shareNow = async () => shareOf(await coloursOf(page.locator('canvas')), isReddish);
  expect(await shareNow()).toBeGreaterThan(0.0005);
  await page.clock.runFor(6000);
  await picture(page, 'model-moved');
  expect(await shareNow()).toBeGreaterThan(0.0005);
});
