import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CodedError } from '../../../core/errors.ts';
import { archiveProject } from '../../../core/projects/settings/archive-project.ts';
import { replaceProjectFiles } from '../../../core/projects/versions/replace-files.ts';
import { rollBackProject } from '../../../core/projects/versions/roll-back.ts';
import { takeDown } from '../../../core/projects/moderation/operator-change.ts';
import { changeProjectFiles } from '../../../core/projects/versions/update-files.ts';
import { longNames } from '../../fixtures/projects/long-names.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { localStores } from '../../fixtures/clouds/local-stores.ts';
import { OwnerWorld, uploaded } from '../../fixtures/accounts/owner-world.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const anOwner = (plan?: ConstructorParameters<typeof OwnerWorld>[1]) =>
  new OwnerWorld(stores, plan).open();
const hour = 3600;
const site = {
  'index.html': '<h1>Harbour</h1>',
  'about.html': '<h1>About</h1>',
  'style.css': 'body {}',
};

describe('a merge', () => {
  test('adds, replaces and removes files, and keeps all others', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish(site);
    const files = { 'style.css': 'new', 'docs/a.txt': 'added' };
    const updated = await owner.update(projectId, { files, delete: ['about.html'] });
    const wanted = { 'index.html': site['index.html'], ...files };
    const bytes = Object.values(wanted).join('').length;
    expect(updated).toMatchObject({ version: 2, deploymentId: 'dep_v2', fileCount: 3, bytes });
    const shown = await owner.shown(projectId);
    expect(shown).toMatchObject({ version: 2, type: 'html', home: 'index.html', files: wanted });
    expect(await owner.project(projectId)).toMatchObject({ version: 2, fileCount: 3, bytes });
    const account = await owner.deps.accounts.get(owner.caller.account.id);
    expect(account).toMatchObject({ projectCount: 1, storageBytes: bytes });
    expect(await owner.leftToDo(projectId)).toEqual(['PURGE']);
  });

  test('that only removes files stores nothing, and can be rolled back', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish(site);
    const before = await owner.keys(projectId);
    expect(await owner.update(projectId, { delete: ['about.html'] })).toMatchObject({ version: 2 });
    expect(await owner.keys(projectId)).toEqual(before);
    await rollBackProject(owner.deps, owner.caller, { projectId, version: 1 });
    expect((await owner.shown(projectId)).files).toEqual(site);
    // Merges into the version that is live now, not into the latest one.
    await owner.update(projectId, { files: { 'a.txt': 'a' } });
    expect((await owner.shown(projectId)).files).toEqual({ ...site, 'a.txt': 'a' });
  });

  test('of unchanged files creates no new version, and leaves nothing behind', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish(site);
    const before = await owner.keys(projectId);
    const files = { 'style.css': site['style.css'] };
    expect(await owner.update(projectId, { files })).toMatchObject({ version: 1, fileCount: 3 });
    expect(await owner.keys(projectId)).toEqual(before);
    expect(await owner.leftToDo(projectId)).toEqual([]);
  });

  test('of a hidden folder alone publishes it only if that is asked for', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish(site);
    const files = { '.git/config': 'url = https://me:secret@example.com', '.git/HEAD': 'ref' };
    await expect(owner.update(projectId, { files })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      fields: { error: expect.stringContaining('includeHidden') },
    });
    await owner.update(projectId, { files, delete: ['about.html'] });
    expect(Object.keys((await owner.shown(projectId)).files)).toEqual(['index.html', 'style.css']);
    await owner.update(projectId, { files, includeHidden: true });
    expect((await owner.shown(projectId)).files).toMatchObject(files);
  });

  test('does not unpack a ZIP', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish(site);
    const files = { 'download.zip': 'PK no archive' };
    await owner.update(projectId, { files });
    expect((await owner.shown(projectId)).files).toEqual({ ...site, ...files });
  });

  test('changes a single file to a site, and a site to a single file', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish({ 'report.pdf': 'pdf' });
    expect(await owner.shown(projectId)).toMatchObject({ type: 'pdf', home: null });
    await owner.update(projectId, { files: site });
    expect(await owner.shown(projectId)).toMatchObject({ type: 'html', home: 'index.html' });
    const last = await owner.update(projectId, { delete: Object.keys(site) });
    expect(last).toMatchObject({ type: 'pdf', fileCount: 1, bytes: 3 });
    expect(await owner.shown(projectId)).toMatchObject({ type: 'pdf', home: null });
  });
});

