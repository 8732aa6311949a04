import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accountAdmin } from '../../../adapters/dynamodb/accounts/account-admin.ts';
import { CodedError } from '../../../core/errors.ts';
import { archiveProject } from '../../../core/projects/settings/archive-project.ts';
import { deleteProject } from '../../../core/projects/removal/delete-project.ts';
import { publishTempProject } from '../../../core/projects/publishing/publish-temp.ts';
import { claimProject } from '../../../core/projects/claims/claim-project.ts';
import {
  liftTakedown,
  OperatorError,
  takeDown,
} from '../../../core/projects/moderation/operator-change.ts';
import { restoreAsOperator } from '../../../core/projects/removal/restore-project.ts';
import {
  suspendAccount,
  unsuspendAccount,
} from '../../../core/projects/moderation/suspend-account.ts';
import { tempLimits } from '../../../core/projects/publishing/upload-limits.ts';
import { deletedProjects } from '../../../adapters/dynamodb/projects/deleted-projects.ts';
import { ProjectId } from '../../../contract/fields.ts';
import { failing, FaultPlan, InjectedFault } from '../../fixtures/clouds/faults.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { OwnerWorld, uploaded } from '../../fixtures/accounts/owner-world.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const day = 86_400;

/** An account whose operator suspends it; the caller authenticated before that, as requests in flight did. */
class World extends OwnerWorld {
  get operator() {
    const admin = accountAdmin(stores.client, tables.accounts);
    return { ...this.deps, admin };
  }

  suspend = () => suspendAccount(this.operator, this.caller.account.id);
  unsuspend = () => unsuspendAccount(this.operator, this.caller.account.id);

  async account() {
    const account = await this.deps.accounts.get(this.caller.account.id);
    if (account === undefined) throw new Error('there is no such account');
    return account;
  }

  /** Ids of the account's projects, archived ones too. */
  async listed() {
    const { id: accountId } = this.caller.account;
    const query = { accountId, archived: 'all', limit: 100, offset: 0 } as const;
    return (await this.deps.owned.list(query)).map(({ id }) => id);
  }

  /** Whether each project is blocked for visitors, by id. */
  async withheld(): Promise<boolean[]> {
    const ids = await this.listed();
    return Promise.all(ids.map(async (id) => (await this.shown(id)).takenDown));
  }
}

const aWorld = () => new World(stores).open();
const page = { 'index.html': '<h1>Tides</h1>' };
const codeOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => 'done',
    (caught: unknown) => caught,
  );
  return error instanceof CodedError ? error.code : error;
};

describe('an account that is suspended', () => {
  test('has all projects blocked, accepts no change, and is restored unchanged', async () => {
    const world = await aWorld();
    const [plain, down, archived, expiring] = [
      await world.publish(page),
      await world.publish(page),
      await world.publish(page),
      await world.publish(page, { expiresIn: '1h' }),
    ];
    const { id } = await world.project(down);
    await takeDown(
      {
        ...world.deps,
        sites: { get: async () => undefined },
        roots: { get: async () => undefined },
      },
      { target: id, reason: 'x' },
    );
    await archiveProject(world.deps, world.caller, { projectId: archived });
    const all = [plain, down, archived, expiring];
    const state = () =>
      Promise.all(
        all.map(async (projectId) => {
          const { revision: _, updatedAt: __, ...project } = await world.project(projectId);
          return { project, site: await world.shown(projectId) };
        }),
      );
    const before = await state();
    const account = await world.account();

    const suspended = await world.suspend();
    expect(suspended.suspendedAt).toBe(world.now.toISOString());
    expect(await world.withheld()).toEqual([true, true, true, true]);
    for (const change of [
      world.publish(page),
      world.update(plain, { files: { 'b.html': 'B' } }),
      archiveProject(world.deps, world.caller, { projectId: plain }),
    ]) {
      expect(await codeOf(change)).toBe('ACCOUNT_SUSPENDED');
    }
    expect(await world.suspend()).toEqual(suspended);

    await world.unsuspend();
    expect(await state()).toEqual(before);
    expect(await world.account()).toEqual(account);
    expect(await world.unsuspend()).toEqual(account);
    await world.publish(page);
  });

  test('loses no time of its projects, before or after their expiry', async () => {
    const world = await aWorld();
    const ended = await world.publish(page, { expiresIn: '15m' });
    await world.sweepAfter(20 * day);
    const fresh = await world.publish(page, { expiresIn: '7d' });
    await world.suspend();
    await world.sweepAfter(40 * day);
    expect((await world.listed()).toSorted()).toEqual([ended, fresh].toSorted());
    await world.unsuspend();
    const { expiresAt } = await world.project(fresh);
    expect(Date.parse(expiresAt ?? '') - world.now.getTime()).toBe(7 * day * 1000);
    await world.sweepAfter(9 * day);
    expect((await world.listed()).toSorted()).toEqual([ended, fresh].toSorted());
    await world.sweepAfter(1.1 * day);
    expect(await world.listed()).toEqual([fresh]);
  });

  test.each([
    ['that runs goes on', 3, 3 + 40],
    ['that was over stays over', -1, -1],
  ])('loses no time of a trial: one %s', async (_, daysLeft, daysAfter) => {
    const days = (count: number) =>
      new Date(world.now.getTime() + count * day * 1000).toISOString();
    const world = new World(stores);
    const trialEndsAt = days(daysLeft);
    const expected = days(daysAfter);
    await world.deps.accounts.create({ ...world.caller.account, trialEndsAt });
    await world.suspend();
    await world.sweepAfter(40 * day);
    await world.unsuspend();
    expect((await world.account()).trialEndsAt).toBe(expected);
  });

  test('has a just published project blocked that is not in the index yet', async () => {
    const world = await aWorld();
    await world.publish(page);
    let scans = 0;
    const { owned } = world.operator;
    async function* late(query: Parameters<typeof owned.scan>[0]) {
      scans += 1;
      // A pass reads the active projects, then the archived ones.
      if (scans > 2) yield* owned.scan(query);
    }
    const deps = { ...world.operator, owned: { ...owned, scan: late } };
    await suspendAccount(deps, world.caller.account.id);
    expect([scans, await world.withheld()]).toEqual([4, [true]]);
  });

  test('cannot claim a temporary project or restore a deleted one', async () => {
    const world = await aWorld();
    const deleted = await world.publish(page);
    await deleteProject({ ...world.deps, keptDays: 30 }, world.caller, { projectId: deleted });
    const counters = {
      count: async () => 1,
      reserve: async () => ({ reserved: true, limits: [] }),
    };
    const limits = tempLimits({ perMinute: 9, perHour: 9 });
    const temporary: any = { ...world.deps, counters, limits };
    const files = uploaded(page);
    const { claimToken } = await publishTempProject(temporary, world.caller, { files });
    await world.suspend();
    const claim = () => claimProject(world.deps, world.caller, { claimToken });
    expect(await codeOf(claim())).toBe('ACCOUNT_SUSPENDED');
    const restoring = {
      ...world.deps,
      deleted: deletedProjects(stores.client, tables.projects),
    };
    const restore = () => restoreAsOperator(restoring, { projectId: ProjectId.parse(deleted) });
    await expect(restore()).rejects.toThrow(/Unsuspend it first/);
    expect(await world.listed()).toEqual([]);
    await world.unsuspend();
    expect(await codeOf(claim())).toBe('done');
    expect((await restore()).removingAt).toBeNull();
  });
});

