import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { AccountId, ProjectId } from '../../../../contract/fields.ts';
import { defaultPlans } from '../../../../contract/plans.ts';
import type { Account } from '../../../../core/accounts/account.ts';
import { countHits, type CountHitsDeps } from '../../../../core/analytics/count-hits.ts';
import { type CappedBatch, networkCaps } from '../../../../core/analytics/cap-visits.ts';
import type { Hit } from '../../../../core/analytics/hit.ts';
import { hitName, type HitStore } from '../../../../core/analytics/ports.ts';
import { removeProjectData } from '../../../../core/projects/removal/sweep.ts';
import type { AccountEvent } from '../../../../core/webhooks/webhook.ts';
import type { ProjectChange } from '../../../../core/projects/change/project-change.ts';
import { aCaller, aProject, aVersion } from '../../../fixtures/projects/a-project.ts';
import { noticeSubject } from '../../../../core/mail-notices.ts';
import { memoryCounters } from '../../../fixtures/memory-counters.ts';
import { aHit } from '../../../fixtures/visits/hits.ts';
import { memoryHits } from '../../../fixtures/visits/memory-hits.ts';
import { aWebhook } from '../../../fixtures/webhooks/memory-webhooks.ts';

const project = aProject();
const until = '2026-04-01T00:00:00.000Z';

/** A store that knows no network yet. */
const writing = (write: (batch: CappedBatch) => Promise<void>): CountHitsDeps['hits'] => ({
  networkDays: async () => new Map(),
  async write(batch) {
    await write(batch);
    return undefined;
  },
});

/** A counter over memory: what it recorded, mailed, noted and put to rest. */
function aCounter(
  visits: number,
  {
    earlierSteps = {},
    known = [project],
    ...more
  }: { earlierSteps?: object; known?: (typeof project)[] } & Partial<CountHitsDeps> = {},
) {
  const log = {
    recorded: new Array<CappedBatch>(),
    mails: new Array<string>(),
    marks: new Array<string>(),
    events: new Array<AccountEvent>(),
    rested: new Array<string>(),
    notices: new Array<string>(),
    failures: new Array<unknown>(),
  };
  const marks: Record<string, number> = { ...earlierSteps };
  const deps: CountHitsDeps = {
    hits: writing(async (batch) => void log.recorded.push(batch)),
    projects: {
      get: async (id) => known.find((one) => one.id === id),
      getVersion: async () => aVersion(),
    },
    owned: {
      change: async ({ after }: ProjectChange) => {
        log.rested.push(`${after.id} ${after.restingUntil}`);
        return 'changed' as const;
      },
      list: async () => known,
    },
    notices: {
      note: async (key, { at, dueAt }) =>
        void log.notices.push(`${noticeSubject(key)} ${at} ${dueAt}`),
    },
    shareLinks: { find: async () => undefined },
    linkOpens: { removeLink: async () => undefined },
    accounts: { get: async () => aCaller().account },
    webhooks: { list: async () => [] },
    counters: memoryCounters(),
    plans: { ...defaultPlans, pro: { ...defaultPlans.pro, maxVisitorsPerMonth: 100 } },
    months: {
      get: async () => ({ visits, bytes: 0, notified: { ...marks } }),
      addBytes: async () => undefined,
      recordStep: async ({ month }, { mark, limit, events }) => {
        if ((marks[mark] ?? -1) >= limit) return false;
        marks[mark] = limit;
        log.marks.push(`${month} ${mark}`);
        log.events.push(...events);
        return true;
      },
    },
    mailer: {
      sendMonthlyNotice: async (email, { percent }) => void log.mails.push(`${email} ${percent}`),
    },
    edge: { purge: async () => undefined, purgeAfterDelay: async () => undefined },
    onFailure: (_item, error) => void log.failures.push(error),
    now: () => new Date('2026-03-15T12:00:00.000Z'),
    ...more,
  };
  return { deps, log };
}

