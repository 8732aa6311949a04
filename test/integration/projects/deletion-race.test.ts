import { deletedProjects } from '../../../adapters/dynamodb/projects/deleted-projects.ts';
import { ProjectId, Slug } from '../../../contract/fields.ts';
import { manifestsPrefix, projectPrefix, StoreId } from '../../../core/content/content-keys.ts';
import { diffVersion } from '../../../core/projects/versions/diff-version.ts';
import { MissingManifest } from '../../../core/projects/versions/kept-versions.ts';
import { changeProjectFiles } from '../../../core/projects/versions/update-files.ts';
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DueItem } from '../../../core/ports.ts';
import { deleteProject } from '../../../core/projects/removal/delete-project.ts';
import { sweep } from '../../../core/projects/removal/sweep.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { createProject } from '../../../core/projects/publishing/create-project.ts';
import {
  listDeletedProjects,
  restoreProject,
} from '../../../core/projects/removal/restore-deleted.ts';
import { OwnerWorld, uploaded } from '../../fixtures/accounts/owner-world.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const day = 86_400;

test('a project that its owner deletes while a sweep has it on its list can still be restored', async () => {
  const owner = await new OwnerWorld(stores).open();
  const projectId = await owner.publish({ 'a.txt': 'kept' }, { expiresIn: '15m' });
  owner.now = new Date(owner.now.getTime() + 31 * day * 1000);
  const { deps } = owner;
  const listed: DueItem[] = [];
  for await (const item of deps.projects.listDue(owner.now)) listed.push(item);
  expect(listed).toContainEqual(expect.objectContaining({ kind: 'project', projectId }));
  await deleteProject({ ...deps, keptDays: 30 }, owner.caller, { projectId });
  const due = async function* () {
    yield* listed;
  };
  const late = { ...deps, projects: { ...deps.projects, due } };
  expect(await sweep(late, owner.now, () => 60_000)).toMatchObject({ projects: 0 });
  expect(await owner.keys(projectId)).toHaveLength(1);
  expect(await owner.project(projectId)).toMatchObject({ version: 1 });

  await owner.sweepAfter(30 * day - 1);
  expect(await owner.keys(projectId)).toHaveLength(1);
  await owner.sweepAfter(1);
  expect(await owner.keys(projectId)).toEqual([]);
});

/** So long and random that a manifest with it has no room in a row. */
const longFolder = Array.from({ length: 11 }, (_, at) =>
  createHash('sha512').update(`${at}`).digest('base64url'),
).join('/');

/** A project with two kept versions and a third that left, whose manifests are objects in S3. */
async function pushedThrice(owner: OwnerWorld): Promise<ProjectId> {
  const text = (content: string) => ({ [`${longFolder}/a.txt`]: content });
  const projectId = await owner.publish(text('first'));
  await owner.update(projectId, { files: text('second') });
  await owner.update(projectId, { files: text('third') });
  return ProjectId.parse(projectId);
}

test('the files of a version that left are not asked for while the whole project is removed', async () => {
  const owner = await new OwnerWorld(stores, { versionsKept: 2 }).open();
  const projectId = await pushedThrice(owner);
  const { deps } = owner;
  await deleteProject({ ...deps, keptDays: 1 }, owner.caller, { projectId });
  owner.now = new Date(owner.now.getTime() + day * 1000);
  // The removal of the project took its files, and fails before it takes its rows.
  await deps.content.deletePrefix(projectPrefix(projectId));
  const failures: unknown[] = [];
  const projects = { ...deps.projects, removeRows: () => Promise.reject(new Error('planned')) };
  const onFailure = (item: unknown, error: unknown) => void failures.push([item, error]);
  await sweep({ ...deps, projects, onFailure }, owner.now, () => 60_000);
  expect(failures).toEqual([
    [expect.objectContaining({ kind: 'project', projectId }), new Error('planned')],
  ]);
  expect(await owner.leftToDo(projectId)).toContain('DROP');
  await owner.sweepAfter(0);
  expect(await owner.leftToDo(projectId)).toEqual([]);
});

test('a lost manifest of a kept version stops the removal of those that left', async () => {
  const owner = await new OwnerWorld(stores, { versionsKept: 2 }).open();
  const projectId = await pushedThrice(owner);
  const { deps } = owner;
  const { store } = (await deps.projects.getVersion(projectId, 3)) ?? { store: StoreId.parse('0') };
  await deps.content.deletePrefix(manifestsPrefix(projectId, store));
  const before = await owner.keys(projectId);
  const failures: unknown[] = [];
  const onFailure = (_: unknown, error: unknown) => void failures.push(error);
  owner.now = new Date(owner.now.getTime() + day * 1000);
  await sweep({ ...deps, onFailure }, owner.now, () => 60_000);
  expect(failures).toEqual([new MissingManifest({ version: 3 })]);
  expect(await owner.keys(projectId)).toEqual(before);
});