describe('a folder that holds all files', () => {
  const folder = { 'site/index.html': '<h1>A', 'site/a.css': 'a' };

  test('keeps its name in a tool call, so that a merge finds its files', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish(folder, { hasExactPaths: true });
    await owner.update(projectId, { files: { 'site/a.css': 'b' } });
    expect((await owner.shown(projectId)).files).toEqual({ ...folder, 'site/a.css': 'b' });
    await owner.update(projectId, { files: folder, mode: 'replace' });
    expect((await owner.shown(projectId)).files).toEqual(folder);
  });

  test('loses its name in a PUT as in a first upload, so that both have the same files', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish(folder);
    const first = (await owner.shown(projectId)).files;
    expect(first).toEqual({ 'index.html': '<h1>A', 'a.css': 'a' });
    await replaceProjectFiles(owner.deps, owner.caller, { projectId, files: uploaded(folder) });
    expect(await owner.shown(projectId)).toMatchObject({ version: 2, files: first });
  });
});

describe('rules', () => {
  const toNew = '/old /new\n';
  const framed = '/*\n  X-Frame-Options: DENY\n';

  test('of one rules file stay when the other is added, changed or removed', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish({ ...site, _redirects: `${toNew}nonsense\n` });
    const told = [{ file: '_redirects', line: 2 }];
    const first = await owner.update(projectId, { files: { _headers: framed } });
    expect(first).toMatchObject({ warnings: told });
    expect((await owner.shown(projectId)).rules).toMatchObject({
      redirects: [{ from: '/old', to: '/new' }],
      headers: [{ set: [['x-frame-options', 'DENY']] }],
    });
    const second = await owner.update(projectId, { files: { 'a.txt': 'a' } });
    expect(second).toMatchObject({ warnings: told });
    expect((await owner.shown(projectId)).rules.redirects).toHaveLength(1);
    const third = await owner.update(projectId, { delete: ['_redirects'] });
    expect(third).not.toHaveProperty('warnings');
    const { rules } = await owner.shown(projectId);
    expect([rules.redirects.length, rules.headers.length]).toEqual([0, 1]);
  });

  test('of a site with many files are with its manifest, and stay in each merge', async () => {
    const owner = await anOwner();
    const many = Object.fromEntries(longNames.slice(0, 10).map((name) => [name, name]));
    const projectId = await owner.publish({ ...site, ...many, _redirects: toNew });
    await owner.update(projectId, { files: { _headers: framed } });
    await owner.update(projectId, { files: { 'a.txt': 'a' } });
    const { rules, files, manifestHash } = await owner.shown(projectId);
    expect([rules.redirects.length, rules.headers.length]).toEqual([1, 1]);
    expect([Object.keys(files).length, typeof manifestHash]).toEqual([16, 'string']);
    const same = await owner.update(projectId, { files: { 'a.txt': 'a', _headers: framed } });
    expect(same).toMatchObject({ version: 3 });
    await owner.update(projectId, { delete: ['_redirects', ...Object.keys(many)] });
    const small = await owner.shown(projectId);
    expect([small.rules.redirects.length, small.rules.headers.length]).toEqual([0, 1]);
    expect(small.manifestHash).toBeUndefined();
  });

  test('do not apply to a bundle, and apply when it becomes a site', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish({ 'a.txt': 'a', _redirects: toNew });
    await owner.update(projectId, { files: { 'b.txt': 'b' } });
    expect((await owner.shown(projectId)).rules.redirects).toEqual([]);
    await owner.update(projectId, { files: site });
    expect((await owner.shown(projectId)).rules.redirects).toHaveLength(1);
    await owner.update(projectId, { delete: ['index.html', 'about.html'] });
    expect((await owner.shown(projectId)).rules.redirects).toEqual([]);
  });

  test('in a file that is too large are reported and never read', async () => {
    const owner = await anOwner();
    const large = '#'.repeat(1024 * 1024 + 1);
    const projectId = await owner.publish({ ...site, _redirects: large });
    owner.calls = {};
    const updated = await owner.update(projectId, { files: { 'a.txt': 'a' } });
    expect(updated).toMatchObject({ warnings: [{ file: '_redirects', line: 1 }] });
    expect(owner.calls).toEqual({ put: 1 });
  });
});

