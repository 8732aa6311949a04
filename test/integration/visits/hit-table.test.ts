import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hitRemoval } from '../../../adapters/dynamodb/hits/hit-removal.ts';
import { hitTable } from '../../../adapters/dynamodb/hits/hit-table.ts';
import { visitMonths } from '../../../adapters/dynamodb/hits/visit-months.ts';
import { AccountId, ProjectId } from '../../../contract/fields.ts';
import { groupHits } from '../../../core/analytics/hit-batches.ts';
import type { Hit } from '../../../core/analytics/hit.ts';
import { listProjectHits } from '../../../core/analytics/hits-csv.ts';
import { recordBatch } from '../../../core/analytics/count-hits.ts';
import { randomUUID } from 'node:crypto';
import { aCaller, aProject } from '../../fixtures/projects/a-project.ts';
import { itemBytes } from '../../fixtures/projects/item-bytes.ts';
import { readerOf, soonAfter } from '../../fixtures/visits/counted-hits.ts';
import { aHit } from '../../fixtures/visits/hits.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const aProjectId = () => ProjectId.parse(randomUUID());
const anOwner = () => AccountId.parse(randomUUID());
const table = () => hitTable(stores.client, tables, soonAfter);
const reader = () => readerOf(stores.client);
const months = () => visitMonths(stores.client, tables);
const record = async (hits: Hit[]) => {
  for (const batch of groupHits(hits)) expect(await recordBatch(table(), batch)).toEqual([]);
};
const since = new Date('2026-02-22T12:00:00.000Z');

test('a hit that is delivered sixty times, partly concurrently, counts once', async () => {
  const projectId = aProjectId();
  const ownerId = anOwner();
  const visit = aHit({ projectId, ownerId, country: 'NO' });
  const open = aHit({ projectId, ownerId, kind: 'open', id: 'load-1', country: 'NO' });
  await Promise.all(Array.from({ length: 60 }, () => record([visit, open])));
  const counts = await reader().counts(projectId, since);
  expect(counts.totals).toEqual({ visits: 1, opens: 1, ownerOpens: 0 });
  expect(counts.countries).toEqual({ NO: 1 });
  expect(await months().get(ownerId, '2026-03')).toMatchObject({ visits: 1 });
});

test('a page load that is reported twice, with different times, is one open', async () => {
  const projectId = aProjectId();
  const open = aHit({ projectId, kind: 'open', id: 'load-1' });
  await record([open]);
  await record([
    { ...open, at: '2026-03-01T12:00:09.000Z' },
    { ...open, id: 'load-2' },
  ]);
  expect((await reader().counts(projectId, since)).totals.opens).toBe(2);
  expect(await reader().latestOpens(projectId, 10)).toHaveLength(2);
});

test('a partly counted batch counts the rest', async () => {
  const projectId = aProjectId();
  const hits = Array.from({ length: 200 }, (_, index) => aHit({ projectId, id: `v-${index}` }));
  await record(hits.slice(0, 90));
  await Promise.all([record(hits), record(hits.toReversed()), record(hits.slice(50, 150))]);
  expect((await reader().counts(projectId, since)).totals.visits).toBe(200);
});

test('minutes are counted separately, without those before the requested hour', async () => {
  const projectId = aProjectId();
  await record([
    aHit({ projectId, id: 'a', at: '2026-03-01T11:59:59.999Z' }),
    aHit({ projectId, id: 'b', at: '2026-03-01T12:00:00.000Z' }),
    aHit({ projectId, id: 'c', at: '2026-03-01T12:00:59.000Z' }),
  ]);
  const { minutes } = await reader().counts(projectId, new Date('2026-03-01T12:30:00.000Z'));
  const visits = minutes.filter((minute) => minute.visits > 0);
  expect(visits.reduce((sum, minute) => sum + minute.visits, 0)).toBe(2);
  for (const { at } of visits) expect(at).toEqual(new Date('2026-03-01T12:00:00.000Z'));
});

test('the newest opens come first, without the owner’s own', async () => {
  const projectId = aProjectId();
  const opens = Array.from({ length: 14 }, (_, index) =>
    aHit({
      projectId,
      kind: 'open',
      id: `load-${index}`,
      at: `2026-03-01T12:00:${10 + index}.000Z`,
      isOwner: index === 13,
    }),
  );
  await record(opens);
  const latest = await reader().latestOpens(projectId, 10);
  expect(latest.map(({ id }) => id)).toEqual(
    Array.from({ length: 10 }, (_, index) => `load-${12 - index}`),
  );
  expect((await reader().counts(projectId, since)).totals).toEqual({
    visits: 0,
    opens: 13,
    ownerOpens: 1,
  });
});

