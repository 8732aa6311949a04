import { expect, test } from '@jest/globals';
import { uploadLocation } from '../../../../../core/content/content-keys.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';
import { parseOwnFilePath } from '../../../../../core/visit/access/own-file-link.ts';
import { listProjectFiles } from '../../../../../core/projects/versions/list-files.ts';
import { defaultPlans } from '../../../../../contract/plans.ts';
import { createFileLink } from '../../../../../core/projects/versions/create-file-link.ts';
import type { Project, Version } from '../../../../../core/projects/project.ts';
import { encodeManifest } from '../../../../../core/visit/manifest.ts';
import { aCaller, aPreview, aProject, aVersion } from '../../../../fixtures/projects/a-project.ts';

const version = (number: number, paths: readonly string[]): Version =>
  aVersion({
    version: number,
    fileCount: paths.length,
    manifest: Buffer.from(
      encodeManifest(new Map(paths.map((path) => [path, { size: path.length, hash: `h${path}` }]))),
    ),
  });
const kept = new Map([
  [1, version(1, ['old.txt'])],
  [4, version(4, ['b.css', 'Ä b/c?.html', 'a.js', 'LICENSE'])],
]);

const dropped = new Map([[7, version(7, ['preview.txt'])]]);

function deps(project: Partial<Project> = {}, versions = kept) {
  return {
    projects: {
      get: async () => aProject({ version: 4, ...project }),
      getVersion: async (_: unknown, number: number) => versions.get(number),
      getDroppedVersion: async (_: unknown, number: number) => dropped.get(number),
    },
    content: { get: async (): Promise<Uint8Array | undefined> => undefined },
    addresses: {
      siteUrl: (host: string) => `https://${host}`,
      downloadUrl: (path: string) => `https://download.sites.test${path}`,
    },
    accessSecret: fixedSecret('the secret that signs links'),
    plans: defaultPlans,
    now: () => new Date('2026-03-01T12:00:00.000Z'),
  };
}
const { id: projectId } = aProject();
const list = (query: object = {}, given = deps()) =>
  listProjectFiles(given, aCaller(), { projectId, limit: 200, ...query });

test('lists the live version by path, with the address of each file', async () => {
  const page = await list();
  expect(page).toMatchObject({ version: 4, fileCount: 4, bytes: 1000, nextCursor: null });
  expect(page.files.map(({ path }) => path)).toEqual(['LICENSE', 'a.js', 'b.css', 'Ä b/c?.html']);
  expect(page.files[3]).toEqual({
    path: 'Ä b/c?.html',
    size: 11,
    hash: 'hÄ b/c?.html',
    contentType: 'text/html; charset=utf-8',
    url: 'https://harbour.sites.test/%C3%84%20b/c%3F.html',
  });
});

test('lists what a running preview shows, by its name', async () => {
  const ended = aPreview({ name: 'pr-2', expiresAt: '2026-03-01T12:00:00.000Z' });
  const given = deps({ previews: [aPreview(), ended] });
  expect(await list({ preview: 'pr-1' }, given)).toMatchObject({
    version: 7,
    files: [{ path: 'preview.txt', url: null }],
  });
  for (const query of [
    { preview: 'pr-2' },
    { preview: 'pr-3' },
    { preview: 'pr-1', cursor: '6-1' },
  ]) {
    await expect(list(query, given)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('gives no address of a file that is not live', async () => {
  expect((await list({ version: 1 })).files).toMatchObject([{ path: 'old.txt', url: null }]);
});

test('pages belong to the version of the first, even if another goes live in between', async () => {
  const first = await list({ limit: 3 });
  expect(first.nextCursor).toBe('4-3');
  const versions = new Map([...kept, [5, version(5, ['new.txt'])]]);
  const second = await list({ limit: 3, cursor: '4-3' }, deps({ version: 5 }, versions));
  expect(second.version).toBe(4);
  expect([...first.files, ...second.files].map(({ path }) => path)).toHaveLength(4);
  expect(second.nextCursor).toBeNull();
});

test('finds a part of a path in any case and any form of Unicode', async () => {
  const found = async (q: string) => (await list({ q })).files.map(({ path }) => path);
  expect(await found('licen')).toEqual(['LICENSE']);
  expect(await found('A\u0308 B')).toEqual(['Ä b/c?.html']);
  expect(await found('nothing')).toEqual([]);
});

test('a live version that a push removed meanwhile is read again', async () => {
  const given = deps();
  const states = [3, 4, 4];
  given.projects.get = async () => aProject({ version: states.shift() ?? 4 });
  expect((await list({}, given)).version).toBe(4);
});

test.each([
  ['a version that is not kept', { version: 2 }, 'NOT_FOUND'],
  ['a cursor of a version that is not kept', { cursor: '2-100' }, 'NOT_FOUND'],
  ['a text that is no cursor', { cursor: 'x' }, 'INVALID_REQUEST'],
  ['a cursor of another version', { version: 1, cursor: '4-3' }, 'INVALID_REQUEST'],
  ['a negative cursor', { cursor: '4--3' }, 'INVALID_REQUEST'],
])('refuses %s', async (_, query, code) => {
  await expect(list(query)).rejects.toMatchObject({ code });
});

test.each([
  ['a project of another account', { ownerId: null }, 'NOT_FOUND'],
  ['a project that is not stored yet', { version: 0 }, 'UPLOAD_INCOMPLETE'],
])('refuses %s', async (_, project, code) => {
  await expect(list({}, deps(project))).rejects.toMatchObject({ code });
});

test('a link downloads a file under its own name, for ten minutes', async () => {
  const link = await createFileLink(deps(), aCaller(), { projectId, path: 'A\u0308 b/c?.html' });
  expect(link.expiresAt).toBe('2026-03-01T12:10:00.000Z');
  const { pathname } = new URL(link.url);
  expect(pathname).toMatch(/\/c%3F\.html$/);
  expect(parseOwnFilePath(pathname)?.link).toEqual({
    bytesOfDay: 5 * defaultPlans.pro.maxStorageBytes,
    host: 'harbour.sites.test',
    projectId,
    location: uploadLocation('a1', 'Ä b/c?.html'),
    offset: undefined,
    size: 11,
    name: 'c?.html',
    expires: Date.parse(link.expiresAt) / 1000,
    madeAt: Date.parse(link.expiresAt) - 600_000,
  });
});

test('there is no link to a file that the version lacks', async () => {
  const creation = createFileLink(deps(), aCaller(), { projectId, path: '../x' });
  await expect(creation).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