describe('concurrent merges', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ [`file-${at}.txt`]: `content ${at}` }));

  test('of different files are all stored, each with its own version', async () => {
    const owner = await anOwner({ versionsKept: -1 });
    const projectId = await owner.publish(site);
    const all = many(12);
    owner.calls = {};
    const updated = await Promise.all(all.map((files) => owner.update(projectId, { files })));
    const versions = updated.map(({ version }) => version).toSorted((a, b) => a - b);
    expect(versions).toEqual(all.map((_, at) => at + 2));
    // No losing try stored its file twice or left anything behind.
    expect(owner.calls).toEqual({ put: 12 });
    const wanted = Object.assign({ ...site }, ...all);
    expect((await owner.shown(projectId)).files).toEqual(wanted);
    // The pack of the first version, and the file of each merge.
    expect(await owner.keys(projectId)).toHaveLength(13);
    expect(await owner.leftToDo(projectId)).toEqual(['PURGE']);
  }, 600_000);

  test('into many files leave no manifest that outlives its version', async () => {
    const owner = await anOwner({ versionsKept: 3 });
    const names = Object.fromEntries(longNames.slice(0, 10).map((name) => [name, name]));
    const projectId = await owner.publish({ ...site, ...names });
    const all = many(6);
    await Promise.all(all.map((files) => owner.update(projectId, { files })));
    // Tries that lost wrote manifests of versions that never were.
    for (const text of ['a', 'b', 'c']) await owner.update(projectId, { files: { 'a.txt': text } });
    await owner.sweepAfter(3 * hour);
    const manifests = (await owner.keys(projectId)).filter((key) => key.includes('/manifest'));
    expect(manifests).toHaveLength(3);
    const { files } = await owner.shown(projectId);
    expect(files).toEqual({ ...site, ...names, ...Object.assign({}, ...all), 'a.txt': 'c' });
    await rollBackProject(owner.deps, owner.caller, { projectId, version: 8 });
    expect((await owner.shown(projectId)).files).toMatchObject({ 'a.txt': 'a', ...names });
  }, 120_000);

  test('from the same version: one succeeds, the others are refused and leave nothing behind', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish(site);
    const outcomes = await Promise.allSettled(
      many(10).map((files) => owner.update(projectId, { files, expectedVersion: 1 })),
    );
    const lost = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(lost).toEqual(Array.from({ length: 9 }, () => 'VERSION_CONFLICT'));
    expect(Object.keys((await owner.shown(projectId)).files)).toHaveLength(4);
    expect(await owner.keys(projectId)).toHaveLength(2);
    expect(await owner.leftToDo(projectId)).toEqual(['PURGE']);
  });

  test('with a full push are applied before or after it, never in between', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish(site);
    const pushed = { 'index.html': 'pushed' };
    const added = { 'a.txt': 'added' };
    await Promise.all([
      owner.update(projectId, { files: pushed, mode: 'replace' }),
      owner.update(projectId, { files: added }),
    ]);
    const { files } = await owner.shown(projectId);
    expect([pushed, { ...pushed, ...added }]).toContainEqual(files);
  });

  test('that delete the same file: one succeeds, the others are told that it does not exist', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish(site);
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => owner.update(projectId, { delete: ['about.html'] })),
    );
    const lost = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(lost).toEqual(['INVALID_REQUEST', 'INVALID_REQUEST']);
    expect(await owner.leftToDo(projectId)).toEqual(['PURGE']);
  });
});

