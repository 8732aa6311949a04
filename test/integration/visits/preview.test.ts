import { afterAll, beforeAll, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { openPreview, preview, push } from '../../fixtures/projects/preview.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { patch } from '../../fixtures/projects/versions.ts';

/** Two versions are kept, so that the third push drops the first. */
const cloud = new LocalCloud('plans.pro.versionsKept=2');
let key = '';
beforeAll(async () => {
  await cloud.start();
  key = await signIn(undefined, cloud.baseUrl);
});
afterAll(() => cloud.remove());

async function aZip(): Promise<Buffer> {
  const zip = new JSZip();
  zip.file('index.html', '<h1>old</h1>');
  zip.file('large.bin', 'a'.repeat(5 * 1024 * 1024));
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}
const page = (text: string) => [file('index.html', `<h1>${text}</h1>`), file('a.css', text)];

async function twoVersions(first = page('old')) {
  const fields = { title: 'Preview' };
  const { projectId, url } = await created(key, { fields, files: first, service: cloud.baseUrl });
  expect((await push(key, projectId, page('live'), cloud.baseUrl)).status).toBe(200);
  const link = (await preview(key, projectId, 1, cloud.baseUrl)).json.data.url;
  return { projectId, url, link, headers: { cookie: await openPreview(link) } };
}

test('a preview needs one read more than a visit, and a visit one read', async () => {
  const { projectId, url, headers } = await twoVersions();
  // The cost of statistics is measured elsewhere.
  const quiet = { analyticsEnabled: false };
  expect((await patch(key, projectId, quiet, cloud.baseUrl)).status).toBe(200);
  await ask(`${url}/`);
  expect(await cloud.costOf(() => ask(`${url}/`))).toEqual({ gate: 1, 'GetItem sites': 1 });
  const junk = { cookie: '__Host-slipway-preview=junk' };
  expect(await cloud.costOf(() => ask(`${url}/`, { headers: junk }))).toEqual({
    gate: 1,
    'GetItem sites': 1,
  });
  await ask(`${url}/`, { headers });
  // The edge does not cache previews, so each request reads storage.
  expect(await cloud.costOf(() => ask(`${url}/`, { headers }))).toEqual({
    gate: 1,
    'GetItem sites': 1,
    'GetItem projects': 1,
    's3:GetObject': 1,
  });
});

test('a pruned version ends its preview link and cookie', async () => {
  const { projectId, url, headers } = await twoVersions();
  expect((await ask(`${url}/`, { headers })).text).toContain('old');
  expect((await push(key, projectId, page('third'), cloud.baseUrl)).status).toBe(200);
  for (const path of ['/', '/a.css']) {
    const moved = await ask(url + path, { headers });
    expect(moved).toMatchObject({
      status: 302,
      headers: {
        location: '/_slipway/preview/ended',
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      },
    });
  }
  const ended = await ask(`${url}/_slipway/preview/ended`, { headers });
  expect(ended.status).toBe(404);
  expect(ended.text).toContain('has been deleted');
  expect(ended.headers['set-cookie']?.[0]).toMatch(/^__Host-slipway-preview=;.* Max-Age=0$/);
  expect((await preview(key, projectId, 1, cloud.baseUrl)).status).toBe(404);
});

test('a large file of a previewed version opens for its visitor only', async () => {
  const { url, headers } = await twoVersions([file('site.zip', await aZip())]);
  const moved = await ask(`${url}/large.bin`, { headers });
  expect(moved).toMatchObject({ status: 302, headers: { 'cache-control': 'private, no-store' } });
  const address = url + moved.headers.location;
  const range = { range: 'bytes=0-3' };
  expect((await ask(address, { headers: { ...headers, ...range } })).body.toString()).toBe('aaaa');
  expect((await ask(address, { headers: range })).status).toBe(404);
  expect((await ask(`${url}/large.bin`)).status).toBe(404);
});

test('a link works for exactly an hour', async () => {
  const { url, link, headers } = await twoVersions();
  await cloud.advance(3590);
  expect((await ask(`${url}/`, { headers })).text).toContain('old');
  await cloud.advance(11);
  const after = await ask(`${url}/`, { headers });
  expect(after.text).toContain('live');
  expect(after.headers['x-robots-tag']).toBeUndefined();
  expect((await ask(link)).status).toBe(404);
});
