import { randomUUID } from 'node:crypto';
import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hitTable } from '../../../adapters/dynamodb/hits/hit-table.ts';
import { ProjectId } from '../../../contract/fields.ts';
import { groupHits } from '../../../core/analytics/hit-batches.ts';
import type { Hit } from '../../../core/analytics/hit.ts';
import { describeOpens } from '../../../core/analytics/project-opens.ts';
import { recordBatch } from '../../../core/analytics/count-hits.ts';
import { instant, plusSeconds } from '../../../core/instants.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { readerOf } from '../../fixtures/visits/counted-hits.ts';
import { aHit } from '../../fixtures/visits/hits.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const aProjectId = () => ProjectId.parse(randomUUID());
const weekSeconds = 7 * 86_400;
const start = new Date('2026-03-02T22:00:00.000Z');
const minute = (number: number) => plusSeconds(start, number * 60);
/** No hit is late then. */
const onTime = start;

type Command = Parameters<DynamoDBDocumentClient['send']>[0];

/** Counts hits as the function does at that time. */
async function count(hits: readonly Hit[], now: Date): Promise<void> {
  const table = hitTable(stores.client, tables, () => now);
  for (const batch of groupHits(hits)) expect(await recordBatch(table, batch)).toEqual([]);
}

/** What an owner gets at that time; `client` may do something else meanwhile. */
async function figures(projectId: ProjectId, now: Date, client = stores.client) {
  const since = plusSeconds(now, -weekSeconds);
  const { latestOpens, ...counts } = await readerOf(client, () => now).summary(projectId, {
    since,
    latest: 10,
  });
  return describeOpens(counts, latestOpens, now);
}

/** A client that does something before a call. */
function before(isIt: (command: Command) => boolean, meanwhile: () => Promise<void>) {
  let isFirst = true;
  const send = async (command: Command) => {
    if (isFirst && isIt(command)) {
      isFirst = false;
      await meanwhile();
    }
    return stores.client.send(command);
  };
  return { send } as unknown as DynamoDBDocumentClient;
}

const isRollup = (command: Command) => command instanceof PutCommand;
const readsPacks = (command: Command) => JSON.stringify(command.input).includes('VISITS#');

/** A visit and an open in each of so many minutes. */
function hitsIn(projectId: ProjectId, minutes: number): Hit[] {
  return Array.from({ length: minutes }, (_, number) => {
    const at = instant(minute(number));
    const of = { projectId, at, network: '00000000000000aa', country: 'NO' };
    return [aHit({ ...of, id: `v${number}` }), aHit({ ...of, kind: 'open', id: `o${number}` })];
  }).flat();
}

const rowsOf = async (projectId: string) =>
  ((await stores.rows())['analytics'] ?? []).filter(({ pk }) => pk.includes(projectId));
