import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { accountRepository } from '../../../adapters/dynamodb/accounts/account-repository.ts';
import { backOff } from '../../../core/back-off.ts';
import { metaKey } from '../../../adapters/dynamodb/projects/project-keys.ts';
import { projectRow } from '../../../adapters/dynamodb/projects/project-rows.ts';
import { writeTransaction } from '../../../adapters/dynamodb/transaction.ts';
import {
  joinWorkspace,
  leaveWorkspace,
} from '../../../adapters/dynamodb/workspaces/workspace-parts.ts';
import { workspaceProjects } from '../../../adapters/dynamodb/workspaces/workspace-projects.ts';
import { workspaceRepository } from '../../../adapters/dynamodb/workspaces/workspace-repository.ts';
import { AccountId, ProjectId, WorkspaceId } from '../../../contract/fields.ts';
import type { Account } from '../../../core/accounts/account.ts';
import {
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  renameWorkspace,
} from '../../../core/workspaces/manage-workspaces.ts';
import { aProject } from '../../fixtures/projects/a-project.ts';
import { failing, FaultPlan, InjectedFault } from '../../fixtures/clouds/faults.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const now = () => new Date('2026-03-01T12:00:00.000Z');
let account: Account;
beforeEach(async () => {
  account = await accountRepository(stores.client, tables.accounts).create({
    id: AccountId.parse(randomUUID()),
    email: `${randomUUID()}@example.org`,
    tier: 'pro',
    trialEndsAt: null,
    projectCount: 0,
    storageBytes: 0,
    createdAt: now().toISOString(),
  });
});

/** The dependencies of the workspaces function. */
function deps() {
  return {
    workspaces: workspaceRepository(stores.client, tables.accounts),
    projects: workspaceProjects(stores.client, tables),
    pause: backOff,
    onFailure: () => undefined,
    now,
  };
}

const make = async (name = 'A') => (await createWorkspace(deps(), { account }, { name })).id;
const list = async () => (await listWorkspaces(deps(), { account })).workspaces;
const drop = (workspaceId: string, own = deps()) =>
  deleteWorkspace(own, { account }, { workspaceId });

/** A project of the account, put into a workspace in the transaction that its lead will use. */
async function join(workspaceId: WorkspaceId, changes = {}): Promise<string[]> {
  const id = ProjectId.parse(randomUUID());
  const project = aProject({ id, ownerId: account.id, workspaceId, ...changes });
  const unmet = await writeTransaction(stores.client, [
    [
      'project',
      { Put: { TableName: tables.projects, Item: { ...projectRow(project), revision: 4 } } },
    ],
    ['workspace', joinWorkspace(tables.accounts, account.id, workspaceId)],
  ]);
  return unmet.size === 0 ? [id] : [];
}

async function joined(workspaceId: WorkspaceId, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const archivedAt = index % 3 === 0 ? now().toISOString() : null;
    ids.push(...(await join(workspaceId, { archivedAt })));
  }
  return ids;
}

const rowsOf = async () => {
  const rows = await stores.rows();
  return {
    own: (rows['accounts'] ?? []).filter(({ pk }) => pk === `ACCOUNT#${account.id}`),
    projects: (rows['projects'] ?? []).filter(({ ownerId }) => ownerId === account.id),
  };
};

/** Checks that a workspace is removed completely and its projects are otherwise unchanged. */
async function expectGone(id: WorkspaceId, projectIds: string[], workspaceCount = 0) {
  const { own, projects } = await rowsOf();
  expect(own.filter(({ sk }) => sk === `WORKSPACE#${id}`)).toEqual([]);
  expect(own.find(({ sk }) => sk === 'ACCOUNT')).toMatchObject({ workspaceCount });
  const released = projects.filter(({ id }) => projectIds.includes(id));
  expect(released).toHaveLength(projectIds.length);
  for (const { workspaceId, revision, title } of released) {
    expect({ workspaceId, revision, title }).toEqual({
      workspaceId: undefined,
      revision: 5,
      title: 'Harbour',
    });
  }
}

