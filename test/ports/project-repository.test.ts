import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectRepository } from '../../adapters/dynamodb/projects/project-repository.ts';
import { StoreId } from '../../core/content/content-keys.ts';
import { aProject } from '../fixtures/projects/a-project.ts';
import { now } from '../fixtures/visits/a-site.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

test('the sweep finds an upload that is in progress while its project is removed', async () => {
  const projects = projectRepository(stores.client, tables);
  const { id: projectId } = aProject();
  const store = StoreId.parse('c3');
  const times = { startedAt: '2026-03-01T11:45:00.000Z', sweepAt: '2026-03-01T12:00:00.000Z' };
  await projects.createIntent({ projectId, store, ...times });
  await projects.removeRows(projectId, undefined);
  const due = [];
  for await (const item of projects.listDue(now)) due.push(item);
  expect(due).toEqual([{ kind: 'intent', projectId, store }]);
  expect(await projects.seizeIntent({ projectId, store }, now)).toBe(true);
  await projects.deleteIntent({ projectId, store });
  expect((await stores.rows())['projects']).toEqual([]);
});
