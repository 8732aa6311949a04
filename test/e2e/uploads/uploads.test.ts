import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file, isLocal, somebody } from '../../fixtures/clouds/client.ts';
import { create, created } from '../../fixtures/projects/projects.ts';
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
import { history } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

let apiKey = '';
let stranger = '';
beforeAll(async () => {
  if (isLocal) stranger = await signIn();
});
// A plan has room for a few projects only.
beforeEach(async () => {
  if (isLocal) apiKey = await signIn();
});

/** Which bytes of a file a part has. */
interface Range {
  offset: number;
  size: number;
}

const mebibyte = 1024 * 1024;
const page = { 'index.html': '<h1>Large</h1>', 'assets/style.css': 'body{}' };
const text = async (url: string) => (await ask(url)).text;

async function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

/** Enough files that a worker has to publish them. */
const manyFiles = (count: number) => ({
  'index.html': '<h1>Many</h1>',
  ...Object.fromEntries(
    Array.from({ length: count - 1 }, (_, at) => [`pages/${at}.txt`, `page ${at}`]),
  ),
});

local('an upload with a key', () => {
  test('starts with a signed URL for every file', async () => {
    const answer = await begin({ files: [{ path: 'a/b.txt', size: 3 }] }, { apiKey });
    expect(answer.status).toBe(201);
    expect(answer.json.data).toEqual({
      uploadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      expiresAt: expect.any(String),
      parts: [{ path: 'a/b.txt', method: 'PUT', url: expect.stringMatching(/^https?:/) }],
    });
    const minutes = (Date.parse(answer.json.data.expiresAt) - Date.now()) / 60_000;
    expect(Math.abs(minutes - 60)).toBeLessThan(1);
  });

  test.each(['json', 'form'] as const)('of files becomes a site, requested as %s', async (as) => {
    const uploadId = await sent(page, { apiKey });
    const answer = await publishUpload('create', uploadId, { apiKey, as });
    expect(answer.status).toBe(201);
    const { url, type, quota } = answer.json.data;
    expect({ type, bytes: quota.storage.usedBytes }).toEqual({ type: 'html', bytes: 20 });
    expect(await text(url)).toBe('<h1>Large</h1>');
    expect(await text(`${url}/assets/style.css`)).toBe('body{}');
  });

  test.each(['json', 'form'] as const)('of a ZIP becomes a site, requested as %s', async (as) => {
    const archive = await zipOf({ 'site/index.html': '<h1>Zip</h1>', 'site/a.css': 'p{}' });
    const uploadId = await sent(archive, { apiKey });
    const { url, type } = await publishedUpload('create', uploadId, { apiKey, as });
    expect(type).toBe('zip');
    expect(await text(url)).toBe('<h1>Zip</h1>');
    expect(await text(`${url}/a.css`)).toBe('p{}');
  });

  test('of one file with the name of a ZIP is a ZIP', async () => {
    const uploadId = await sent({ 'site.zip': await zipOf({ 'index.html': 'in' }) }, { apiKey });
    const { url, type } = await publishedUpload('create', uploadId, { apiKey });
    expect(type).toBe('zip');
    expect(await text(url)).toBe('in');
  });

  test('of a ZIP among other files does not unpack it', async () => {
    const archive = await zipOf({ 'index.html': 'in' });
    const uploadId = await sent({ 'site.zip': archive, 'a.txt': 'a' }, { apiKey });
    const { url, type } = await publishedUpload('create', uploadId, { apiKey });
    expect(type).toBe('files');
    expect((await ask(`${url}/site.zip`)).body).toEqual(archive);
  });

  test('of empty files is accepted', async () => {
    const uploadId = await sent({ 'index.html': '<p>', 'empty.txt': '' }, { apiKey });
    const { url } = await publishedUpload('create', uploadId, { apiKey });
    expect((await ask(`${url}/empty.txt`)).status).toBe(200);
  });

  test.each(['json', 'form'] as const)('becomes a version, requested as %s', async (as) => {
    const { projectId, url } = await created(apiKey);
    const to = { projectId };
    const uploadId = await sent(page, { apiKey });
    const fields = { expectedVersion: 1 };
    const data = await publishedUpload(to, uploadId, { apiKey, as, fields });
    expect(data).toEqual({ deploymentId: 'dep_v2', url });
    expect(await text(url)).toBe('<h1>Large</h1>');
    expect((await progress(uploadId, { apiKey })).json.data.projectId).toBe(projectId);
  });

  test('goes on after an interruption: a large file arrives in parts, in any order', async () => {
    const film = randomBytes(16 * mebibyte + 5);
    const files = [
      { path: 'film.bin', size: film.length },
      { path: 'a.txt', size: 1 },
    ];
    const announced = { files, inParts: true };
    const { uploadId, parts } = (await begin(announced, { apiKey })).json.data;
    const ranges = parts.slice(0, 3).map(({ offset, size }: Range) => [offset, size]);
    const [first, second] = [8 * mebibyte, 8 * mebibyte];
    expect(ranges).toEqual([
      [0, first],
      [first, second],
      [first + second, 5],
    ]);
    const put = (at: number, bytes = film) => {
      const { url, offset, size } = parts[at];
      return putTo(url, bytes.subarray(offset, offset + size));
    };
    const arrived = async () => {
      const { files, bytes } = (await progress(uploadId, { apiKey })).json.data;
      return [files.done, bytes.done];
    };
    expect([await put(2), await putTo(parts[3].url, 'a')]).toEqual([200, 200]);
    expect(await put(0, randomBytes(film.length))).toBe(200);
    expect(await arrived()).toEqual([1, first + 5 + 1]);
    const incomplete = await publishUpload('create', uploadId, { apiKey });
    expectRefusal(incomplete, 409, 'UPLOAD_INCOMPLETE');
    expect(await putTo(parts[1].url, film.subarray(0, second + 1))).toBe(403);
    expect(await putTo(parts[1].url, film.subarray(0, 5))).toBe(403);
    expect([await put(1), await put(0)]).toEqual([200, 200]);
    expect(await arrived()).toEqual([2, film.length + 1]);
    const { projectId, url } = await publishedUpload('create', uploadId, { apiKey });
    expect(await ended(uploadId, { apiKey })).toMatchObject({ status: 'published', projectId });
    const { location } = (await ask(`${url}/film.bin`)).headers;
    expect((await ask(new URL(String(location), url).href)).body.equals(film)).toBe(true);
    expect(await put(2)).toBe(404);
  });
});