describe('hits', () => {
  test('of an existing project are recorded, of a deleted one or one being deleted are dropped', async () => {
    const other = aHit({ id: 'other', projectId: '5f60c399-0b7e-4c1a-8d0e-2f1a6f0c9a12' as any });
    const { deps, log } = aCounter(1);
    expect(await countHits(deps, [aHit(), other])).toEqual(new Set());
    expect(log.recorded.flatMap(({ hits }) => hits.map(({ record }) => record.id))).toEqual([
      'hit-1',
    ]);
    const going = aCounter(1, { known: [aProject({ removingAt: '2026-03-01T12:00:00.000Z' })] });
    await countHits(going.deps, [aHit()]);
    expect(going.log.recorded).toEqual([]);
  });

  test('of an account are looked up for webhooks only if it had one, and its row is read once', async () => {
    const reads: string[] = [];
    const counter = (fields: Partial<Account>) =>
      aCounter(1, {
        accounts: {
          async get(id) {
            reads.push(`account ${id === project.ownerId}`);
            return { ...aCaller().account, ...fields };
          },
        },
        webhooks: {
          async list() {
            reads.push('webhooks');
            return [aWebhook({ events: ['project.opened'] })];
          },
        },
      });
    const hits = [aHit(), aHit({ id: 'open', kind: 'open' })];
    const without = counter({});
    await countHits(without.deps, hits);
    expect(reads.splice(0)).toEqual(['account true']);
    expect(without.log.recorded[0]?.watched).toBeUndefined();
    const having = counter({ hasWebhooks: true });
    await countHits(having.deps, hits);
    expect(reads.splice(0)).toEqual(['account true', 'webhooks']);
    expect(having.log.recorded[0]?.watched).toMatchObject({
      project,
      webhooks: [aWebhook({ events: ['project.opened'] })],
    });
    await countHits(having.deps, [aHit(), aHit({ id: 'own', kind: 'open', isOwner: true })]);
    expect(reads).toEqual(['account true']);
  });

  test('are told to webhooks as often as an account can be sent something about them in a day', async () => {
    const { deps, log } = aCounter(1, {
      accounts: { get: async () => ({ ...aCaller().account, hasWebhooks: true }) },
      webhooks: { list: async () => [aWebhook({ events: ['project.opened'] })] },
    });
    await deps.counters.count(`open-deliveries#${project.ownerId}`, 86_400, deps.now(), 19_199);
    const hits = [aHit({ id: 'open', kind: 'open' })];
    await countHits(deps, hits);
    await countHits(deps, hits);
    expect(log.recorded.map(({ watched }) => watched?.webhooks.length)).toEqual([1, undefined]);
  });

  test('that could not be recorded are delivered again, the others are not', async () => {
    const write = async ({ hits }: CappedBatch) => {
      if (hits.some((hit) => hit.record.id === 'bad')) throw new Error('throttled');
    };
    const { deps, log } = aCounter(1, { hits: writing(write) });
    const hits = ['bad', 'a', 'b', 'c', 'd', 'e'].map((id) => aHit({ id }));
    const failed = await countHits(deps, hits);
    expect(failed.has('bad')).toBe(true);
    expect(failed.size).toBeLessThan(hits.length);
    expect(log.failures).toHaveLength(1);
  });

  test('that can never be written do not block others', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `hit-${index}`);
    const { deps, log } = aCounter(0);
    const write = async (batch: CappedBatch) => {
      if (batch.hits.some((hit) => hit.record.id === 'hit-7')) throw new Error('refused');
      log.recorded.push(batch);
    };
    const failed = await countHits(
      { ...deps, hits: writing(write) },
      ids.map((id) => aHit({ id })),
    );
    expect([...failed]).toEqual(['hit-7']);
    const counted = log.recorded.flatMap(({ hits }) => hits.map((hit) => hit.record.id));
    expect(counted.toSorted()).toEqual(ids.filter((id) => id !== 'hit-7').toSorted());
    expect(log.failures).toHaveLength(1);
  });

  test('stay counted if the visit limit of their account cannot be checked', async () => {
    const accounts = { get: async () => Promise.reject(new Error('throttled')) };
    const { deps, log } = aCounter(1, { accounts });
    expect(await countHits(deps, [aHit()])).toEqual(new Set());
    expect(log.failures).toHaveLength(1);
  });
});

