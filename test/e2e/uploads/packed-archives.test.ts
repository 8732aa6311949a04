import { beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { called, callTool } from '../../fixtures/agents/mcp.ts';
import { piecesSource } from '../../fixtures/archives/byte-sources.ts';
import { deflatedEntry, largeZip, storedEntry } from '../../fixtures/archives/large-zip.ts';
import { ask, baseUrl, file, isLocal, publishTo, somebody } from '../../fixtures/clouds/client.ts';
import { create, created, expectNoSite } from '../../fixtures/projects/projects.ts';
import { push } from '../../fixtures/projects/versions.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { aForm } from '../../fixtures/uploads/multipart.ts';
import { linked } from '../../fixtures/uploads/upload-links.ts';
import { ended } from '../../fixtures/uploads/uploads.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
const mebibyte = 1024 * 1024;
const page = '<h1>Unpacked</h1>';
let key = '';
/** A few kilobytes that unpack to more than a request publishes. */
let large: Buffer;
let damaged: Buffer;

async function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [path, content] of Object.entries(files)) zip.file(path, content);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

async function zipOfZeros({ damaged = false } = {}): Promise<Buffer> {
  const home = storedEntry('index.html', Buffer.from(page), page.length);
  const zeros = deflatedEntry('zeros.bin', Buffer.alloc(mebibyte), 17, 9);
  if (damaged) zeros.crc32 += 1;
  const source = piecesSource(largeZip([home, zeros]));
  return Buffer.from(await source.read(0, source.size - 1));
}

beforeAll(async () => {
  if (!isLocal) return;
  key = await signIn();
  large = await zipOfZeros();
  damaged = await zipOfZeros({ damaged: true });
});

const aZip = (bytes: Buffer) => file('site.zip', bytes, 'application/zip');
const view = async (projectId: string) => (await get(`/v1/projects/${projectId}`, key)).json.data;
const putBytes = (uploadUrl: string, body: Buffer) => {
  const headers = { 'x-filename': 'site.zip' };
  return ask(uploadUrl, { method: 'PUT', headers, body, from: somebody() });
};

async function expectWhole(uploadId: string, url: string, asker = { apiKey: key }) {
  const end = await ended(uploadId, asker);
  expect(end).toMatchObject({ status: 'published', failure: null });
  expect((await ask(url)).text).toBe(page);
  const zeros = await ask(`${url}/zeros.bin`, { method: 'HEAD' });
  expect(zeros.status).toBeLessThan(400);
}

local('a ZIP in a request that unpacks to more than the request can publish', () => {
  test('creates a project, which a worker publishes', async () => {
    expect(large.length).toBeLessThan(50_000);
    const { projectId, url, uploadId } = await created(key, { files: [aZip(large)] });
    expect((await view(projectId)).status).toMatch(/^(uploading|public)$/);
    await expectWhole(uploadId, url);
    expect(await view(projectId)).toMatchObject({ status: 'public', version: 1, fileCount: 2 });
  });

  test('becomes the next version; visitors see the former until it is whole', async () => {
    const { projectId, url } = await created(key);
    const { status, json } = await push(key, projectId, [aZip(large)]);
    expect([status, json.data.deploymentId]).toEqual([200, 'dep_v2']);
    await expectWhole(json.data.uploadId, url);
  });

  test('comes with an upload link, as bytes', async () => {
    const { uploadUrl } = await linked(key);
    const { status, json } = await putBytes(uploadUrl, large);
    expect(status).toBe(200);
    await expectWhole(json.data.uploadId, json.data.url);
    // The guest can read how it ends, too.
    const progress = await ask(`${uploadUrl}/uploads/${json.data.uploadId}`);
    expect(progress.json.data.status).toBe('published');
  });

  test('comes with an upload link, by the form of its page', async () => {
    const { pageUrl } = await linked(key, { title: 'By form' });
    const { body, contentType } = aForm([aZip(large)]);
    const headers = { 'content-type': contentType };
    const answer = await ask(pageUrl, { method: 'POST', headers, body, from: somebody() });
    expect(answer.status).toBe(200);
    const url = /<a[^>]* href="([^"]+)"/.exec(answer.text)?.[1] ?? '';
    for (let tries = 0; (await ask(url)).text !== page; tries += 1) {
      if (tries > 300) throw new Error('it is not published');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });

  test('comes from an agent, which is told that it is not live yet', async () => {
    const zipBase64 = large.toString('base64');
    const result = await callTool(key, 'publish_site', { zipBase64 });
    expect(result.content[0].text).toContain('still being stored');
    const { uploadId, url, projectId } = result.structuredContent;
    await expectWhole(uploadId, url);
    const files = [{ path: 'site.zip', content: zipBase64, encoding: 'base64' }];
    const change = { projectId, mode: 'replace', files };
    const next = await called(key, 'update_project_files', change);
    expect(next.version).toBe(2);
    await expectWhole(next.uploadId, url);
  });

  test('of many small files too', async () => {
    const names = Array.from({ length: 1999 }, (_, at) => `${at}.txt`);
    const files = Object.fromEntries(names.map((name) => [name, 'few bytes']));
    const inRequest = await created(key, {
      files: [aZip(await zipOf({ 'index.html': page, ...files }))],
    });
    expect(inRequest.uploadId).toBeUndefined();
    expect((await ask(inRequest.url)).text).toBe(page);
  });

  test('damaged: nothing remains, the reason can be read, and its link works again', async () => {
    const { uploadUrl } = await linked(key);
    const { json } = await putBytes(uploadUrl, damaged);
    const { uploadId, projectId, url } = json.data;
    const end = await ended(uploadId, { apiKey: key });
    expect(end).toMatchObject({ status: 'failed', failure: { code: 'ARCHIVE_INVALID' } });
    expectRefusal(await get(`/v1/projects/${projectId}`, key), 404, 'NOT_FOUND');
    await expectNoSite(url);
    const again = await putBytes(uploadUrl, await zipOf({ 'index.html': page }));
    expect(again.status).toBe(200);
  });

  test('is refused at once where its directory is wrong, and without an account', async () => {
    const tooDeep = await zipOf({ [`${'a/'.repeat(40)}x`]: Buffer.alloc(17 * mebibyte) });
    const refused = await create(key, { files: [aZip(tooDeep)] });
    expectRefusal(refused, 400, 'ARCHIVE_INVALID');
    const answer = await publishTo(baseUrl, [aZip(large)]);
    expectRefusal(answer, 400, 'ARCHIVE_INVALID');
  });
});