local('an upload', () => {
  const missing = { 'index.html': 'index', 'b.txt': 'second' };

  test('refuses any number of bytes except the announced one', async () => {
    const { uploadId, urls } = await begun({ 'a.txt': 'four' }, { apiKey });
    for (const body of ['', 'one', 'fives']) expect(await putTo(urls[0], body)).toBe(403);
    expectRefusal(await publishUpload('create', uploadId, { apiKey }), 409, 'UPLOAD_INCOMPLETE');
    expect(await putTo(urls[0], 'four')).toBe(200);
    await publishedUpload('create', uploadId, { apiKey });
  });

  test('with a missing file is refused with its name, and works when it has arrived', async () => {
    const { uploadId, urls } = await begun(missing, { apiKey });
    await putTo(urls[0], 'index');
    const refused = await publishUpload('create', uploadId, { apiKey });
    expectRefusal(refused, 409, 'UPLOAD_INCOMPLETE');
    expect(refused.json.error).toContain('b.txt');
    await putTo(urls[1], 'second');
    await publishedUpload('create', uploadId, { apiKey });
  });

  test('shows the arrived files, and later the project', async () => {
    const { uploadId, urls } = await begun(missing, { apiKey });
    const told = async () => (await progress(uploadId, { apiKey })).json.data;
    await putTo(urls[1], 'second');
    expect(await told()).toEqual({
      uploadId,
      status: 'waiting',
      expiresAt: expect.any(String),
      files: { done: 1, total: 2 },
      bytes: { done: 6, total: 11 },
      projectId: null,
      failure: null,
    });
    await putTo(urls[0], 'index');
    const { projectId } = await publishedUpload('create', uploadId, { apiKey });
    expect(await told()).toMatchObject({
      status: 'published',
      files: { done: 2, total: 2 },
      bytes: { done: 11, total: 11 },
      projectId,
    });
  });

  test('of another account is unknown', async () => {
    const uploadId = await sent(page, { apiKey });
    expectRefusal(await progress(uploadId, { apiKey: stranger }), 404, 'NOT_FOUND');
    expectRefusal(await progress(uploadId), 404, 'NOT_FOUND');
    const other = { apiKey: stranger };
    expectRefusal(await publishUpload('create', uploadId, other), 404, 'NOT_FOUND');
    expectRefusal(await publishUpload('temp', uploadId), 404, 'NOT_FOUND');
    const { projectId } = await created(stranger);
    expectRefusal(await publishUpload({ projectId }, uploadId, other), 404, 'NOT_FOUND');
    await publishedUpload('create', uploadId, { apiKey });
  });

  test('that was never started is unknown', async () => {
    const unknown = '9b2e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11';
    expectRefusal(await progress(unknown, { apiKey }), 404, 'NOT_FOUND');
    expectRefusal(await progress('no-uuid', { apiKey }), 404, 'NOT_FOUND');
    expectRefusal(await publishUpload('create', unknown, { apiKey }), 404, 'NOT_FOUND');
    expectRefusal(await publishUpload('create', 'no-uuid', { apiKey }), 400, 'INVALID_REQUEST');
  });

  test('cannot be combined with files in one request', async () => {
    const uploadId = await sent(page, { apiKey });
    expectRefusal(await create(apiKey, { fields: { uploadId } }), 400, 'INVALID_REQUEST');
    expectRefusal(await create(apiKey, { files: [] }), 400, 'INVALID_REQUEST');
    await publishedUpload('create', uploadId, { apiKey });
  });

  test('is used once', async () => {
    const uploadId = await sent(page, { apiKey });
    const { projectId } = await publishedUpload('create', uploadId, { apiKey });
    const again = await publishUpload('create', uploadId, { apiKey });
    expectRefusal(again, 404, 'NOT_FOUND');
    expect(again.json.error).toContain('already used');
    expectRefusal(await publishUpload({ projectId }, uploadId, { apiKey }), 404, 'NOT_FOUND');
  });

  test('may be published again after its content was refused', async () => {
    const archive = await zipOf({ 'a.html': 'a', 'b.html': 'b' });
    const uploadId = await sent(archive, { apiKey });
    const refused = await publishUpload('create', uploadId, { apiKey });
    expectRefusal(refused, 400, 'ZIP_MULTIPLE_HTML');
    expect(refused.json.htmlPaths).toEqual(['a.html', 'b.html']);
    const fields = { zipIndexHtmlPath: 'b.html' };
    const { url } = await publishedUpload('create', uploadId, { apiKey, fields });
    expect(await text(url)).toBe('b');
  });

  test('may be published again after its address or its version was refused', async () => {
    const { projectId, slug } = await created(stranger);
    const uploadId = await sent(page, { apiKey });
    const accepted = await publishUpload('create', uploadId, { apiKey, fields: { slug } });
    expectRefusal(accepted, 409, 'SLUG_TAKEN');
    const own = await created(apiKey);
    const conflict = await publishUpload({ projectId: own.projectId }, uploadId, {
      apiKey,
      fields: { expectedVersion: 7 },
    });
    expectRefusal(conflict, 409, 'VERSION_CONFLICT');
    const unknown = await publishUpload({ projectId }, uploadId, { apiKey });
    expectRefusal(unknown, 404, 'NOT_FOUND');
    await publishedUpload({ projectId: own.projectId }, uploadId, { apiKey });
  });
});