describe('the hits of a project as CSV', () => {
  const projectId = aProjectId();
  const deps = {
    projects: { get: async () => aProject({ id: projectId }) },
    get hits() {
      return reader();
    },
  };
  beforeAll(async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 12, 0, second)).toISOString();
    // A visit in every second; every third is opened, ten seconds later.
    const visits = Array.from({ length: 300 }, (_, index) =>
      aHit({ projectId, id: `v-${index}`, at: at(index), path: `/${index}` }),
    );
    const opens = visits
      .filter((_, index) => index % 3 === 0)
      .map((visit, index) =>
        aHit({
          projectId,
          kind: 'open',
          id: `o-${index}`,
          path: visit.path,
          at: at(index * 3 + 10),
        }),
      );
    await record([...visits, ...opens]);
  });

  const rowsOf = (csv: string) => csv.trim().split('\r\n').slice(1);
  const page = (limit: number, before?: string) =>
    listProjectHits(deps, aCaller(), { projectId, limit, before });

  test('are the same in one page and in many: no row is lost, repeated or classified differently', async () => {
    const whole = await page(5000);
    expect(whole.next).toBeUndefined();
    expect(rowsOf(whole.csv)).toHaveLength(300);
    expect(rowsOf(whole.csv).filter((row) => row.includes(',open,'))).toHaveLength(100);
    const rows: string[] = [];
    let before: string | undefined;
    do {
      const { csv, next } = await page(7, before);
      rows.push(...rowsOf(csv));
      before = next;
    } while (before !== undefined);
    expect(rows).toEqual(rowsOf(whole.csv));
  });

  test.each(['yesterday', '2026-03-01', "2026-03-01T12:00:00.000Z#'"])(
    'refuse the position %s',
    async (before) => {
      await expect(page(10, before)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    },
  );
});

test('the statistics of a project are removed completely, and those of another stay', async () => {
  const [gone, kept] = [aProjectId(), aProjectId()];
  const hits = (projectId: ProjectId) =>
    Array.from({ length: 120 }, (_, index) =>
      aHit({ projectId, id: `h-${index}`, kind: index % 2 === 0 ? 'visit' : 'open' }),
    );
  await record([...hits(gone), ...hits(kept)]);
  await hitRemoval(stores.client, tables.analytics).removeHits(gone);
  const { analytics = [] } = await stores.rows();
  const rowsOf = (projectId: string) => analytics.filter(({ pk }) => pk.includes(projectId));
  expect(rowsOf(gone)).toEqual([]);
  expect(rowsOf(kept).length).toBeGreaterThan(0);
  expect((await reader().counts(kept, since)).totals).toMatchObject({ visits: 60, opens: 60 });
  await hitRemoval(stores.client, tables.analytics).removeHits(gone);
});