describe('files that a merge carried over', () => {
  test('stay when every earlier version has been pruned', async () => {
    const owner = await anOwner({ versionsKept: 2 });
    const projectId = await owner.publish(site);
    for (const at of [2, 3, 4, 5]) {
      await owner.update(projectId, { files: { 'changing.txt': `version ${at}` } });
    }
    await owner.sweepAfter(3 * hour);
    const { files, store } = await owner.shown(projectId);
    expect(files).toEqual({ ...site, 'changing.txt': 'version 5' });
    // The pack that the first version stored, and one file of each of the two that are kept.
    const keys = await owner.keys(projectId);
    expect(keys).toHaveLength(3);
    expect(keys.filter((key) => key.includes(`/${store}/`))).toHaveLength(1);
    expect(await owner.leftToDo(projectId)).toEqual([]);
    await rollBackProject(owner.deps, owner.caller, { projectId, version: 4 });
    expect((await owner.shown(projectId)).files).toEqual({ ...site, 'changing.txt': 'version 4' });
  });

  test('stay on a plan that keeps only the live version', async () => {
    const owner = await anOwner({ versionsKept: 1 });
    const projectId = await owner.publish(site);
    await owner.update(projectId, { files: { 'a.txt': 'a' } });
    await owner.update(projectId, { delete: ['about.html'] });
    await owner.sweepAfter(3 * hour);
    const { 'about.html': _, ...left } = site;
    expect((await owner.shown(projectId)).files).toEqual({ ...left, 'a.txt': 'a' });
    expect(await owner.keys(projectId)).toHaveLength(2);
  });
});

describe('a merge of one small file into many', () => {
  const count = proofSize({ short: 200, whole: 500 });
  const named = (names: readonly string[]) =>
    Object.fromEntries(names.map((name, at) => [`${name}/file-${at}.txt`, `content ${at}`]));
  const added = { 'added.txt': 'added' };

  test('stores only that file and the manifest', async () => {
    const owner = await anOwner({ maxFilesPerProject: -1 });
    const files = named(Array.from({ length: count }, () => 'files'));
    const projectId = await owner.publish(files, { hasExactPaths: true });
    owner.calls = {};
    const updated = await owner.update(projectId, { files: added });
    expect(owner.calls).toEqual({ get: 1, put: 2 });
    expect(updated).toMatchObject({ version: 2, fileCount: count + 1 });
    expect((await owner.shown(projectId)).files).toEqual({ ...files, ...added });
  }, 600_000);

  test('reads and stores one manifest if that is a separate object', async () => {
    const owner = await anOwner({ maxFilesPerProject: -1 });
    const files = named(longNames);
    const projectId = await owner.publish(files);
    for (const version of [2, 3]) {
      const change = { [`added-${version}.txt`]: 'added' };
      owner.calls = {};
      expect(await owner.update(projectId, { files: change })).toMatchObject({ version });
      expect(owner.calls).toEqual({ get: 1, put: 2 });
    }
    expect(await owner.shown(projectId)).not.toHaveProperty('manifest');
    const { files: shown } = await owner.shown(projectId);
    expect(shown).toEqual({ ...files, 'added-2.txt': 'added', 'added-3.txt': 'added' });
  }, 600_000);
});

/** The error of a refused change. */
async function refusalOf(change: Promise<unknown>) {
  const error = await change.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CodedError)) throw new Error('not refused', { cause: error });
  return error;
}

