import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hitTable } from '../../../adapters/dynamodb/hits/hit-table.ts';
import { ProjectId } from '../../../contract/fields.ts';
import { capVisits, type NetworkDay } from '../../../core/analytics/cap-visits.ts';
import { groupHits } from '../../../core/analytics/hit-batches.ts';
import type { Hit } from '../../../core/analytics/hit.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import type { LocalStores } from '../../fixtures/quota/world.ts';
import { readerOf, soonAfter } from '../../fixtures/visits/counted-hits.ts';
import { aHit } from '../../fixtures/visits/hits.ts';

let stores: LocalStores;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const network = '00000000000000aa';
const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const since = new Date('2026-02-22T12:00:00.000Z');
const aProjectId = () => ProjectId.parse(randomUUID());

/** Writes hits of a network that has stored so many hits of the day's thousand already. */
async function write(hits: readonly Hit[], kept = 0): Promise<void> {
  const day: NetworkDay = { counted: 0, kept, slots: {} };
  const table = hitTable(stores.client, tables, soonAfter);
  for (const batch of groupHits(hits)) {
    expect(await table.write(capVisits(batch, new Map([[network, day]])))).toBeUndefined();
  }
}

const rowsOf = async (projectId: string) =>
  ((await stores.rows())['analytics'] ?? []).filter(({ pk }) => pk.includes(projectId));
const packsOf = async (projectId: string) =>
  (await rowsOf(projectId)).filter(({ sk }) => /^(?:VISITS|OPENS)#/.test(sk));

async function storedIds(projectId: ProjectId): Promise<string[]> {
  const reader = readerOf(stores.client);
  const { hits: found } = await reader.newest({
    projectId,
    kind: 'visit',
    before: '~',
    limit: 100,
  });
  return found.map(({ id }) => id).toSorted();
}

async function countsOf(projectId: ProjectId) {
  return readerOf(stores.client).counts(projectId, since);
}

describe('a pack', () => {
  test.each(['visit', 'open'] as const)(
    'of a %s goes 90 days after the end of its minute, also when it grew later',
    async (kind) => {
      const projectId = aProjectId();
      const at = (second: number) => `2026-03-01T12:07:${String(second).padStart(2, '0')}.000Z`;
      for (const second of [1, 59]) {
        await write([aHit({ projectId, kind, network, id: `hit-${second}`, at: at(second) })]);
        const ends = Date.parse('2026-05-30T12:08:00.000Z') / 1000;
        const packs = await packsOf(projectId);
        expect(new Set(packs.map(({ ttl }) => ttl))).toEqual(new Set([ends]));
      }
    },
  );

  test('has no visit beyond the thousand of its network, and its minute counts it', async () => {
    const projectId = aProjectId();
    const hits = ['a', 'b', 'c'].map((id) => aHit({ projectId, network, id }));
    await write(hits, 998);
    expect(await packsOf(projectId)).toMatchObject([{ count: 2, v0: 3 }]);
    expect(await storedIds(projectId)).toHaveLength(2);
    const { totals, minutes } = await countsOf(projectId);
    expect(totals.visits).toBe(3);
    expect(minutes).toMatchObject([{ visits: 3 }]);
  });

  test('is begun by visits that are only counted', async () => {
    const projectId = aProjectId();
    await write([aHit({ projectId, network })], 1000);
    expect(await packsOf(projectId)).toMatchObject([{ count: 0, v0: 1 }]);
    expect(await storedIds(projectId)).toEqual([]);
    expect((await countsOf(projectId)).totals.visits).toBe(1);
  });

  test('is not begun by hits that are neither stored nor counted', async () => {
    const projectId = aProjectId();
    await write([aHit({ projectId, network, userAgent: crawler })], 1000);
    expect(await rowsOf(projectId)).toEqual([]);
    await write([aHit({ projectId, network, userAgent: crawler })], 999);
    expect(await packsOf(projectId)).toMatchObject([{ count: 1 }]);
    expect(await storedIds(projectId)).toEqual(['hit-1']);
    expect((await countsOf(projectId)).totals.visits).toBe(0);
  });
});