/** Operations that run concurrently with a suspension or its end. */
type Rival = 'publish' | 'update' | 'archive' | 'delete' | 'suspend' | 'unsuspend' | 'release';

const rivals: Record<Rival, (world: World, projectId: string) => Promise<unknown>> = {
  publish: (world) => world.publish(page),
  update: (world, projectId) =>
    world.update(projectId, { files: { [`${Math.random()}.html`]: 'B' } }),
  archive: (world, projectId) => archiveProject(world.deps, world.caller, { projectId }),
  delete: (world, projectId) =>
    deleteProject({ ...world.deps, keptDays: 30 }, world.caller, { projectId }),
  suspend: (world) => world.suspend(),
  unsuspend: (world) => world.unsuspend(),
  release: async (world, projectId) => {
    const target = (await world.project(projectId)).id;
    const nothing = { get: async () => undefined };
    return liftTakedown({ ...world.deps, sites: nothing, roots: nothing }, { target });
  },
};

/** A change may be refused for what the other one did; nothing else may go wrong. */
async function tried(work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  const isExpected = error instanceof CodedError || error instanceof OperatorError;
  if (error !== undefined && !isExpected) throw error;
}

const someRivals = fc.array(fc.constantFrom(...(Object.keys(rivals) as Rival[])), {
  minLength: 1,
  maxLength: 5,
});

describe('concurrent changes', () => {
  test('nothing of a suspended account is served, and everything after the suspension', async () => {
    await fc.assert(
      fc.asyncProperty(someRivals, fc.boolean(), async (names, isFirstSuspended) => {
        const world = await aWorld();
        const projectId = await world.publish(page);
        await world.publish(page);
        if (isFirstSuspended) await world.suspend();
        const own = isFirstSuspended ? world.unsuspend() : world.suspend();
        await Promise.all([own, ...names.map((name) => rivals[name](world, projectId))].map(tried));
        await world.suspend();
        expect(await world.withheld()).not.toContain(false);
        expect(await codeOf(world.publish(page))).toBe('ACCOUNT_SUSPENDED');
        await world.unsuspend();
        expect(await world.withheld()).not.toContain(true);
        const { suspendedAt, liftingAt } = await world.account();
        expect([suspendedAt, liftingAt]).toEqual([undefined, undefined]);
      }),
      { numRuns: 12 },
    );
  }, 600_000);

  test('the next suspension completes a crashed one, and the same holds for lifting it', async () => {
    const plans = fc.array(fc.constantFrom('none', 'none', 'before', 'after'), {
      minLength: 2,
      maxLength: 7,
    });
    let crashes = 0;
    await fc.assert(
      fc.asyncProperty(plans, plans, async (first, second) => {
        const world = await aWorld();
        const ids = [await world.publish(page), await world.publish(page, { expiresIn: '1h' })];
        const before = await Promise.all(ids.map((id) => world.shown(id)));
        const crashing = async (faults: typeof first, run: typeof suspendAccount) => {
          const plan = new FaultPlan(faults);
          const { owned, admin, projects } = world.operator;
          const deps = {
            ...world.operator,
            owned: failing(owned, plan),
            admin: failing(admin, plan),
            projects: failing(projects, plan),
          };
          await run(deps, world.caller.account.id).catch((error: unknown) => {
            if (!(error instanceof InjectedFault)) throw error;
            crashes += 1;
          });
        };
        await crashing(first, suspendAccount);
        await world.suspend();
        expect(await world.withheld()).not.toContain(false);
        await crashing(second, unsuspendAccount);
        await world.unsuspend();
        expect(await Promise.all(ids.map((id) => world.shown(id)))).toEqual(before);
        const { suspendedAt, liftingAt } = await world.account();
        expect([suspendedAt, liftingAt]).toEqual([undefined, undefined]);
      }),
      { numRuns: 10 },
    );
    expect(crashes).toBeGreaterThan(3);
  }, 600_000);
});