describe('batches of one account', () => {
  const projectsOf = (count: number) =>
    Array.from({ length: count }, () => aProject({ id: ProjectId.parse(randomUUID()) }));
  /** The most writes at once: of all projects, and of one. */
  const simultaneous = () => {
    const running: string[] = [];
    const most = { all: 0, ofOneProject: 0 };
    const hits = writing(async ({ projectId }) => {
      running.push(projectId);
      const ofThis = running.filter((id) => id === projectId).length;
      most.all = Math.max(most.all, running.length);
      most.ofOneProject = Math.max(most.ofOneProject, ofThis);
      await setTimeout(1);
      running.splice(running.indexOf(projectId), 1);
    });
    return { most, hits };
  };
  const hoursOf = (hits: readonly Hit[]) =>
    ['12', '13', '14'].flatMap((hour) =>
      hits.map((hit) => ({ ...hit, id: `${hour} ${hit.id}`, at: `2026-03-01T${hour}:00:00.000Z` })),
    );

  test('are written four at a time, those of one project one after another', async () => {
    const { most, hits } = simultaneous();
    const known = projectsOf(30);
    const { deps } = aCounter(1, { hits, known });
    await countHits(deps, hoursOf(known.map(({ id }) => aHit({ projectId: id }))));
    expect(most).toEqual({ all: 4, ofOneProject: 1 });
  });

  test('do not wait for other accounts, sixteen at a time in all', async () => {
    const { most, hits } = simultaneous();
    const known = projectsOf(60);
    const { deps } = aCounter(1, { hits, known });
    const owners = Array.from({ length: 6 }, () => AccountId.parse(randomUUID()));
    const visits = known.map(({ id }, index) =>
      aHit({ projectId: id, ownerId: owners[index % 6] ?? null }),
    );
    await countHits(deps, hoursOf(visits));
    expect(most).toEqual({ all: 16, ofOneProject: 1 });
  });

  test('wait before they are repeated, so that slower writers of the same rows end', async () => {
    const { deps, log } = aCounter(1);
    let isBusy = true;
    const done = setTimeout(20).then(() => (isBusy = false));
    const write = async () => (isBusy ? { kept: new Set(['networks of the day']) } : undefined);
    const failed = await countHits({ ...deps, hits: { ...deps.hits, write } }, [aHit()]);
    await done;
    expect([[...failed], log.failures]).toEqual([[], []]);
  });

  test('keep the caps of a network that visits all of their projects', async () => {
    const memory = memoryHits();
    const slow: HitStore = {
      async networkDays(batch) {
        const days = await memory.store.networkDays(batch);
        await setTimeout(1);
        return days;
      },
      write: (batch) => memory.store.write(batch),
    };
    const known = projectsOf(12);
    const { deps } = aCounter(1, { hits: slow, known });
    const visits = known.flatMap(({ id }) =>
      Array.from({ length: 100 }, (_, index) =>
        aHit({ projectId: id, id: `${index}`, network: '00000000000000aa' }),
      ),
    );
    expect(await countHits(deps, visits)).toEqual(new Set());
    expect(memory.totals.planVisits.get(`${aHit().ownerId}`)).toBe(networkCaps.counted);
    expect(memory.rows.size).toBe(networkCaps.kept);
    expect([...memory.totals.visits.values()]).toEqual(Array(12).fill(100));
  });
});

describe('hits above what is kept of their networks, in a batch that is written in parts', () => {
  const visits = Array.from({ length: 64 }, (_, index) =>
    aHit({
      id: `v-${index}`,
      network: (index % 16).toString(16).padStart(16, '0'),
      at: `2026-03-01T12:0${index % 2}:00.000Z`,
    }),
  );
  /** The first minute has no room in the first partition; some batches fail at their first write. */
  const aFullMinute = (fails: (batch: CappedBatch) => boolean) => {
    const counted: string[] = [];
    const hits: HitStore = {
      networkDays: async ({ hits: some }) =>
        new Map(
          some.map(({ network }) => [network, { counted: 0, kept: networkCaps.kept, slots: {} }]),
        ),
      async write(batch) {
        const names = batch.hits.map(({ record }) => hitName(record));
        const ofFullMinute = batch.hits.filter(({ record }) => record.at.includes('12:00'));
        if (!batch.isSpread && ofFullMinute.length > 0)
          return {
            kept: new Set(),
            spread: new Set(ofFullMinute.map(({ record }) => hitName(record))),
          };
        if (fails(batch)) throw new Error('throttled');
        counted.push(...names);
        return undefined;
      },
    };
    return { counted, hits };
  };
  const names = visits.map(({ id }) => `visit ${id}`).toSorted();

  test.each([
    ['one of the spread parts', (batch: CappedBatch) => batch.isSpread],
    ['the part of the first partition', (batch: CappedBatch) => !batch.isSpread],
  ])('are counted once if %s fails', async (_, isPart) => {
    let parts = 0;
    const { counted, hits } = aFullMinute((batch) => {
      if (isPart(batch)) parts += 1;
      return isPart(batch) && parts === (batch.isSpread ? 3 : 1);
    });
    const { deps, log } = aCounter(1, { hits });
    expect(await countHits(deps, visits)).toEqual(new Set());
    expect(log.failures).toEqual([]);
    expect(counted.toSorted()).toEqual(names);
  });

  test('are delivered again if their own write fails, and no others', async () => {
    const { counted, hits } = aFullMinute((batch) =>
      batch.hits.some(({ record }) => record.id === 'v-6' || record.id === 'v-7'),
    );
    const { deps, log } = aCounter(1, { hits });
    expect(await countHits(deps, visits)).toEqual(new Set(['v-6', 'v-7']));
    expect(log.failures).toHaveLength(2);
    const others = names.filter((name) => !/v-[67]$/.test(name));
    expect(counted.toSorted()).toEqual(others);
  });
});