local('an upload that a worker publishes', () => {
  test('is a project immediately, which is complete when the upload is published', async () => {
    const uploadId = await sent(manyFiles(201), { apiKey });
    const { projectId, url, quota } = await publishedUpload('create', uploadId, { apiKey });
    expect(quota.projects.used).toBe(1);
    const end = await ended(uploadId, { apiKey });
    expect(end).toMatchObject({ status: 'published', projectId, files: { done: 201, total: 201 } });
    const { data } = (await get(`/v1/projects/${projectId}`, apiKey)).json;
    expect(data.status).toBe('public');
    expect(await text(url)).toBe('<h1>Many</h1>');
    expect(await text(`${url}/pages/199.txt`)).toBe('page 199');
    expect(await history(apiKey, projectId)).toEqual(['1 active']);
  });

  test('is a version with a number immediately', async () => {
    const { projectId, url } = await created(apiKey);
    const uploadId = await sent(await zipOf(manyFiles(201)), { apiKey });
    const data = await publishedUpload({ projectId }, uploadId, { apiKey });
    expect(data.deploymentId).toBe('dep_v2');
    expect(await ended(uploadId, { apiKey })).toMatchObject({ status: 'published', projectId });
    expect(await text(url)).toBe('<h1>Many</h1>');
    expect(await history(apiKey, projectId)).toEqual(['2 active', '1 ready']);
  });
});

describe('an upload without a key', () => {
  test.each(['json', 'form'] as const)(
    'of files is live immediately, requested as %s',
    async (as) => {
      const from = somebody();
      const uploadId = await sent(page, { from });
      const answer = await publishUpload('temp', uploadId, { as, from });
      expect(answer.status).toBe(200);
      const { url, claimUrl, projectId } = answer.json.data;
      expect(claimUrl).toContain('/claim/');
      expect(await text(url)).toBe('<h1>Large</h1>');
      expect((await progress(uploadId)).json.data).toMatchObject({
        status: 'published',
        projectId,
      });
    },
  );
});

describe('a body that is too large', () => {
  test.each([
    ['5 MB', 5_000_000],
    ['11 MB', 11_000_000],
  ])('of %s gets the operation for large files', async (_, bytes) => {
    const files = [file('a.bin', Buffer.alloc(bytes))];
    const answer = await create(isLocal ? apiKey : undefined, { files });
    expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE');
    expect(answer.json.nextStep).toContain('POST /v1/uploads');
  });
});