/** The rollups of the days from the first hit on; the days before have an empty one each. */
const rollupsOf = async (projectId: string) =>
  (await rowsOf(projectId)).filter(({ sk }) => /^COUNT#2026-03-0[2-9]#ROLLUP$/.test(sk));

/** Read units and calls of one view. */
async function costOf(projectId: ProjectId, now: Date) {
  const used = { units: 0, calls: 0, writes: 0 };
  const send = async (command: Command) => {
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
    const answer: object = await stores.client.send(command);
    const { ConsumedCapacity = [] } = answer as { ConsumedCapacity?: object | object[] };
    used.calls += 1;
    if (command instanceof PutCommand) used.writes += 1;
    for (const one of [ConsumedCapacity].flat() as { CapacityUnits?: number }[]) {
      used.units += command instanceof PutCommand ? 0 : (one.CapacityUnits ?? 0);
    }
    return answer;
  };
  await figures(projectId, now, { send } as unknown as DynamoDBDocumentClient);
  return used;
}

describe('rollups', () => {
  test('a second view reads the rollups in the place of the packs', async () => {
    const projectId = aProjectId();
    await count(hitsIn(projectId, 240), onTime);
    const now = minute(300);
    const first = await costOf(projectId, now);
    const second = await costOf(projectId, now);
    expect(first.writes).toBe(8);
    expect(second.writes).toBe(0);
    expect(second.units).toBeLessThan(first.units / 2);
    expect(second.calls).toBe(5);
    expect(await figures(projectId, now)).toMatchObject({
      visits: { total: 240, last24h: 240, last7d: 240 },
      opens: { total: 240, last24h: 240, last7d: 240 },
    });
  });

  test('packs of bots, in which nothing counts, are not read again either', async () => {
    const projectId = aProjectId();
    const hits = hitsIn(projectId, 240).filter(({ kind }) => kind === 'visit');
    await count(
      hits.map((hit) => ({ ...hit, userAgent: 'Googlebot/2.1' })),
      onTime,
    );
    const now = minute(300);
    const first = await costOf(projectId, now);
    const second = await costOf(projectId, now);
    expect([first.writes, second.writes]).toEqual([8, 0]);
    expect(second.units).toBeLessThan(first.units);
    expect((await figures(projectId, now)).visits.total).toBe(0);
  });

  test('a project with few packs has none: reading them again is cheaper', async () => {
    const projectId = aProjectId();
    await count(hitsIn(projectId, 10), onTime);
    await figures(projectId, minute(300));
    expect(await rollupsOf(projectId)).toEqual([]);
  });

  test('a rollup has no minute that ended less than a quarter of an hour ago', async () => {
    const projectId = aProjectId();
    await count(hitsIn(projectId, 100), onTime);
    await figures(projectId, minute(100));
    // 100 minutes after 22:00, less 15: the rollup ends at 23:20.
    expect(await rollupsOf(projectId)).toMatchObject([{ until: 23 * 60 + 20 }]);
    expect(await figures(projectId, minute(100))).toMatchObject({ visits: { last7d: 100 } });
  });

  test('a rollup goes fifteen days after its day began', async () => {
    const projectId = aProjectId();
    await count(hitsIn(projectId, 60), onTime);
    await figures(projectId, minute(119));
    const [row] = await rollupsOf(projectId);
    expect(row?.['ttl']).toBe(Date.parse('2026-03-17T00:00:00.000Z') / 1000);
  });

  test('a late hit counts once, whether its minute was rolled up before or is later', async () => {
    const projectId = aProjectId();
    await count(hitsIn(projectId, 60), onTime);
    const late = (id: string) =>
      aHit({ projectId, id, at: instant(minute(7)), network: '00000000000000ab' });
    await count([late('before')], minute(70));
    await figures(projectId, minute(90));
    expect(await rollupsOf(projectId)).toMatchObject([{ until: 23 * 60 + 10 }]);
    await count([late('after')], minute(95));
    await count([late('after')], minute(96));
    expect(await figures(projectId, minute(97))).toMatchObject({ visits: { last7d: 62 } });
    await count(hitsIn(projectId, 120).slice(120), minute(120));
    await figures(projectId, minute(200));
    expect(await figures(projectId, minute(201))).toMatchObject({ visits: { last7d: 122 } });
  });

  test.each([
    ['before the packs are read', readsPacks],
    ['after the packs are read', isRollup],
  ])('a late hit %s is in no rollup that lacks it', async (_, isIt) => {
    for (const isRolledBefore of [false, true]) {
      const projectId = aProjectId();
      await count(hitsIn(projectId, 60), onTime);
      if (isRolledBefore) await figures(projectId, minute(60));
      const late = aHit({ projectId, id: 'late', at: instant(minute(50)) });
      const meanwhile = () => count([late], minute(80));
      await count(hitsIn(projectId, 120).slice(120), onTime);
      await figures(projectId, minute(180), before(isIt, meanwhile));
      for (const now of [minute(181), minute(182)]) {
        expect(await figures(projectId, now)).toMatchObject({ visits: { last7d: 121 } });
      }
    }
  });

  test('a late hit that is the first of its partition is in no rollup that lacks it', async () => {
    const projectId = aProjectId();
    await count(hitsIn(projectId, 60), onTime);
    // A busy minute has room in no common pack: its further hits go to their own partitions.
    const busy = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, number) => {
        const id = `b${from + number}`;
        const network = (from + number).toString(16).padStart(16, '0');
        return aHit({ projectId, id, at: instant(minute(3)), network });
      });
    await count(busy(0, 200), onTime);
    const late = busy(200, 260);
    const meanwhile = () => count(late, minute(80));
    const readsTotals = (command: Command) => 'RequestItems' in command.input;
    await figures(projectId, minute(180), before(readsTotals, meanwhile));
    expect(await figures(projectId, minute(181))).toMatchObject({ visits: { last7d: 320 } });
  });

  test('of two readers at once, one writes', async () => {
    const projectId = aProjectId();
    await count(hitsIn(projectId, 60), onTime);
    await figures(
      projectId,
      minute(90),
      before(isRollup, async () => void (await figures(projectId, minute(100)))),
    );
    expect(await rollupsOf(projectId)).toMatchObject([{ revision: 1, until: 23 * 60 + 20 }]);
    expect(await figures(projectId, minute(101))).toMatchObject({ visits: { last7d: 60 } });
  });

  test('a reader that ends between two days leaves no gap', async () => {
    const projectId = aProjectId();
    await count(hitsIn(projectId, 240), onTime);
    let puts = 0;
    const send = async (command: Command) => {
      if (isRollup(command)) puts += 1;
      if (puts === 8) throw new Error('it ended here');
      return stores.client.send(command);
    };
    const ending = { send } as unknown as DynamoDBDocumentClient;
    await expect(figures(projectId, minute(300), ending)).rejects.toThrow('rollup');
    expect(await rollupsOf(projectId)).toHaveLength(1);
    expect(await figures(projectId, minute(301))).toMatchObject({ visits: { last7d: 240 } });
    expect(await rollupsOf(projectId)).toHaveLength(2);
    expect(await figures(projectId, minute(302))).toMatchObject({ visits: { last7d: 240 } });
  });
});

