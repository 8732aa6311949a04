import { afterAll, beforeAll, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { temporaryLifetimeSeconds } from '../../../contract/limits.ts';
import { ask, file, publishTo } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';

const cloud = new LocalCloud();
let url: string;
let bundle: string;
beforeAll(async () => {
  await cloud.start();
  const zip = new JSZip();
  zip.file('index.html', '<h1>Cost</h1>');
  zip.file('style.css', 'body{}');
  zip.file('other.css', 'body{}');
  for (let index = 0; index < 400; index += 1) zip.file(`pages/${index}/data.json`, `${index}`);
  const body = await zip.generateAsync({ type: 'nodebuffer' });
  url = (await publishTo(cloud.baseUrl, [file('site.zip', body)])).json.data.url;
  bundle = (await publishTo(cloud.baseUrl, [file('a.txt'), file('b.txt')])).json.data.url;
});
afterAll(() => cloud.remove());

const one = { gate: 1, 'GetItem sites': 1 };
const oneAndTheFile = { ...one, 's3:GetObject': 1 };
/** A visit to a page is handed over, and counted with all others of the moment: here it is alone. */
const counted = {
  'SendMessage hitsQueue': 1,
  hitCounter: 1,
  'GetItem projects': 1,
  // The earlier amounts of networks, before hits are judged and when they are written.
  'GetItem analytics': 2,
  'Query analytics': 1,
  'TransactWriteItems analytics': 1,
};

test('a first page view of a large site needs one read, its manifest and one file', async () => {
  const cold = { ...one, 's3:GetObject': 2 };
  expect(await cloud.costOf(() => ask(`${url}/`))).toEqual({ ...cold, ...counted });
});

test('the next one revalidates: one read, no object, the same body', async () => {
  const answers: string[] = [];
  const cost = await cloud.costOf(async () => answers.push((await ask(`${url}/`)).text));
  expect(answers).toEqual(['<h1>Cost</h1>']);
  expect(cost).toEqual({ ...one, ...counted });
});

test('a 304 needs one read and no object', async () => {
  const { headers } = await ask(`${url}/`);
  const cost = await cloud.costOf(async () => {
    const again = await ask(`${url}/`, { headers: { 'if-none-match': headers.etag } });
    expect(again.status).toBe(304);
  });
  expect(cost).toEqual({ ...one, ...counted });
});

test('an asset of a temporary project needs one read and one object, and then one read', async () => {
  expect(await cloud.costOf(() => ask(`${url}/style.css`))).toEqual(oneAndTheFile);
  expect(await cloud.costOf(() => ask(`${url}/style.css`))).toEqual(one);
});

test.each([
  ['a HEAD', '/other.css', { method: 'HEAD' }],
  ['a 404', '/nothing.css', {}],
  // Whoever accepts a page gets the application's.
  [
    'a redirect to a folder of a site of 400 files',
    '/pages/7',
    { headers: { accept: 'application/json' } },
  ],
])('%s needs one read', async (_, path, ways) => {
  expect(await cloud.costOf(() => ask(url + path, ways))).toEqual(one);
});

test('a listing needs one read', async () => {
  expect(await cloud.costOf(() => ask(`${bundle}/`))).toEqual({ ...one, ...counted });
});

test('an unknown address needs one read', async () => {
  const nobody = url.replace(/\/\/[^.]+\./, '//nobody-holds-this.');
  expect(await cloud.costOf(() => ask(nobody))).toEqual(one);
});

test('a refused method needs no read', async () => {
  expect(await cloud.costOf(() => ask(`${url}/`, { method: 'DELETE' }))).toEqual({});
});

// A try and a place count for the address and for its network.
test('publishing a text file needs a try, a place, an intent, the file, its markup and one transaction', async () => {
  const cost = await cloud.costOf(() => publishTo(cloud.baseUrl, [file('a.txt')]));
  expect(cost).toEqual({
    tempProjects: 1,
    'UpdateItem counters': 4,
    'GetItem counters': 2,
    'PutItem projects': 1,
    's3:PutObject': 2,
    // Its slug is never given out again.
    'TransactWriteItems counters': 1,
    'TransactWriteItems sites': 1,
    'TransactWriteItems projects': 1,
  });
});

test('a refused upload needs a try and nothing else', async () => {
  const cost = await cloud.costOf(() => publishTo(cloud.baseUrl, [file('a.zip')]));
  expect(cost).toEqual({ tempProjects: 1, 'UpdateItem counters': 2 });
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