describe('one visitor', () => {
  const network = '00000000000000aa';
  const many = (count: number, changes: Partial<Hit>) =>
    Array.from({ length: count }, (_, index) =>
      aHit({
        id: `v-${index}`,
        visitor: index.toString(16).padStart(16, '0'),
        network,
        ...changes,
      }),
    );
  const planVisits = async (ownerId: AccountId) => (await months().get(ownerId, '2026-03')).visits;

  test('adds at most 60 visits of a project in an hour to the plan, for concurrent and repeated batches', async () => {
    const [projectId, ownerId] = [aProjectId(), anOwner()];
    const hits = many(140, { projectId, ownerId });
    const deliveries = [hits.slice(0, 80), hits, hits.toReversed(), hits.slice(40, 120), hits];
    await Promise.all(deliveries.map(record));
    expect(await planVisits(ownerId)).toBe(60);
    expect((await reader().counts(projectId, since)).totals.visits).toBe(140);
    const all = { projectId, kind: 'visit', before: '~', limit: 500 } as const;
    const { hits: kept } = await reader().newest(all);
    expect(kept).toHaveLength(140);
    expect(kept.filter(({ reason }) => reason === 'excess')).toHaveLength(80);

    await record(many(1, { projectId, ownerId, network: '00000000000000bb', id: 'other' }));
    await record(many(1, { projectId, ownerId, id: 'later', at: '2026-03-01T13:00:00.000Z' }));
    expect(await planVisits(ownerId)).toBe(62);
  });

  test.each([
    ['the first row', 10, 'all'],
    ['the row of a part', 40, '2'],
    ['a row of its own', 400, network],
  ])(
    'is capped in %s of its day, after %d other networks',
    async (_, others, row) => {
      const [projectId, ownerId] = [aProjectId(), anOwner()];
      const visits = Array.from({ length: others }, (__, index) =>
        aHit({
          projectId,
          ownerId,
          id: `other-${index}`,
          network: index.toString(16).padStart(16, '0'),
        }),
      ).filter((hit) => hit.network !== network);
      await record(visits);
      const hits = many(100, { projectId, ownerId });
      const deliveries = [hits.slice(0, 80), hits, hits.toReversed(), hits.slice(40)];
      await Promise.all(deliveries.map(record));
      expect(await planVisits(ownerId)).toBe(60 + visits.length);
      const { analytics = [] } = await stores.rows();
      const days = analytics.filter(({ pk }) => pk.startsWith(`N#${ownerId}#`));
      expect(days.map(({ pk }) => pk.split('#')[2])).toContain(row);
      const ownRows = days.filter(({ pk }) => pk.endsWith(network));
      expect(ownRows).toHaveLength(row === network ? 1 : 0);
    },
    120_000,
  );

  test('is capped though another consumer counts it between judging and writing', async () => {
    const [projectId, ownerId] = [aProjectId(), anOwner()];
    const hits = many(80, { projectId, ownerId });
    let isFirst = true;
    const send = async (command: Parameters<typeof stores.client.send>[0]) => {
      // Packs are read after the networks were judged, and before their days are read to be written.
      if (isFirst && command instanceof QueryCommand) {
        isFirst = false;
        await record(hits.slice(0, 40));
      }
      return stores.client.send(command);
    };
    const client = { send } as unknown as typeof stores.client;
    const [batch] = groupHits(hits.slice(40));
    if (batch !== undefined)
      expect(await recordBatch(hitTable(client, tables, soonAfter), batch)).toEqual([]);
    expect(isFirst).toBe(false);
    expect(await planVisits(ownerId)).toBe(60);
  });

  test('shares the row of a day with 31 others, which has less than a kilobyte', async () => {
    const ownerId = anOwner();
    const projects = Array.from({ length: 3 }, aProjectId);
    const networks = Array.from({ length: 32 }, () => randomUUID().replaceAll('-', '').slice(16));
    for (const [index, projectId] of projects.entries()) {
      await record(
        networks.map((one) =>
          aHit({
            projectId,
            ownerId,
            id: `${index}-${one}`,
            network: one,
            at: `2026-03-01T1${index}:00:00.000Z`,
          }),
        ),
      );
    }
    const { analytics = [] } = await stores.rows();
    const days = analytics.filter(({ pk }) => pk.startsWith(`N#${ownerId}#`));
    expect(days.map(({ pk }) => pk)).toEqual([`N#${ownerId}#all`]);
    expect(itemBytes(days[0] ?? {})).toBeLessThan(1024);
  });

  test('adds at most 300 in a day over all projects of an account', async () => {
    const ownerId = anOwner();
    const projects = Array.from({ length: 6 }, aProjectId);
    const of = (projectId: ProjectId) => many(60, { projectId, ownerId });
    await Promise.all(projects.map((projectId) => record(of(projectId))));
    expect(await planVisits(ownerId)).toBe(300);
    const [first = aProjectId()] = projects;
    await record(
      many(1, { projectId: first, ownerId, id: 'next', at: '2026-03-02T00:00:00.000Z' }),
    );
    expect(await planVisits(ownerId)).toBe(301);
  });

  test('is capped while eight writers count the projects of an account, and each visit counts', async () => {
    const ownerId = anOwner();
    const projects = Array.from({ length: 24 }, aProjectId);
    const visits = (projectId: ProjectId) => [
      ...many(20, { projectId, ownerId }),
      aHit({ projectId, ownerId, id: 'other', network: '00000000000000bb' }),
    ];
    const writers = Array.from({ length: 8 }, (_, writer) =>
      projects.filter((__, index) => index % 8 === writer),
    );
    await Promise.all(
      writers.map(async (own) => {
        for (const projectId of own) await record(visits(projectId));
      }),
    );
    expect(await planVisits(ownerId)).toBe(300 + 24);
    const counts = await Promise.all(projects.map((id) => reader().counts(id, since)));
    expect(counts.map(({ totals }) => totals.visits)).toEqual(Array(24).fill(21));
  }, 120_000);

  test('adds at most a thousand rows a day, with any user agent; visits are still counted', async () => {
    const [projectId, ownerId] = [aProjectId(), anOwner()];
    await record(many(700, { projectId, ownerId }));
    const programs = many(700, { projectId, ownerId, userAgent: 'curl/8.0' });
    await record(programs.map((hit) => ({ ...hit, id: `program-${hit.id}` })));
    await record(many(90, { projectId, ownerId, at: '2026-03-01T14:00:00.000Z' }));
    const { analytics = [] } = await stores.rows();
    const rows = analytics.filter(
      ({ pk, sk }) => pk.includes(projectId) && sk.startsWith('VISITS#'),
    );
    expect(rows.reduce((sum, { count }) => sum + Number(count), 0)).toBe(1000);
    expect((await reader().counts(projectId, since)).totals.visits).toBe(790);
    expect(await planVisits(ownerId)).toBe(60);
  });
});

test('every row has a TTL', async () => {
  await record([aHit({ projectId: aProjectId() })]);
  const month = { accountId: anOwner(), month: '2026-03' };
  await months().recordStep(month, { mark: 'at80', limit: 5, events: [] });
  const { analytics = [] } = await stores.rows();
  for (const row of analytics) expect(row).toMatchObject({ ttl: expect.any(Number) });
});

test('a mark of a month is set once for a limit, by one of many writers, and again for a higher limit', async () => {
  const owner = anOwner();
  const month = { accountId: owner, month: '2026-03' };
  const note = (limit: number) => months().recordStep(month, { mark: 'at80', limit, events: [] });
  const made = await Promise.all(Array.from({ length: 20 }, () => note(100)));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await note(50)).toBe(false);
  expect(await note(200)).toBe(true);
  expect((await months().get(owner, '2026-03')).notified).toEqual({ at80: 200 });
});