describe('deleting a workspace', () => {
  test('removes its projects from it, archived ones too, and no others', async () => {
    const [id, other] = [await make(), await make()];
    const mine = await joined(id, 7);
    const others = await joined(other, 2);
    expect(await list()).toContainEqual(expect.objectContaining({ id, projectCount: 7 }));
    expect(await drop(id)).toEqual({ deleted: true });
    await expectGone(id, mine, 1);
    expect(await list()).toMatchObject([{ id: other, projectCount: 2 }]);
    const { projects } = await rowsOf();
    const inOther = projects.filter(({ workspaceId }) => workspaceId === other);
    expect(new Set(inOther.map(({ id }) => id))).toEqual(new Set(others));
  });

  test('by several concurrent calls succeeds for all', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await make();
      const mine = await joined(id, 5);
      const results = await Promise.allSettled([drop(id), drop(id), list(), drop(id), list()]);
      for (const result of results) {
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ code: 'NOT_FOUND' });
      }
      expect(results.map(({ status }) => status)).toContain('fulfilled');
      await expectGone(id, mine);
    }
  });

  test('while projects are added leaves no project in it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await make();
      const mine = await joined(id, 3);
      const joins = Array.from({ length: 10 }, () => join(id));
      const [, ...late] = await Promise.all([drop(id), ...joins]);
      await expectGone(id, [...mine, ...late.flat()]);
      expect(await join(id)).toEqual([]);
    }
  });

  test('does not wait for a project that has left it meanwhile', async () => {
    const id = await make();
    const [first = ''] = await joined(id, 2);
    const leave = () =>
      writeTransaction(stores.client, [
        [
          'project',
          { Delete: { TableName: tables.projects, Key: metaKey(ProjectId.parse(first)) } },
        ],
        ['workspace', leaveWorkspace(tables.accounts, account.id, id)],
      ]);
    const { projects } = deps();
    const own = {
      ...deps(),
      projects: {
        ...projects,
        async *idsIn(...which: Parameters<typeof projects.idsIn>) {
          const ids: ProjectId[] = [];
          for await (const found of projects.idsIn(...which)) ids.push(found);
          if ((await rowsOf()).projects.length === 2) await leave();
          yield* ids;
        },
      },
    };
    expect(await drop(id, own)).toEqual({ deleted: true });
    expect((await rowsOf()).projects).toHaveLength(1);
  });

  test('waits for an index that lags behind', async () => {
    const id = await make();
    const mine = await joined(id, 3);
    const { projects } = deps();
    let lookups = 0;
    const own = {
      ...deps(),
      projects: {
        ...projects,
        async *idsIn(...which: Parameters<typeof projects.idsIn>) {
          lookups += 1;
          if (lookups > 3) yield* projects.idsIn(...which);
        },
      },
    };
    expect(await drop(id, own)).toEqual({ deleted: true });
    await expectGone(id, mine);
  });

  test('fails with a message when projects are not found, and continues when repeated', async () => {
    const id = await make();
    const mine = await joined(id, 2);
    const blind = { ...deps().projects, async *idsIn() {} };
    const own = { ...deps(), pause: async () => undefined, projects: blind };
    await expect(drop(id, own)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await drop(id)).toEqual({ deleted: true });
    await expectGone(id, mine);
  });
});

describe('an interrupted deletion', () => {
  /** Ends the deletion at its `step`-th call of a store. */
  async function cutOff(id: WorkspaceId, step: number): Promise<void> {
    const { workspaces, projects } = deps();
    const plan = new FaultPlan([...Array(step).fill('none'), ...Array(100).fill('before')]);
    const own = {
      ...deps(),
      workspaces: failing(workspaces, plan),
      projects: failing(projects, plan),
    };
    await expect(drop(id, own)).rejects.toThrow(InjectedFault);
  }

  test.each([1, 2, 3, 4, 5])(
    'at call %i: the owner does not see it, and each of list and delete finishes it',
    async (step) => {
      const ids = [await make(), await make()];
      for (const [index, id] of ids.entries()) {
        const mine = await joined(id, 6);
        await cutOff(id, step);
        const { own } = await rowsOf();
        expect(own).toContainEqual(
          expect.objectContaining({ sk: `WORKSPACE#${id}`, deletingAt: now().toISOString() }),
        );
        expect(await join(id)).toEqual([]);
        const rename = renameWorkspace(deps(), { account }, { workspaceId: id, name: 'B' });
        await expect(rename).rejects.toMatchObject({ code: 'NOT_FOUND' });
        if (index === 0) expect(await list()).toMatchObject([{ id: ids[1] }]);
        else expect(await drop(id)).toEqual({ deleted: true });
        await expectGone(id, mine, 1 - index);
      }
      expect(await list()).toEqual([]);
    },
  );

  test('does not break a list if it cannot be finished', async () => {
    const [id, other] = [await make(), await make()];
    await joined(id, 2);
    await cutOff(id, 1);
    const failures: unknown[] = [];
    const own = {
      ...deps(),
      projects: failing(deps().projects, new FaultPlan(['before'])),
      onFailure: (item: unknown) => failures.push(item),
    };
    const { workspaces } = await listWorkspaces(own, { account });
    expect(workspaces).toMatchObject([{ id: other }]);
    expect(failures).toEqual([{ workspaceId: id }]);
  });
});

describe('limits', () => {
  test('exactly a thousand workspaces, also for concurrent requests; a deleted one makes room', async () => {
    const { own } = await rowsOf();
    const row = own.find(({ sk }) => sk === 'ACCOUNT');
    const Item = { ...row, workspaceCount: 995 };
    await stores.client.send(new PutCommand({ TableName: tables.accounts, Item }));
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => make()));
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(7);
    for (const result of refused) {
      expect(result).toMatchObject({ reason: { code: 'WORKSPACE_LIMIT_REACHED', status: 403 } });
    }
    const [{ id } = { id: '' }] = await list();
    await drop(id);
    await make();
    await expect(make()).rejects.toMatchObject({ code: 'WORKSPACE_LIMIT_REACHED' });
  });

  test('a foreign workspace accepts no project and shows none', async () => {
    const id = await make();
    await joined(id, 1);
    const other = AccountId.parse(randomUUID());
    for (const part of [joinWorkspace, leaveWorkspace]) {
      const unmet = await writeTransaction(stores.client, [
        ['workspace', part(tables.accounts, other, id)],
      ]);
      expect([...unmet.keys()]).toEqual(['workspace']);
    }
    const unknown = WorkspaceId.parse(randomUUID());
    expect(await join(unknown)).toEqual([]);
    expect(await list()).toMatchObject([{ id, projectCount: 1 }]);
  });
});
