import { afterAll, beforeAll, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { temporaryLifetimeSeconds } from '../../../contract/limits.ts';
import { ask, file, publishTo } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';

const cloud = new LocalCloud();
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

test('a temporary project disappears at the exact second, and is removed completely within a minute', async () => {
  // Its end has the same second of a minute as now: away from the turn, when the sweep runs.
  const second = (await cloud.now()).getUTCSeconds();
  if (second < 3 || second > 50) await cloud.advance((63 - second) % 60);
  const zip = new JSZip();
  zip.file('index.html', '<h1>Soon gone</h1>');
  zip.file('logo.svg', '<svg/>');
  zip.file('big.bin', Buffer.alloc(5 * 1024 * 1024));
  const body = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
  const { data } = (await publishTo(cloud.baseUrl, [file('site.zip', body)])).json;
  const { url, projectId, expiresAt } = data;

  await cloud.advance((Date.parse(expiresAt) - (await cloud.now()).getTime()) / 1000 - 12);
  const ahead = (await cloud.now()).getTime() - Date.now();
  const untilEnd = () => Date.parse(expiresAt) - ahead - Date.now();

  const media = `${url}${(await ask(`${url}/big.bin`)).headers.location}`;
  const paths = [`${url}/`, `${url}/logo.svg`, media];
  for (const path of paths) expect((await ask(path)).status).toBe(200);
  // Once more, so that the edge has cached all it may.
  for (const path of paths) expect((await ask(path)).status).toBe(200);
  await sleep(untilEnd() - 800);
  expect((await ask(`${url}/`)).status).toBe(200);
  expect(untilEnd()).toBeGreaterThan(0);

  await sleep(untilEnd() + 5);
  for (const ways of [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-1' } }]) {
    expect((await ask(`${url}/`, ways)).status).toBe(410);
    expect((await ask(`${url}/logo.svg`, ways)).status).toBe(410);
    expect((await ask(`${url}/big.bin`, ways)).status).toBe(410);
    expect((await ask(`${url}/nothing`, ways)).status).toBe(410);
  }
  expect((await ask(media)).status).toBe(410);
  const gone = await ask(`${url}/`);
  expect(gone.headers['cache-control']).toBe('private, no-store');
  expect(gone.text).toContain('expired');

  await cloud.maintain();
  const late = await ask(`${url}/`);
  expect([late.status, late.text === gone.text]).toEqual([410, true]);
  const { rows, keys } = await cloud.state();
  expect(keys).toEqual([]);
  expect(JSON.stringify([rows['sites'], rows['projects']])).not.toContain(projectId);
});

test('the one-minute schedule runs the removal', async () => {
  const { data } = (await publishTo(cloud.baseUrl, [file('a.txt')])).json;
  await cloud.advance(temporaryLifetimeSeconds + 60);
  const { rows, keys } = await cloud.state();
  expect({ projects: rows['projects'], keys }).toEqual({ projects: [], keys: [] });
  expect((await ask(data.url)).status).toBe(410);
  await cloud.advance(91 * 86_400);
  expect((await cloud.state()).rows['sites']).toEqual([]);
  expect((await ask(data.url)).status).toBe(404);
});

test('counters expire by TTL', async () => {
  // Slugs that were given out stay: they are never given out again.
  const counters = async () =>
    (await cloud.state()).rows['counters']?.filter(
      ({ key }) => key?.S?.startsWith('temporary-slugs#') !== true,
    );
  await publishTo(cloud.baseUrl, [file('a.txt')]);
  expect(await counters()).not.toEqual([]);
  await cloud.advance(3 * 3600);
  expect(await counters()).toEqual([]);
});

test('a cloud that starts with --clock-ahead, and its functions, go on with that time', async () => {
  const before = (await cloud.now()).getTime();
  await cloud.stop();
  await cloud.resume();
  const after = (await cloud.now()).getTime();
  expect(after).toBeGreaterThanOrEqual(before);
  const { data } = (await publishTo(cloud.baseUrl, [file('index.html')])).json;
  expect(Date.parse(data.expiresAt)).toBeGreaterThanOrEqual(
    after + temporaryLifetimeSeconds * 1000,
  );
});