describe('a month of an account', () => {
  test.each([
    [79, [], []],
    [80, ['ann@example.org 80'], []],
    [100, ['ann@example.org 80', 'ann@example.org 100'], []],
    [199, ['ann@example.org 80', 'ann@example.org 100'], []],
    [200, ['ann@example.org 80', 'ann@example.org 100'], [`${project.id} ${until}`]],
  ])('with %d of 100 visits mails %j and rests %j', async (visits, mails, rested) => {
    const { deps, log } = aCounter(visits);
    await countHits(deps, [aHit()]);
    expect([log.mails, [...new Set(log.rested)]]).toEqual([mails, rested]);
  });

  test('causes one mail', async () => {
    const { deps, log } = aCounter(100, { earlierSteps: { at80: 100 } });
    await countHits(deps, [aHit()]);
    await countHits(deps, [aHit()]);
    expect(log.mails).toEqual(['ann@example.org 100']);
  });

  test('tells webhooks of 80 and 100 %, with the mark of each mail', async () => {
    const { deps, log } = aCounter(250);
    await countHits(deps, [aHit()]);
    const data = { what: 'visits', used: 250, limit: 100 };
    expect(log.events.filter(({ data: { what } }) => what === 'visits')).toEqual(
      [80, 100].map((percent) => ({
        type: 'quota.near',
        at: '2026-03-15T12:00:00.000Z',
        accountId: aCaller().account.id,
        projectId: null,
        data: { ...data, percent },
      })),
    );
  });

  test('causes another mail for a larger plan', async () => {
    const { deps, log } = aCounter(100, { earlierSteps: { at80: 50, at100: 50 } });
    await countHits(deps, [aHit()]);
    expect(log.mails).toHaveLength(2);
  });

  test('makes a later project rest', async () => {
    const { deps, log } = aCounter(250, { earlierSteps: { at80: 100, at100: 100, rested: 100 } });
    await countHits(deps, [aHit()]);
    expect(log.rested).toEqual([`${project.id} ${until}`]);
    const resting = aCounter(250, {
      earlierSteps: { at80: 100, at100: 100, rested: 100 },
      known: [aProject({ restingUntil: until })],
    });
    await countHits(resting.deps, [aHit()]);
    expect(resting.log.rested).toEqual([]);
  });

  test('that is over makes no project rest', async () => {
    const now = () => new Date('2026-04-01T00:00:01.000Z');
    const { deps, log } = aCounter(250, { now });
    await countHits(deps, [aHit()]);
    expect(log.rested).toEqual([]);
  });

  test('in which only some projects rest is processed again', async () => {
    let failing = true;
    const { deps, log } = aCounter(200);
    const { change } = deps.owned;
    deps.owned.change = async (one) => {
      if (failing) throw new Error('cut off');
      return change(one);
    };
    await countHits(deps, [aHit()]);
    expect(log.marks).not.toContain('2026-03 rested');
    failing = false;
    await countHits(deps, [aHit()]);
    expect(log.marks).toContain('2026-03 rested');
    expect(log.rested).not.toEqual([]);
  });

  test('without an account sends no mail', async () => {
    const { deps, log } = aCounter(500);
    await countHits(deps, [aHit({ ownerId: null })]);
    expect([log.mails, log.rested]).toEqual([[], []]);
  });
});

test('a removal that is interrupted at the hits keeps the rows that let it continue', async () => {
  const removed: string[] = [];
  const deps = (removeHits: () => Promise<void>) => ({
    projects: { removeRows: async () => void removed.push('rows') } as any,
    content: { deletePrefix: async () => void removed.push('bytes') } as any,
    hits: { removeHits },
  });
  const cutOff = deps(() => Promise.reject(new Error('cut off')));
  await expect(removeProjectData(cutOff, { projectId: project.id })).rejects.toThrow('cut off');
  expect(removed).toEqual(['bytes']);
  await removeProjectData(
    deps(async () => void removed.push('visitors')),
    { projectId: project.id },
  );
  expect(removed).toEqual(['bytes', 'bytes', 'visitors', 'rows']);
});
