import { beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file, isLocal } from '../../fixtures/clouds/client.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { sent as sentUpload } from '../../fixtures/uploads/uploads.ts';
import { change, pushed } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

let key = '';
let projectId = '';
beforeAll(async () => {
  if (!isLocal) return;
  key = await signIn();
  ({ projectId } = await created(key, {
    files: [file('index.html', '<h1>one'), file('docs/a b.txt', 'first')],
  }));
  await pushed(key, projectId, [
    file('index.html', '<h1>two'),
    file('docs/a b.txt', 'second'),
    file('docs/c.txt', 'third'),
  ]);
});

const files = async (query = '') =>
  (await get(`/v1/projects/${projectId}/files${query}`, key)).json;
const link = (body: object, as = key) =>
  sendWith(as, `${baseUrl}/v1/projects/${projectId}/file-link`, body);

local('files', () => {
  test('of the live version are listed in pages, and each is at its address', async () => {
    const first = (await files('?limit=2')).data;
    expect(first).toMatchObject({ version: 2, fileCount: 3, bytes: 18, nextCursor: '2-2' });
    const second = (await files(`?limit=2&cursor=${first.nextCursor}`)).data;
    expect(second.nextCursor).toBeNull();
    const all: { path: string; url: string; size: number }[] = [...first.files, ...second.files];
    expect(all.map(({ path, size }) => [path, size])).toEqual([
      ['docs/a b.txt', 6],
      ['docs/c.txt', 5],
      ['index.html', 7],
    ]);
    const texts = await Promise.all(all.map(async ({ url }) => (await ask(url)).text));
    expect(texts).toEqual(['second', 'third', '<h1>two']);
  });

  test('of an earlier version are listed and downloaded as they were', async () => {
    expect((await files('?version=1')).data.files).toHaveLength(2);
    const { url } = (await link({ path: 'docs/a b.txt', version: 1 })).json.data;
    const answer = await ask(url);
    expect(answer.text).toBe('first');
    expect(answer.headers['content-disposition']).toBe("attachment; filename*=UTF-8''a%20b.txt");
  });

  test('of the live and of an earlier version are downloaded as a ZIP, also of a private project', async () => {
    const id = (
      await created(key, { files: [file('index.html', '<h1>one'), file('b/c.txt', 'c')] })
    ).projectId;
    await pushed(key, id, [file('index.html', '<h1>two'), file('Ä b.txt', 'second')]);
    await sendWith(key, `${baseUrl}/v1/projects/${id}`, { status: 'private' }, 'PATCH');
    const zipOf = async (body: object) => {
      const at = `${baseUrl}/v1/projects/${id}/file-link`;
      const answer = await ask((await sendWith(key, at, body)).json.data.url);
      expect(answer.headers['content-type']).toBe('application/zip');
      expect(answer.headers['cache-control']).toBe('private, no-store');
      const zip = await JSZip.loadAsync(answer.body, { checkCRC32: true });
      const paths = Object.keys(zip.files).toSorted();
      return Promise.all(paths.map(async (path) => [path, await zip.file(path)?.async('text')]));
    };
    expect(await zipOf({})).toEqual([
      ['index.html', '<h1>two'],
      ['Ä b.txt', 'second'],
    ]);
    expect(await zipOf({ version: 1 })).toEqual([
      ['b/c.txt', 'c'],
      ['index.html', '<h1>one'],
    ]);
    const stranger = await signIn();
    const at = `${baseUrl}/v1/projects/${id}/file-link`;
    expectRefusal(await sendWith(stranger, at, {}), 404, 'NOT_FOUND');
    expectRefusal(await sendWith(key, at, { version: 3 }), 404, 'NOT_FOUND');
  });

  test('are added, replaced and deleted alone, from a form or from an upload', async () => {
    const { projectId: id, url } = await created(key, {
      files: [file('index.html', '<h1>one'), file('a.txt', 'a'), file('b.txt', 'b')],
    });
    const parts = [file('a.txt', 'new'), { name: 'delete', body: 'b.txt' }];
    expect((await change(key, id, parts)).json.data).toEqual({
      deploymentId: 'dep_v2',
      url,
      fileCount: 2,
      bytes: 10,
    });
    const uploadId = await sentUpload({ 'docs/c.txt': 'c' }, { apiKey: key });
    const body = { uploadId, delete: ['a.txt'], expectedVersion: 2 };
    const path = `${baseUrl}/v1/projects/${id}/files`;
    expect((await sendWith(key, path, body, 'PATCH')).json.data.deploymentId).toBe('dep_v3');
    const { data } = (await get(`/v1/projects/${id}/files`, key)).json;
    expect(data.files.map((one: { path: string }) => one.path)).toEqual([
      'docs/c.txt',
      'index.html',
    ]);
    const late = { delete: ['index.html'], expectedVersion: 2 };
    expectRefusal(await sendWith(key, path, late, 'PATCH'), 409, 'VERSION_CONFLICT');
    expectRefusal(await sendWith(key, path, {}, 'PATCH'), 400, 'INVALID_REQUEST');
    const used = { uploadId, delete: ['index.html'] };
    expectRefusal(await sendWith(key, path, used, 'PATCH'), 404, 'NOT_FOUND');
  });

  test('of another account do not exist', async () => {
    const stranger = await signIn();
    expectRefusal(await get(`/v1/projects/${projectId}/files`, stranger), 404, 'NOT_FOUND');
    expectRefusal(await link({ path: 'index.html' }, stranger), 404, 'NOT_FOUND');
  });
});
