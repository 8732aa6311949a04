import { beforeAll, describe, expect, test } from '@jest/globals';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { called } from '../../fixtures/agents/mcp.ts';
import { ask, file, isLocal, publish } from '../../fixtures/clouds/client.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { change, pushed } from '../../fixtures/projects/versions.ts';
import { linked, sendTo, sentByLink, uploadTo } from '../../fixtures/uploads/upload-links.ts';
import { ended, publishedUpload, sent } from '../../fixtures/uploads/uploads.ts';

const site = { 'index.html': '<h1>Home</h1>', '.env': 'KEY=1', '.git/config': '[core]' };
const parts = Object.entries(site).map(([path, body]) => file(path, body));
const includeHidden = { name: 'includeHidden', body: 'true' };
const leftOut = { kind: 'left-out', count: 2, paths: ['.env', '.git/config'] };

/** Whether visitors get the page, and the hidden file. */
async function shown(url: string) {
  const [page, hidden] = await Promise.all([ask(url), ask(new URL('/.env', url).href)]);
  return [page.status, hidden.status];
}
const clean = [200, 404];
const whole = [200, 200];

test('hidden files of an upload without an account are published only when asked for', async () => {
  const { data } = (await publish(parts)).json;
  expect(data.warnings).toMatchObject([leftOut]);
  expect(await shown(data.url)).toEqual(clean);
  const withHidden = (await publish([...parts, includeHidden])).json.data;
  expect(withHidden.warnings).toBeUndefined();
  expect(await shown(withHidden.url)).toEqual(whole);
});

// Codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

local('hidden files of an account', () => {
  let apiKey = '';
  beforeAll(async () => {
    apiKey = await signIn();
  });

  test('are left out of projects, versions and changes of single files', async () => {
    const { projectId, url, warnings } = await created(apiKey, { files: parts });
    expect(warnings).toMatchObject([leftOut]);
    await pushed(apiKey, projectId, parts);
    const { data } = (await change(apiKey, projectId, [...parts, file('b.txt')])).json;
    expect(data).toMatchObject({ fileCount: 2, warnings: [leftOut] });
    expect(await shown(url)).toEqual(clean);
    const versions = (await get(`/v1/projects/${projectId}/status`, apiKey)).json.data;
    expect(versions.map((one: any) => one.warnings?.[0]?.count)).toEqual([2, 2, 2]);
    const all = (await change(apiKey, projectId, [...parts, includeHidden])).json.data;
    expect(all).toMatchObject({ fileCount: 4 });
    expect(await shown(url)).toEqual(whole);
    await pushed(apiKey, projectId, parts, { fields: { includeHidden: 'true' } });
    expect(await shown(url)).toEqual(whole);
  });

  test('are left out of uploads to storage, and their state says so', async () => {
    const uploadId = await sent(site, { apiKey });
    const { url } = await publishedUpload('create', uploadId, { apiKey });
    expect(await shown(url)).toEqual(clean);
    expect((await ended(uploadId, { apiKey })).warnings).toMatchObject([leftOut]);
  });

  test('are left out of what a worker publishes, unless it was asked for them', async () => {
    const many = Array.from({ length: 210 }, (_, at) => [`pages/${at}.txt`, 'x']);
    const large = { ...site, ...Object.fromEntries(many) };
    for (const isClean of [true, false]) {
      const fields: Record<string, string> = isClean ? {} : { includeHidden: 'true' };
      const uploadId = await sent(large, { apiKey });
      const { url } = await publishedUpload('create', uploadId, { apiKey, fields, as: 'form' });
      const { status, warnings } = await ended(uploadId, { apiKey });
      expect({ status, warnings }).toMatchObject({
        status: 'published',
        warnings: isClean ? [leftOut] : undefined,
      });
      expect(await shown(url)).toEqual(isClean ? clean : whole);
    }
  });

  test('are left out of uploads by link: of a form, and of files in storage', async () => {
    const form = await uploadTo((await linked(apiKey)).uploadUrl, parts);
    expect(form.json.data.warnings).toMatchObject([leftOut]);
    expect(await shown(form.json.data.url)).toEqual(clean);
    const withHidden = await uploadTo((await linked(apiKey)).uploadUrl, [...parts, includeHidden]);
    expect(await shown(withHidden.json.data.url)).toEqual(whole);
    const { uploadUrl } = await linked(apiKey);
    const bytes = Object.entries(site).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
    const uploadId = await sentByLink(uploadUrl, bytes);
    const { data } = (await sendTo(uploadUrl, 'PUT', { uploadId })).json;
    expect(data.warnings).toMatchObject([leftOut]);
  });

  test('are left out of what an agent publishes', async () => {
    const files = Object.entries(site).map(([path, content]) => ({ path, content }));
    const { projectId, url, warnings } = await called(apiKey, 'publish_site', { files });
    expect(warnings).toMatchObject([leftOut]);
    expect(await shown(url)).toEqual(clean);
    const merge = { projectId, files: [...files, { path: 'b.txt', content: 'x' }] };
    const merged = await called(apiKey, 'update_project_files', merge);
    expect(merged).toMatchObject({ files: 2, warnings: [leftOut] });
    await called(apiKey, 'update_project_files', { ...merge, includeHidden: true });
    expect(await shown(url)).toEqual(whole);
  });
});
