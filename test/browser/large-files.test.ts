import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { signIn } from '../fixtures/accounts/accounts.ts';
import { file, published } from '../fixtures/clouds/client.ts';
import { publishedUpload, sent } from '../fixtures/uploads/uploads.ts';
import { picture } from './support/chromium.ts';
import { browser } from './support/own-browser.ts';
import { page, visit } from './support/own-page.ts';
import { aSeekableWebm } from './support/record-video.ts';
import { aWav, noise, zipOf } from './support/sample-files.ts';

/** Publishes a site that is too large for the body of a request. */
async function siteOf(files: Record<string, Buffer | string>): Promise<string> {
  const asker = { apiKey: await signIn() };
  const uploadId = await sent(await zipOf(files), asker);
  return (await publishedUpload('create', uploadId, asker)).url;
}

/** The statuses of what storage sent for files whose names end like this, from now on. */
function statusesOf(ending: string): number[] {
  const statuses: number[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (/^\/_slipway\/(?:files|isolated)\//.test(pathname) && pathname.endsWith(ending))
      statuses.push(response.status());
  });
  return statuses;
}

describe('files over 4 MB', () => {
  const chart = Buffer.alloc(4_400_000, 'soundings ');
  let url: string;

  beforeAll(async () => {
    const index = `<!doctype html><title>Horn</title><h1>Fog horn</h1>
<audio controls preload="metadata" src="horn.wav"></audio>
<p><a href="chart.bin">The chart</a></p>`;
    const zip = await zipOf({ 'index.html': index, 'horn.wav': aWav(54), 'chart.bin': chart });
    url = await published([file('horn.zip', zip)]);
  });

  test('play and can be sought; access is checked for each range', async () => {
    const statuses = statusesOf('.wav');
    const pageErrors = await visit(url);
    await page.waitForFunction('document.querySelector("audio").readyState >= 1');
    expect(await page.evaluate('document.querySelector("audio").duration')).toBeCloseTo(54, 1);
    await page.evaluate('document.querySelector("audio").currentTime = 53');
    await page.waitForFunction(
      '(({ seeking, readyState, currentTime }) => !seeking && readyState >= 2 && currentTime >= 53)(document.querySelector("audio"))',
    );
    expect(await page.evaluate('document.querySelector("audio").error')).toBeNull();
    expect(statuses.length).toBeGreaterThan(1);
    expect(new Set(statuses)).toEqual(new Set([206]));
    await picture(page, 'audio');
    expect(pageErrors).toEqual([]);
  });

  test('download completely, with their names', async () => {
    const pageErrors = await visit(url);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'The chart' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('chart.bin');
    expect(readFileSync(await download.path()).equals(chart)).toBe(true);
    expect(pageErrors).toEqual([]);
  });

  test('of video play, and a later place is sought by a range alone', async () => {
    const seconds = 60;
    const video = await aSeekableWebm(browser, seconds);
    expect(video.length).toBeGreaterThan(2 * 4 * 1024 * 1024);
    const index =
      '<!doctype html><title>Film</title><video controls preload="metadata" src="film.webm"></video>';
    const url = await siteOf({ 'index.html': index, 'film.webm': video });
    const statuses = statusesOf('.webm');
    const pageErrors = await visit(url);
    await page.waitForFunction('document.querySelector("video").readyState >= 1');
    expect(await page.evaluate('document.querySelector("video").duration')).toBe(seconds);
    await page.evaluate('document.querySelector("video").currentTime = 55');
    await page.waitForFunction(
      '(({ seeking, readyState, currentTime }) => !seeking && readyState >= 2 && currentTime >= 55)(document.querySelector("video"))',
    );
    await page.evaluate(
      '{ const video = document.querySelector("video"); video.muted = true; void video.play(); }',
    );
    await page.waitForFunction('document.querySelector("video").currentTime > 56');
    expect(await page.evaluate('document.querySelector("video").error')).toBeNull();
    expect(statuses.length).toBeGreaterThan(1);
    expect(new Set(statuses)).toEqual(new Set([206]));
    await picture(page, 'video');
    expect(pageErrors).toEqual([]);
  });

  test('of WebAssembly run in a page that is isolated, with memory that threads share', async () => {
    const module = Buffer.from(
      '0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b',
      'hex',
    );
    const bytes = noise(5_000_000);
    // A custom section that no engine reads: its size in LEB128, and a name of one letter (WebAssembly, section 5.5.3).
    const size = [0, 7, 14, 21].map((shift) => {
      const bits = ((bytes.length + 2) >>> shift) & 0x7f;
      return shift === 21 ? bits : bits | 0x80;
    });
    const wasm = Buffer.concat([module, Buffer.from([0, ...size, 1, 0x78]), bytes]);
    const headers =
      '/*\n  Cross-Origin-Opener-Policy: same-origin\n  Cross-Origin-Embedder-Policy: require-corp\n';
    const url = await siteOf({
      'index.html': '<!doctype html><title>Isolated</title>',
      'add.wasm': wasm,
      _headers: headers,
    });
    const statuses = statusesOf('.wasm');
    const pageErrors = await visit(url);
    const found = await page.evaluate(`(async () => {
      const { instance } = await WebAssembly.instantiateStreaming(fetch('add.wasm'));
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
      return [crossOriginIsolated, memory.buffer instanceof SharedArrayBuffer, instance.exports.add(2, 3)];
    })()`);
    expect(found).toEqual([true, true, 5]);
    expect(statuses).toEqual([200]);
    expect(pageErrors).toEqual([]);
  });
});