describe('a merge is refused', () => {
  const changed = { files: { 'a.txt': 'a' } };
  test.each([
    ['nothing to do', {}, 'INVALID_REQUEST', 'nothing to do'],
    [
      'a file that is sent and deleted',
      { ...changed, delete: ['a.txt'] },
      'INVALID_REQUEST',
      '"a.txt" is both',
    ],
    ['a file that is not there to be deleted', { delete: ['b.txt'] }, 'INVALID_REQUEST', '"b.txt"'],
    ['a deletion of everything', { delete: Object.keys(site) }, 'INVALID_REQUEST', 'all 3 files'],
    [
      'a file below a file that is kept',
      { files: { 'index.html/a': '' } },
      'INVALID_REQUEST',
      '"index.html"',
    ],
    [
      'one name in two Unicode forms',
      { files: { 'caf\u00e9.txt': '', 'cafe\u0301.txt': '' } },
      'INVALID_REQUEST',
      'caf\u00e9.txt',
    ],
    ['an unsafe name', { files: { '../a': '' } }, 'INVALID_REQUEST', 'segment'],
    ['our own folder', { files: { '_slipway/a': '' } }, 'FILE_TYPE_REFUSED', '_slipway'],
    ['too many files', { files: { a: '', b: '' } }, 'TOO_MANY_FILES', '5 files; the plan allows 4'],
    [
      'more bytes than the plan has',
      { files: { a: 'x'.repeat(500) } },
      'STORAGE_LIMIT_REACHED',
      '500',
    ],
    ['an upload that is too large', { files: { a: 'x'.repeat(900) } }, 'PAYLOAD_TOO_LARGE', '900'],
    [
      'a version that is not live',
      { ...changed, expectedVersion: 7 },
      'VERSION_CONFLICT',
      'version 1',
    ],
    [
      'a deletion together with a replacement',
      { ...changed, mode: 'replace', delete: ['index.html'] },
      'INVALID_REQUEST',
      '`merge`',
    ],
    ['a replacement by nothing', { mode: 'replace' }, 'INVALID_REQUEST', '`files`'],
  ] as const)('%s, and nothing of it remains', async (_, change, code, text) => {
    const owner = await anOwner({
      maxFilesPerProject: 4,
      maxStorageBytes: 500,
      maxUploadBytes: 800,
    });
    const projectId = await owner.publish(site);
    const before = await owner.keys(projectId);
    const error = await refusalOf(owner.update(projectId, change));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(text)]);
    expect(error.body['nextStep']).toMatch(/\S/);
    expect(await owner.keys(projectId)).toEqual(before);
    expect(await owner.leftToDo(projectId)).toEqual([]);
    expect((await owner.shown(projectId)).files).toEqual(site);
  });

  test('a project that is not the caller’s, and one that is not published yet', async () => {
    const [owner, other] = [await anOwner(), await anOwner()];
    const projectId = await owner.publish(site);
    expect((await refusalOf(other.update(projectId, changed))).code).toBe('NOT_FOUND');
    expect((await refusalOf(owner.update('none', changed))).code).toBe('NOT_FOUND');
    const project = await owner.project(projectId);
    const { deps, caller } = owner;
    const projects = { ...deps.projects, get: async () => ({ ...project, version: 0 }) };
    const files = uploaded(changed.files);
    const change = { projectId, files, mode: 'merge' } as const;
    const error = await refusalOf(changeProjectFiles({ ...deps, projects }, caller, change));
    expect(error.code).toBe('UPLOAD_INCOMPLETE');
    expect(await owner.leftToDo(projectId)).toEqual([]);
    expect(await owner.keys(projectId)).toHaveLength(1);
  });
});

test('an archived project is changed and still does not count', async () => {
  const owner = await anOwner();
  const projectId = await owner.publish(site);
  await archiveProject(owner.deps, owner.caller, { projectId });
  await owner.update(projectId, { files: { 'a.txt': 'a' } });
  expect((await owner.shown(projectId)).archivedAt).not.toBeNull();
  const account = await owner.deps.accounts.get(owner.caller.account.id);
  expect(account).toMatchObject({ projectCount: 0, storageBytes: 0 });
});

test('a blocked project is changed and stays blocked', async () => {
  const owner = await anOwner();
  const projectId = await owner.publish(site);
  const nothing = { get: async () => undefined };
  await takeDown(
    { ...owner.deps, sites: nothing, roots: nothing },
    { target: projectId, reason: 'reported' },
  );
  await owner.update(projectId, { files: { 'a.txt': 'a' } });
  expect(await owner.shown(projectId)).toMatchObject({ version: 2, takenDown: true });
});
