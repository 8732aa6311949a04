import { afterAll, beforeAll, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { temporaryLifetimeSeconds } from '../../../contract/limits.ts';
import { ask, file, publishTo } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';

const cloud = new LocalCloud();
let url: string;
beforeAll(async () => {
  await cloud.start();
  const zip = new JSZip();
  zip.file('index.html', '<h1>Cost</h1>');
  zip.file('style.css', 'body{}');
  zip.file('other.css', 'body{}');
  for (let index = 0; index < 400; index += 1) zip.file(`pages/${index}/data.json`, `${index}`);
  const body = await zip.generateAsync({ type: 'nodebuffer' });
  url = (await publishTo(cloud.baseUrl, [file('site.zip', body)])).json.data.url;
});
afterAll(() => cloud.remove());

const one = { gate: 1, 'GetItem sites': 1 };
const oneAndTheFile = { ...one, 's3:GetObject': 1 };

test('an asset of a temporary project needs one read and one object, and then one read', async () => {
  expect(await cloud.costOf(() => ask(`${url}/style.css`))).toEqual(oneAndTheFile);
  expect(await cloud.costOf(() => ask(`${url}/style.css`))).toEqual(one);
});

test('a sweep writes a line if it finds something, and otherwise none', async () => {
  const lines = () => cloud.written.split('"swept"').length - 1;
  await cloud.maintain();
  const before = lines();
  await cloud.maintain();
  expect(lines()).toBe(before);
  // The projects without an owner are due.
  await cloud.advance(temporaryLifetimeSeconds + 61);
  expect(lines()).toBeGreaterThan(before);
});
