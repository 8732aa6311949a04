import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { ask } from '../../fixtures/clouds/client.ts';
import { aLargeArchive } from '../../fixtures/archives/large-archive.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created, remove, usage } from '../../fixtures/projects/projects.ts';
import { putTo } from '../../fixtures/projects/put.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import {
  begin,
  begun,
  ended,
  progress,
  publishedUpload,
  publishUpload,
  sent,
} from '../../fixtures/uploads/uploads.ts';

/** Deleted projects are removed immediately; the trial's plan allows two projects and 30 MiB. */
const cloud = new LocalCloud(
  'deletedKeptDays=0',
  'plans.pro.maxProjects=2',
  `plans.pro.maxStorageBytes=${30 * 1024 * 1024}`,
  'plans.pro.maxFilesPerProject=3',
  'plans.pro.maxUploadBytes=33554432',
);
let asker = { apiKey: '', service: '' };
beforeAll(async () => {
  await cloud.start();
  asker = { apiKey: await signIn(undefined, cloud.baseUrl), service: cloud.baseUrl };
}, 600_000);
afterAll(() => cloud.remove());

const page = { 'index.html': '<h1>Large</h1>' };
const waiting = async () => (await cloud.state()).keys.filter((key) => key.startsWith('temp/'));
const uploadRows = async () =>
  ((await cloud.state()).rows['projects'] ?? []).filter((row) => row['sk']?.S === 'UPLOAD');

test('an upload expires after an hour, and is removed a quarter of an hour later', async () => {
  const late = await sent(page, asker);
  const { uploadId, urls } = await begun(page, asker);
  await cloud.advance(3590);
  const inTime = await sent(page, asker);
  expect((await progress(late, asker)).json.data.status).toBe('waiting');

  await cloud.advance(20);
  expect(await putTo(urls[0], page['index.html'])).toBe(403);
  for (const one of [late, uploadId]) {
    const answer = await publishUpload('create', one, asker);
    expect([404, 409]).toContain(answer.status);
  }
  expectRefusal(await publishUpload('create', late, asker), 404, 'NOT_FOUND');
  const { projectId } = await publishedUpload('create', inTime, asker);

  await cloud.advance(900);
  expect(await waiting()).toEqual([]);
  expectRefusal(await progress(late, asker), 404, 'NOT_FOUND');
  expect((await progress(inTime, asker)).json.data.status).toBe('published');

  await cloud.advance(24 * 3600);
  expectRefusal(await progress(inTime, asker), 404, 'NOT_FOUND');
  expect(await uploadRows()).toEqual([]);
  await remove(asker.apiKey, projectId, asker.service);
});

test('the URLs of an upload stop working when it was used, and a published upload cannot be reused', async () => {
  const { uploadId, urls } = await begun(page, asker);
  expect(await putTo(urls[0], page['index.html'])).toBe(200);
  const { projectId } = await publishedUpload('create', uploadId, asker);
  expect(await waiting()).toEqual([]);
  expect(await putTo(urls[0], page['index.html'])).toBe(404);
  expect(await waiting()).toEqual([]);
  expectRefusal(await publishUpload('create', uploadId, asker), 404, 'NOT_FOUND');
  await remove(asker.apiKey, projectId, asker.service);
});

test('after a refused publication the next one uses the same files', async () => {
  const { uploadId, urls } = await begun(page, asker);
  expect(await putTo(urls[0], page['index.html'])).toBe(200);
  // A file that is sent again before the upload is used takes the place of the first.
  const later = page['index.html'].replace('Large', 'Later');
  expect(await putTo(urls[0], later)).toBe(200);
  const full = [await created(asker.apiKey, asker), await created(asker.apiKey, asker)];
  expectRefusal(await publishUpload('create', uploadId, asker), 403, 'PROJECT_LIMIT_REACHED');
  expect(await putTo(urls[0], page['index.html'])).toBe(404);
  await remove(asker.apiKey, full[0].projectId, asker.service);
  const { projectId, url } = await publishedUpload('create', uploadId, asker);
  expect((await ask(url)).text).toContain('Later');
  for (const one of [full[1].projectId, projectId]) {
    await remove(asker.apiKey, one, asker.service);
  }
});

