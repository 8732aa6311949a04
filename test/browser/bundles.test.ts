import { afterEach, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aGltfParts } from '../fixtures/visits/sample-models.ts';
import { openPage, picture } from './support/chromium.ts';
import { coloursOf, shareOf } from './support/colours.ts';
import { aWebm } from './support/record-video.ts';
import { aPng } from './support/sample-files.ts';
import { useViewerStand } from './support/use-viewer-stand.ts';
import { watch } from './support/watch.ts';

jest.setTimeout(300_000);

const viewers = useViewerStand();
let page: Page;
let pageErrors: string[];

afterEach(() => page.context().close());

async function open(name: string, bytes: Buffer, beside: Record<string, Buffer>): Promise<void> {
  page = await openPage(viewers.browser, { viewport: { width: 600, height: 700 } });
  pageErrors = watch(page, viewers.stand.host);
  await page.goto(viewers.stand.show(name, bytes, beside));
}

const frames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

test('a film has the subtitles that are beside it', async () => {
  await open('launch.webm', await aWebm(viewers.browser, 1), {
    'launch.vtt': Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nShe floats\n'),
    'launch.de.srt': Buffer.from('1\n00:00:00,000 --> 00:00:01,000\nSie schwimmt\n', 'latin1'),
  });
  const cues = await page.evaluate<[string, string, string[]][]>(`(async () => {
    const { textTracks } = document.querySelector('video');
    for (const track of textTracks) track.mode = 'showing';
    const look = () => [...textTracks].map((track) => [track.label, track.language, [...(track.cues ?? [])].map((cue) => cue.text)]);
    while (look().some(([, , texts]) => texts.length === 0)) await new Promise(requestAnimationFrame);
    return look();
  })()`);
  expect(cues).toEqual([
    ['de', 'de', ['Sie schwimmt']],
    ['Subtitles 2', '', ['She floats']],
  ]);
  await picture(page, 'media-subtitles');
  expect(pageErrors).toEqual([]);
});

const isReddish = (red: number, green: number, blue: number) => red > 6 && red > green + blue;
const isGreenish = (red: number, green: number, blue: number) => green > 5 && green > red + blue;

/** A triangle with a picture on it. */
const obj = `mtllib parts\\ship.mtl
v -1 -1 0
v 1 -1 0
v 0 1 0
vt 0 0
vt 1 0
vt 0.5 1
vn 0 0 1
usemtl hull
f 1/1/1 2/2/1 3/3/1
`;

test.each<[string, Buffer, Record<string, Buffer>, typeof isReddish]>([
  [
    'ship.gltf',
    aGltfParts('parts/ship.bin').gltf,
    { 'parts/ship.bin': aGltfParts('').binary },
    isReddish,
  ],
  [
    'ship.obj',
    Buffer.from(obj),
    {
      'parts/ship.mtl': Buffer.from('newmtl hull\nKd 1 1 1\nmap_Kd parts\\hull.png\n'),
      'parts/hull.png': aPng(16, 16, [20, 200, 30]),
    },
    isGreenish,
  ],
])('%s is shown with the files that it names', async (name, bytes, beside, isColour) => {
  await open(name, bytes, beside);
  await page.getByRole('button', { name: 'Reset view' }).waitFor();
  await page.evaluate(frames);
  await picture(page, `bundle-${name}`);
  expect(shareOf(await coloursOf(page.locator('canvas')), isColour)).toBeGreaterThan(0.01);
  expect(pageErrors).toEqual([]);
});

test.each([
  ['a part that is missing', 'lost.bin', /needs lost\.bin, which is not beside it/],
  ['a part on another site', 'https://example.org/ship.bin', /needs other files/],
  ['a part that is one of our pages', '/_slipway/zip', /damaged|cannot|beside/],
])('a model with %s says so', async (_, uri, reason) => {
  await open('ship.gltf', aGltfParts(uri).gltf, {});
  expect(await page.getByRole('alert').textContent()).toMatch(reason);
  expect(pageErrors.filter((line) => line.startsWith('foreign'))).toEqual([]);
});

test('a model that is alone still loads nothing', async () => {
  page = await openPage(viewers.browser);
  pageErrors = watch(page, viewers.stand.host);
  await page.goto(viewers.stand.show('ship.gltf', aGltfParts('ship.bin').gltf));
  expect(await page.getByRole('alert').textContent()).toMatch(/needs other files: ship\.bin/);
  expect(pageErrors).toEqual([]);
});
