import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { accountKey } from '../../adapters/dynamodb/accounts/account-rows.ts';
import { archiveProject, unarchiveProject } from '../../core/projects/settings/archive-project.ts';
import { deleteProject } from '../../core/projects/removal/delete-project.ts';
import { OwnerWorld } from '../fixtures/accounts/owner-world.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const page = { 'index.html': '<h1>Tides</h1>' };

test('an account keeps 500 archived projects, and as many again as it deletes or brings back', async () => {
  const world = await new OwnerWorld(stores).open();
  const ids = [];
  for (let count = 0; count < 4; count += 1) ids.push(await world.publish(page));
  const [first = '', second = '', third = '', fourth = ''] = ids;
  const archive = (projectId: string) => archiveProject(world.deps, world.caller, { projectId });
  await archive(first);
  await stores.client.send(
    new UpdateCommand({
      TableName: tables.accounts,
      Key: accountKey(world.caller.account.id),
      UpdateExpression: 'SET archivedCount = :count',
      ExpressionAttributeValues: { ':count': 499 },
    }),
  );
  const outcomes = await Promise.allSettled([archive(second), archive(third)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await expect(archive(fourth)).rejects.toMatchObject({ code: 'PROJECT_LIMIT_REACHED' });
  await unarchiveProject(world.deps, world.caller, { projectId: first });
  await archive(fourth);
  await deleteProject({ ...world.deps, keptDays: 30 }, world.caller, { projectId: fourth });
  await archive(first);
  await expect(archive(outcomes[0]?.status === 'fulfilled' ? third : second)).rejects.toMatchObject(
    {
      code: 'PROJECT_LIMIT_REACHED',
    },
  );
});
