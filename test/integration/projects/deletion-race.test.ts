import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DueItem } from '../../../core/ports.ts';
import { deleteProject } from '../../../core/projects/removal/delete-project.ts';
import { sweep } from '../../../core/projects/removal/sweep.ts';
import { localStores } from '../../fixtures/clouds/local-stores.ts';
import { OwnerWorld } from '../../fixtures/accounts/owner-world.ts';

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
  expect(await sweep(late, owner.now, () => false)).toMatchObject({ projects: 0 });
  expect(await owner.keys(projectId)).toHaveLength(1);
  expect(await owner.project(projectId)).toMatchObject({ version: 1 });

  await owner.sweepAfter(30 * day - 1);
  expect(await owner.keys(projectId)).toHaveLength(1);
  await owner.sweepAfter(1);
  expect(await owner.keys(projectId)).toEqual([]);
});
