import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { openPreview, preview, push } from '../../fixtures/projects/preview.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { diff, patch, rollBack } from '../../fixtures/projects/versions.ts';

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
  const ofPreview = { gate: 1, 'GetItem sites': 1, 'GetItem projects': 1 };
  expect(await cloud.costOf(() => ask(`${url}/`, { headers }))).toEqual({
    ...ofPreview,
    's3:GetObject': 1,
  });
  // The edge does not cache previews: the gate has the page in its memory now.
  expect(await cloud.costOf(() => ask(`${url}/`, { headers }))).toEqual(ofPreview);
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

describe('hashed assets of earlier versions (habit 6)', () => {
  beforeEach(async () => {
    key = await signIn(anEmail(), cloud.baseUrl);
  });
  const hour = 3600;
  const day = 24 * hour;
  const name = (version: number) => `assets/view-${version}${version}b2c3d4.js`;
  const build = (version: number) => [
    file('index.html', `<script type=module src=/${name(version)}></script>`),
    file(name(version), `export const version = ${version};`),
    file('style.css', `/* ${version} */`),
  ];
  const status = async (url: string, version: number) =>
    (await ask(`${url}/${name(version)}`)).status;
  const keysOf = async (projectId: string) =>
    (await cloud.state()).keys.filter((stored) => stored.includes(projectId));

  test('are reachable for seven days, also when their version was dropped', async () => {
    const service = cloud.baseUrl;
    const { projectId, url } = await created(key, { files: build(1), service });
    await push(key, projectId, build(2), service);
    const old = await ask(`${url}/${name(1)}`);
    expect([old.status, old.text]).toEqual([200, 'export const version = 1;']);
    expect(old.headers['cache-control']).toContain('immutable');
    expect((await diff(key, projectId, 2, service)).json.data).toMatchObject({
      removed: [name(1)],
      retained: { paths: [name(1)], bytes: 25, until: expect.any(String) },
    });
    await cloud.advance(2 * day);
    // The third version drops the first.
    await push(key, projectId, build(3), service);
    await cloud.advance(3 * hour);
    for (const version of [1, 2, 3]) expect(await status(url, version)).toBe(200);
    // A pack of each version, that of the first for its asset, and two lists.
    expect(await keysOf(projectId)).toHaveLength(3 + 2);
    await cloud.advance(5 * day - 3 * hour - 600);
    expect(await status(url, 1)).toBe(200);
    // The edge may keep it for five minutes.
    await cloud.advance(900);
    expect(await status(url, 1)).toBe(404);
    expect(await status(url, 2)).toBe(200);
    await cloud.advance(2 * day + hour);
    expect(await status(url, 2)).toBe(404);
    await cloud.maintain();
    expect((await keysOf(projectId)).some((stored) => stored.includes('manifest'))).toBe(true);
    const { rows } = await cloud.state();
    const drops = (rows['projects'] ?? []).filter(
      (row) => row['pk']?.S === `PROJECT#${projectId}` && row['sk']?.S?.startsWith('DROP#'),
    );
    expect(drops).toEqual([]);
    expect(await keysOf(projectId)).toHaveLength(2 + 2);
  });

  test('are those of a version that a rollback replaced', async () => {
    const service = cloud.baseUrl;
    const { projectId, url } = await created(key, { files: build(1), service });
    await push(key, projectId, build(2), service);
    expect((await rollBack(key, projectId, 1, service)).status).toBe(200);
    expect([await status(url, 1), await status(url, 2)]).toEqual([200, 200]);
    await push(key, projectId, build(3), service);
    expect([await status(url, 1), await status(url, 2), await status(url, 3)]).toEqual([
      200, 200, 200,
    ]);
  });

  test('end with a change of access, also when it is taken back', async () => {
    const service = cloud.baseUrl;
    const { projectId, url } = await created(key, { files: build(1), service });
    await push(key, projectId, build(2), service);
    await ask(`${url}/${name(1)}`);
    await patch(key, projectId, { access: 'private' }, service);
    expect(await status(url, 1)).toBe(401);
    await patch(key, projectId, { access: 'public' }, service);
    expect([await status(url, 1), await status(url, 2)]).toEqual([404, 200]);
  });
});
