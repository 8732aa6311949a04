import { describe, expect, test } from '@jest/globals';
import {
  contentKey,
  fileCopyKey,
  manifestsPrefix,
  packLocation,
  StoreId,
} from '../../../../../core/content/content-keys.ts';
import type { CodedError } from '../../../../../core/errors.ts';
import type { StoredObject } from '../../../../../core/ports.ts';
import type { ByteRange } from '../../../../../core/visit/protocol/conditional-request.ts';
import { listFiles } from '../../../../../core/projects/versions/list-files.ts';
import { defaultPlans } from '../../../../../contract/plans.ts';
import { createFileLink } from '../../../../../core/projects/versions/create-file-link.ts';
import type { Project, Version } from '../../../../../core/projects/project.ts';
import { encodeManifest } from '../../../../../core/visit/manifest.ts';
import { aCaller, aProject, aVersion } from '../../../../fixtures/projects/a-project.ts';

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

function deps(project: Partial<Project> = {}, versions = kept) {
  const signed: unknown[][] = [];
  return {
    signed,
    projects: {
      get: async () => aProject({ version: 4, ...project }),
      getVersion: async (_: unknown, number: number) => versions.get(number),
    },
    content: {
      get: async (): Promise<Uint8Array | undefined> => undefined,
      has: async () => false,
      put: async () => undefined,
      deleteKeys: async () => undefined,
    },
    addresses: { siteUrl: (host: string) => `https://${host}` },
    links: {
      async sign(...parts: unknown[]) {
        signed.push(parts);
        return 'https://signed';
      },
    },
    counters: { count: async () => 1 },
    plans: defaultPlans,
    now: () => new Date('2026-03-01T12:00:00.000Z'),
  };
}
const { id: projectId } = aProject();
const list = (query: object = {}, given = deps()) =>
  listFiles(given, aCaller(), { projectId, limit: 200, ...query });

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
  const given = deps();
  const link = await createFileLink(given, aCaller(), { projectId, path: 'A\u0308 b/c?.html' });
  expect(link).toEqual({ url: 'https://signed', expiresAt: '2026-03-01T12:10:00.000Z' });
  expect(given.signed).toEqual([
    [expect.stringMatching(`^content/${projectId}/a1/`), 600, 'c?.html'],
  ]);
});

describe('a link to a file in a pack', () => {
  const storedAt = packLocation('a1', 'c'.repeat(64), 9);
  const entry = { size: 4, hash: 'h', storedAt, offset: 3 };
  const manifest = Buffer.from(encodeManifest(new Map([['a.txt', entry]])));
  const ofPack = new Map([[4, aVersion({ version: 4, manifest })]]);
  const copy = fileCopyKey({ projectId, store: StoreId.parse('a1') }, 'a.txt');

  /** A link, and what was written for it; the project is `later` when its copy is written. */
  async function link(
    later: Partial<Project> | undefined,
    { pack = '...text..', copies = [] as string[] } = {},
  ) {
    const given = deps({}, ofPack);
    const written: [string, string][] = [];
    const removed: string[] = [];
    let isCopied = false;
    const own = { ...given, projects: { ...given.projects } };
    own.projects.get = async () =>
      (isCopied ? later && aProject(later) : aProject({ version: 4 })) as Project;
    own.content = {
      get: async (key?: string, range?: ByteRange) => {
        expect([key, range]).toEqual([contentKey(projectId, storedAt), { first: 3, last: 6 }]);
        return Buffer.from(pack).subarray(3, 7);
      },
      has: async (key?: string) => copies.includes(String(key)),
      put: async (object?: StoredObject) => {
        written.push([String(object?.key), String(object?.bytes)]);
        isCopied = true;
      },
      deleteKeys: async (keys?: readonly string[]) => void removed.push(...(keys ?? [])),
    } as typeof own.content;
    const made = createFileLink(own, aCaller(), { projectId, path: 'a.txt' });
    const failure = await made.then(
      () => undefined,
      (error: CodedError) => error.code,
    );
    return { failure, written, removed, signed: given.signed };
  }

  test('is one to a copy of this file alone, which goes with the version', async () => {
    const { failure, ...rest } = await link({});
    expect(failure).toBeUndefined();
    const signed = [[copy, 600, 'a.txt']];
    expect(rest).toEqual({ written: [[copy, 'text']], removed: [], signed });
    expect(copy.startsWith(manifestsPrefix(projectId, StoreId.parse('a1')))).toBe(true);
  });

  test('is one to the copy of an earlier link, if there is one', async () => {
    const { failure, ...rest } = await link({}, { copies: [copy], pack: '' });
    expect(failure).toBeUndefined();
    expect(rest).toEqual({ written: [], removed: [], signed: [[copy, 600, 'a.txt']] });
  });

  test.each([
    ['is deleted', { removingAt: '2026-03-01T12:00:00.000Z' as const }],
    ['is gone', undefined],
  ])('leaves no copy when the project %s meanwhile', async (_, later) => {
    const { failure, removed, signed } = await link(later);
    expect({ failure, removed, signed }).toEqual({
      failure: 'NOT_FOUND',
      removed: [copy],
      signed: [],
    });
  });
});

test('there is no link to a file that the version lacks', async () => {
  const asked = createFileLink(deps(), aCaller(), { projectId, path: '../x' });
  await expect(asked).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