test('at any time, figures are those of all hits, however late they came', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ view: fc.constant(true) }) },
    {
      weight: 5,
      arbitrary: fc.record({
        /** Hits, in minutes before now. */
        ages: fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 20, maxLength: 60 }),
        kind: fc.constantFrom('visit', 'open'),
      }),
    },
    { weight: 3, arbitrary: fc.record({ minutes: fc.integer({ min: 1, max: 600 }) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const projectId = aProjectId();
      const counted: { at: Date; kind: string }[] = [];
      let now = plusSeconds(start, 10 * 86_400);
      for (const [number, one] of [...steps, { view: true }, { view: true }].entries()) {
        if ('minutes' in one) now = plusSeconds(now, one.minutes * 60);
        if ('ages' in one) {
          const hits = one.ages.map((age, index) => {
            const at = plusSeconds(now, -age * 60);
            const network = index.toString(16).padStart(16, '0');
            counted.push({ at, kind: one.kind });
            const { kind } = one;
            return aHit({ projectId, kind, network, id: `${number}-${index}`, at: instant(at) });
          });
          await count(hits, now);
        }
        if (!('view' in one)) continue;
        const shown = await figures(projectId, now);
        const expected = (kind: string, seconds: number) => {
          const from = Math.floor(plusSeconds(now, -seconds).getTime() / 60_000) * 60_000;
          return counted.filter((hit) => hit.kind === kind && hit.at.getTime() >= from).length;
        };
        for (const [kind, { total, last24h, last7d }] of [
          ['visit', shown.visits],
          ['open', shown.opens],
        ] as const) {
          expect({ total, last24h, last7d }).toEqual({
            total: counted.filter((hit) => hit.kind === kind).length,
            last24h: expected(kind, 86_400),
            last7d: expected(kind, weekSeconds),
          });
        }
      }
    }),
    { numRuns: proofSize({ short: 12, whole: 25 }), endOnFailure: true },
  );
}, 600_000);
