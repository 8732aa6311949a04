import { expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  aDracoGlb,
  aMeshoptGlb,
  aMovedGlb,
  aPointCloud,
  aTexturedGlb,
  aThreeMf,
  aThreeMfOfParts,
} from '../fixtures/visits/packed-models.ts';
import { aDae } from '../fixtures/visits/sample-scenes.ts';
import { openPage, painted, picture } from './support/chromium.ts';
import { aPng } from './support/sample-files.ts';
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

const flatStl = Buffer.from(
  `solid a\n${['0 0 0|2 0 0|0 2 0', '0 0 0|0 2 0|0 0 2', '0 0 0|0 0 2|2 0 0', '2 0 0|0 0 2|0 2 0']
    .map(
      (corners) =>
        `facet normal 0 0 0\nouter loop\n${corners
          .split('|')
          .map((corner) => `vertex ${corner}`)
          .join('\n')}\nendloop\nendfacet`,
    )
    .join('\n')}\nendsolid a\n`,
);

test.each([
  ['normals.stl', 'a model whose normals are zero', flatStl],
  ['wide.dae', 'a scene in UTF-16', Buffer.from(`\uFEFF${String(aDae())}`, 'utf16le')],
  ['gone.dae', 'a scene whose picture is missing', aDae('gone.tga')],
])('%s, %s, is not black', async (name, _, bytes) => {
  page = await viewers.samePage({ width: 390, height: 700 });
  await page.goto(viewers.stand.show(name, bytes));
  await page.getByRole('button', { name: 'Reset view' }).waitFor();
  await painted(page);
  await picture(page, `model-${name}`);
  const colours = await coloursOf(page.locator('canvas'));
  const black = shareOf(colours, (red, green, blue) => red + green + blue < 3);
  expect(black).toBeLessThan(0.004);
});

test.each([
  ['a picture that is missing', 'Kd 0.7 0.1 0.05\nTr 1.0\nmap_Kd gone.png', {}, 'gone.png'],
  [
    'a picture on somebody’s disk, over black',
    'Kd 0 0 0\nmap_Kd C:\\art\\red.png',
    { 'red.png': aPng(8, 8, [179, 54, 26]) },
    undefined,
  ],
])('an OBJ with %s is shown in its colour', async (_, material, beside, missing) => {
  // Nobody watches it: a missing picture is an answer with the status 404.
  page = await openPage(viewers.browser, { viewport: { width: 390, height: 700 } });
  const obj =
    'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl a\nf 1/1 3/2 2/3\nf 1/1 2/2 4/3\nf 2/1 3/2 4/3\nf 3/1 1/2 4/3\n';
  const files = { 'a.mtl': Buffer.from(`newmtl a\n${material}\n`), ...beside };
  await page.goto(viewers.stand.show('hull.obj', Buffer.from(obj), files));
  await page.getByRole('button', { name: 'Reset view' }).waitFor();
  if (missing !== undefined) await page.getByText(`not beside it: ${missing}.`).waitFor();
  await painted(page);
  await picture(page, `model-obj-${missing ?? 'disk'}`);
  const colours = await coloursOf(page.locator('canvas'));
  await page.context().close();
  expect(shareOf(colours, isReddish)).toBeGreaterThan(0.004);
});

test('a 3MF whose parts count from one each shows all of them', async () => {
  page = await viewers.samePage({ width: 390, height: 700 });
  await page.goto(viewers.stand.show('parts.3mf', await aThreeMfOfParts()));
  await page.getByRole('button', { name: 'Reset view' }).waitFor();
  await painted(page);
  await picture(page, 'model-parts');
  const colours = await coloursOf(page.locator('canvas'));
  expect(shareOf(colours, isReddish)).toBeGreaterThan(0.004);
  expect(shareOf(colours, (red, green, blue) => blue > 6 && blue > red + green)).toBeGreaterThan(
    0.004,
  );
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