test('signed URLs for more than the plan’s storage are refused until some are used or have expired', async () => {
  const own = { ...asker, apiKey: await signIn(undefined, cloud.baseUrl) };
  const tenMebibytes = { archive: { size: 10 * 1024 * 1024 } };
  const answers = await Promise.all(Array.from({ length: 12 }, () => begin(tenMebibytes, own)));
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([201, 201, 201, ...Array.from({ length: 9 }, () => 403)]);
  expectRefusal(await begin({ archive: { size: 1 } }, own), 403, 'STORAGE_LIMIT_REACHED');
  await cloud.advance(3600 + 900 + 60);
  const { urls, uploadId } = await begun(page, own);
  expect((await begin({ archive: { size: 30 * 1024 * 1024 } }, own)).status).toBe(403);
  await putTo(urls[0], page['index.html']);
  const { projectId } = await publishedUpload('create', uploadId, own);
  expect((await begin({ archive: { size: 30 * 1024 * 1024 } }, own)).status).toBe(201);
  await remove(own.apiKey, projectId, own.service);
});

test('an upload that exceeds the plan may be published when there is room', async () => {
  const uploadId = await sent(page, asker);
  const full = [await created(asker.apiKey, asker), await created(asker.apiKey, asker)];
  expectRefusal(await publishUpload('create', uploadId, asker), 403, 'PROJECT_LIMIT_REACHED');
  await remove(asker.apiKey, full[0].projectId, asker.service);
  const { projectId } = await publishedUpload('create', uploadId, asker);
  for (const one of [full[1].projectId, projectId]) {
    await remove(asker.apiKey, one, asker.service);
  }
});

test.each([
  ['a worker would publish', 29, 2],
  ['its request publishes', 15, 2],
])(
  'an archive that %s is refused if it unpacks to too much, and may be tried again',
  async (_, mebibytes, files) => {
    const own = { ...asker, apiKey: await signIn(undefined, cloud.baseUrl) };
    const archive = await aLargeArchive(0);
    const small = await publishedUpload('create', await sent(archive, own), own);
    const fill = await sent({ 'a.bin': Buffer.alloc((32 - mebibytes) * 1024 * 1024) }, own);
    const filled = await publishedUpload({ projectId: small.projectId }, fill, own);
    expect(filled.deploymentId).toBe('dep_v2');
    await ended(fill, own);
    const before = await usage(own.apiKey, own.service);
    const bytes = Buffer.alloc((mebibytes * 1024 * 1024) / files);
    const uploadId = await sent({ 'a.bin': bytes, 'b.bin': bytes }, own);
    expectRefusal(await publishUpload('create', uploadId, own), 403, 'STORAGE_LIMIT_REACHED');
    expect(await usage(own.apiKey, own.service)).toEqual(before);
    expect((await progress(uploadId, own)).json.data.status).toBe('waiting');
    await remove(own.apiKey, small.projectId, own.service);
    const { projectId } = await publishedUpload('create', uploadId, own);
    expect((await ended(uploadId, own)).projectId).toBe(projectId);
    await remove(own.apiKey, projectId, own.service);
  },
);

test('uploads have the limits of their plan', async () => {
  const files = (count: number) => ({
    files: Array.from({ length: count }, (_, at) => ({ path: `${at}`, size: 1 })),
  });
  expect((await begin(files(3), asker)).status).toBe(201);
  expectRefusal(await begin(files(4), asker), 400, 'TOO_MANY_FILES');
  const archive = await sent(await aLargeArchive(3), asker);
  expectRefusal(await publishUpload('create', archive, asker), 400, 'TOO_MANY_FILES');
});

test('nothing of all this remains', async () => {
  await cloud.advance(3 * 24 * 3600);
  await cloud.maintain();
  const { rows, keys } = await cloud.state();
  // Addresses that projects left are kept for their account.
  const sites = (rows['sites'] ?? []).filter(({ heldUntil }) => heldUntil === undefined);
  expect({ projects: rows['projects'], sites, keys }).toEqual({
    projects: [],
    sites: [],
    keys: [],
  });
  expect((await ask(`${cloud.baseUrl}/health`)).status).toBe(200);
});
