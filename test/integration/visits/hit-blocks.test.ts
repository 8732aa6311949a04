import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hitTable } from '../../../adapters/dynamodb/hits/hit-table.ts';
import { visitMonths } from '../../../adapters/dynamodb/hits/visit-months.ts';
import { AccountId, ProjectId } from '../../../contract/fields.ts';
import { recordBatch } from '../../../core/analytics/count-hits.ts';
import { groupHits } from '../../../core/analytics/hit-batches.ts';
import type { Hit } from '../../../core/analytics/hit.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import type { LocalStores } from '../../fixtures/quota/world.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { readerOf, soonAfter } from '../../fixtures/visits/counted-hits.ts';
import { failing, interrupted } from '../../fixtures/visits/failing-clients.ts';
import { aHit } from '../../fixtures/visits/hits.ts';

let stores: LocalStores;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const aProjectId = () => ProjectId.parse(randomUUID());
const anOwner = () => AccountId.parse(randomUUID());
const since = new Date('2026-02-22T12:00:00.000Z');
const reader = () => readerOf(stores.client);
const record = async (hits: readonly Hit[], client = stores.client) => {
  const table = hitTable(client, tables, soonAfter);
  for (const batch of groupHits(hits)) expect(await recordBatch(table, batch)).toEqual([]);
};
const rowsOf = async (projectId: string) =>
  ((await stores.rows())['analytics'] ?? []).filter(({ pk }) => pk.includes(projectId));