test.each(['merge', 'diff'] as const)('a %s beside the removal finds no project', async (call) => {
  const owner = await new OwnerWorld(stores).open();
  const projectId = await pushedThrice(owner);
  const { deps } = owner;
  let reads = 0;
  const get = async (...parameters: Parameters<typeof deps.content.get>) => {
    reads += 1;
    if (reads === 1) await deleteProject({ ...deps, keptDays: 0 }, owner.caller, { projectId });
    return deps.content.get(...parameters);
  };
  const content = { ...deps.content, get };
  const merged = { projectId, mode: 'merge' as const, files: [], delete: ['none.txt'] };
  const called =
    call === 'merge'
      ? changeProjectFiles({ ...deps, content }, owner.caller, merged)
      : diffVersion({ ...deps, content }, owner.caller, { projectId, version: '3' });
  await expect(called).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(reads).toBeGreaterThan(0);
});

test('at an address that was used before, a write without an answer is found to be made', async () => {
  const owner = await new OwnerWorld(stores).open();
  const slug = Slug.parse(`quay-${randomUUID().slice(0, 8)}`);
  const first = await owner.publish({ 'a.txt': 'first' }, { slug });
  const { deps } = owner;
  const change: typeof deps.owned.change = async (...parameters) => {
    await deps.owned.change(...parameters);
    throw new Error('no answer');
  };
  const deaf = { ...deps, owned: { ...deps.owned, change } };
  await deleteProject({ ...deps, keptDays: 30 }, owner.caller, { projectId: first });
  const again = {
    title: 'Again',
    access: 'public',
    slug,
    files: uploaded({ 'a.txt': 'b' }),
  } as const;
  const { projectId } = await createProject(deaf, owner.caller, again);
  expect(await owner.project(projectId)).toMatchObject({ slug, version: 1 });
  await deleteProject({ ...deps, keptDays: 30 }, owner.caller, { projectId });
  const deleted = deletedProjects(stores.client, tables.projects);
  await restoreProject({ ...deaf, deleted }, owner.caller, { projectId: first });
  expect(await owner.project(first)).toMatchObject({ slug, removingAt: null });
});

test('what is kept of deleted projects has room for the storage of the plan, and the oldest go first', async () => {
  const owner = await new OwnerWorld(stores, { maxStorageBytes: 1000 }).open();
  const deps = { ...owner.deps, keptDays: 30 };
  const remove = (projectId: string) => deleteProject(deps, owner.caller, { projectId });
  const listed = async () => {
    const { projects } = await listDeletedProjects(deps, owner.caller, { limit: 100 });
    return projects.map(({ id }) => id);
  };
  const ids: string[] = [];
  for (const size of [400, 500, 600]) {
    const projectId = await owner.publish({ 'a.txt': 'x'.repeat(size) });
    await remove(projectId);
    ids.push(projectId);
    owner.now = new Date(owner.now.getTime() + 60_000);
  }
  const [first = '', second = '', third = ''] = ids;
  expect(await listed()).toEqual([third]);
  const restored = restoreProject(deps, owner.caller, { projectId: second });
  await expect(restored).rejects.toMatchObject({ code: 'NOT_FOUND' });
  // A restoration that had begun before is done before the files go.
  const keys = async (projectId: string) => (await owner.keys(projectId)).length;
  expect([await keys(first), await keys(third)]).toEqual([1, 1]);
  await owner.sweepAfter(600);
  expect([await keys(first), await keys(second), await keys(third)]).toEqual([0, 0, 1]);
  await restoreProject(deps, owner.caller, { projectId: third });
  expect(await owner.project(third)).toMatchObject({ removingAt: null, bytes: 600 });
});

test('a restoration that was begun before the time of its project was ended succeeds', async () => {
  const owner = await new OwnerWorld(stores, { maxStorageBytes: 1000 }).open();
  const deps = { ...owner.deps, keptDays: 30 };
  const [first, second] = [
    await owner.publish({ 'a.txt': 'x'.repeat(500) }),
    await owner.publish({ 'a.txt': 'x'.repeat(500) }),
  ];
  await deleteProject(deps, owner.caller, { projectId: first });
  await owner.update(second, { files: { 'b.txt': 'x'.repeat(400) } });
  const getVersion: typeof deps.projects.getVersion = async (...parameters) => {
    await deleteProject(deps, owner.caller, { projectId: second });
    return deps.projects.getVersion(...parameters);
  };
  const late = { ...deps, projects: { ...deps.projects, getVersion } };
  await restoreProject(late, owner.caller, { projectId: first });
  await owner.sweepAfter(3600);
  expect(await owner.project(first)).toMatchObject({ removingAt: null });
  expect(await owner.keys(first)).toHaveLength(1);
});
