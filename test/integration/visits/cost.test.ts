import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryLifetimeSeconds } from '../../../contract/limits.ts';
import { ask, file, publishTo } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';

const cloud = new LocalCloud();
let url: string;
beforeAll(async () => {
  await cloud.start();
  const site = [file('index.html'), file('style.css', 'body{}')];
  url = (await publishTo(cloud.baseUrl, site)).json.data.url;
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