describe('compressed hits', () => {
  test.each([
    ['begun', 0],
    ['changed', 5],
    ['filled', 20],
  ])(
    'of two consumers, one of which has %s the block of the other, all count once',
    async (_, before) => {
      const projectId = aProjectId();
      const network = '00000000000000aa';
      const some = (from: number, to: number) =>
        Array.from({ length: to - from }, (__, index) =>
          aHit({ projectId, network, id: `v-${from + index}` }),
        );
      await record(some(0, before));
      const meanwhile = () => record(some(before, before + 8));
      await record(some(before + 4, before + 12), interrupted(stores.client, meanwhile));
      const { totals } = await reader().counts(projectId, since);
      expect(totals.visits).toBe(before + 12);
      const { hits: found } = await reader().newest({
        projectId,
        kind: 'visit',
        before: '~',
        limit: 100,
      });
      expect(new Set(found.map(({ id }) => id)).size).toBe(before + 12);
      expect(found).toHaveLength(before + 12);
    },
  );

  test('of one network in one minute are one row, whose size hardly grows', async () => {
    const projectId = aProjectId();
    for (let index = 0; index < 10; index += 1) {
      await record([aHit({ projectId, id: `v-${index}`, network: '00000000000000aa' })]);
    }
    const rows = await rowsOf(projectId);
    const blocks = rows.filter(({ sk }) => sk.startsWith('VISITS#'));
    expect(blocks).toMatchObject([
      { sk: 'VISITS#2026-03-01T12:00#0000', count: 10, revision: 10, v0: 10 },
    ]);
    expect(rows.filter(({ sk }) => /^(?:VISIT|SEEN)#|^COUNT#2/.test(sk))).toEqual([]);
    const { minutes } = await reader().counts(projectId, since);
    expect(minutes).toEqual([{ at: new Date('2026-03-01T12:00:00.000Z'), visits: 10, opens: 0 }]);
  });

  test('begin another block when one is full, and a full block knows its hits', async () => {
    const projectId = aProjectId();
    const hits = Array.from({ length: 70 }, (_, index) =>
      aHit({ projectId, id: `v-${index}`, network: '00000000000000aa' }),
    );
    for (let at = 0; at < hits.length; at += 10) await record(hits.slice(at, at + 10));
    await record(hits.slice(0, 40));
    const blocks = (await rowsOf(projectId)).filter(({ sk }) => sk.startsWith('VISITS#'));
    expect(blocks.map(({ sk, count }) => [sk.slice(-4), count])).toEqual([
      ['0000', 30],
      ['0001', 30],
      ['0002', 10],
    ]);
    expect((await reader().counts(projectId, since)).totals.visits).toBe(70);
  });

  test('an open that arrives again within two minutes is one open', async () => {
    const projectId = aProjectId();
    const open = aHit({ projectId, kind: 'open', id: 'load-1', at: '2026-03-01T12:59:59.000Z' });
    await record([open]);
    await record([{ ...open, at: '2026-03-01T13:01:01.000Z' }]);
    await record([{ ...open, at: '2026-03-01T12:57:59.000Z' }]);
    expect((await reader().counts(projectId, since)).totals.opens).toBe(1);
  });
});

/** `count` visits and as many opens of one minute, each of another network. */
const aBusyMinute = (projectId: ProjectId, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const who = { projectId, network: (index + 1).toString(16).padStart(16, '0') };
    return [
      aHit({ ...who, id: `v-${index}` }),
      aHit({ ...who, id: `o-${index}`, kind: 'open' as const }),
    ];
  }).flat();
const partitionsOf = async (projectId: string, prefix: string) => {
  const rows = await rowsOf(projectId);
  return new Set(rows.filter(({ sk }) => sk.startsWith(prefix)).map(({ pk }) => pk.split('#')[2]));
};

describe('the hits of a project', () => {
  test('share one partition, whatever their networks: two blocks and one total', async () => {
    const projectId = aProjectId();
    await record(aBusyMinute(projectId, 20));
    const rows = (await rowsOf(projectId)).filter(({ sk }) => !sk.startsWith('NETWORK#'));
    expect(rows.map(({ pk, sk }) => `${pk.split('#')[2]} ${sk}`).toSorted()).toEqual([
      '0 COUNT#TOTAL',
      '0 OPENS#2026-03-01T12:00#0000',
      '0 VISITS#2026-03-01T12:00#0000',
    ]);
  });

  test('go on in eight partitions in a busy minute, each once over other orders and consumers', async () => {
    const projectId = aProjectId();
    const hits = aBusyMinute(projectId, 400);
    await Promise.all([record(hits.slice(0, 600)), record(hits.slice(400).toReversed())]);
    await Promise.all([record(hits), record(hits.toReversed())]);
    expect((await partitionsOf(projectId, 'VISITS#')).size).toBe(8);
    expect((await partitionsOf(projectId, 'OPENS#')).size).toBe(8);
    const { totals } = await reader().counts(projectId, since);
    expect(totals).toEqual({ visits: 400, opens: 400, ownerOpens: 0 });
    for (const kind of ['visit', 'open'] as const) {
      const { hits: found } = await reader().newest({ projectId, kind, before: '~', limit: 500 });
      expect(found).toHaveLength(400);
      expect(new Set(found.map(({ id }) => id)).size).toBe(400);
    }
  }, 120_000);

  test('count once if the first partition fills up while a consumer writes them', async () => {
    const projectId = aProjectId();
    const hits = aBusyMinute(projectId, 240).filter(({ kind }) => kind === 'visit');
    await record(hits.slice(0, 190));
    const meanwhile = async () => {
      await record(hits.slice(190, 215));
      await record(hits.slice(215));
    };
    await record(hits.slice(215, 225), interrupted(stores.client, meanwhile));
    expect((await partitionsOf(projectId, 'VISITS#')).size).toBeGreaterThan(1);
    expect((await reader().counts(projectId, since)).totals.visits).toBe(240);
  });

  test('an open of a busy minute that arrives again a minute later is one open', async () => {
    const projectId = aProjectId();
    await record(aBusyMinute(projectId, 260).filter(({ kind }) => kind === 'open'));
    const opens = ['a', 'b', 'c', 'd'].map((id) => aHit({ projectId, kind: 'open' as const, id }));
    await record(opens);
    expect((await partitionsOf(projectId, 'OPENS#')).size).toBeGreaterThan(1);
    await record(opens.map((open) => ({ ...open, at: '2026-03-01T12:01:09.000Z' })));
    expect((await reader().counts(projectId, since)).totals.opens).toBe(264);
  });
});

const hitCount = proofSize({ short: 40, whole: 120 });
const anyHit = fc.record({
  index: fc.nat({ max: hitCount - 1 }),
  fault: fc.constantFrom('before' as const, 'after' as const, undefined, undefined, undefined),
});

test('duplicates, other orders, two consumers and failures at every call count each hit once', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.array(anyHit, { minLength: 1, maxLength: 30 }), { minLength: 2, maxLength: 8 }),
    async (deliveries) => {
      const [projectId, ownerId] = [aProjectId(), anOwner()];
      const hits = Array.from({ length: hitCount }, (_, index) =>
        aHit({
          projectId,
          ownerId,
          kind: index % 4 === 3 ? 'open' : 'visit',
          id: `h-${index}`,
          network: (index % 5).toString(16).padStart(16, '0'),
          isOwner: index % 8 === 7,
          at: `2026-03-01T1${index % 3}:0${index % 7}:${10 + (index % 50)}.000Z`,
        }),
      );
      const deliver = async (wanted: (typeof deliveries)[number]) => {
        const client = failing(
          stores.client,
          wanted.map(({ fault }) => fault),
        );
        const some = wanted.flatMap(({ index }) => hits[index] ?? []);
        await record(some, client).catch(() => undefined);
      };
      for (let at = 0; at < deliveries.length; at += 2) {
        await Promise.all(deliveries.slice(at, at + 2).map(deliver));
      }
      // In the end, each is delivered without a failure.
      await Promise.all([record(hits), record(hits.toReversed())]);

      const visits = hits.filter(({ kind }) => kind === 'visit').length;
      const ownerOpens = hits.filter(({ kind, isOwner }) => kind === 'open' && isOwner).length;
      const opens = hits.length - visits - ownerOpens;
      const { totals, minutes } = await reader().counts(projectId, since);
      expect(totals).toEqual({ visits, opens, ownerOpens });
      expect(minutes.reduce((sum, minute) => sum + minute.visits, 0)).toBe(visits);
      expect(minutes.reduce((sum, minute) => sum + minute.opens, 0)).toBe(opens);
      const months = visitMonths(stores.client, tables);
      expect((await months.get(ownerId, '2026-03')).visits).toBe(visits);
      for (const [kind, count] of [
        ['visit', visits],
        ['open', opens],
        ['any-open', opens + ownerOpens],
      ] as const) {
        const { hits: found } = await reader().newest({ projectId, kind, before: '~', limit: 500 });
        expect(new Set(found.map(({ id }) => id)).size).toBe(count);
        expect(found).toHaveLength(count);
      }
    },
  );
  await fc.assert(property, { numRuns: proofSize({ short: 6, whole: 25 }) });
}, 300_000);
