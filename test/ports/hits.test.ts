import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { hitTable } from '../../adapters/dynamodb/hits/hit-table.ts';
import { AccountId, ProjectId } from '../../contract/fields.ts';
import { capVisits, hourSlot, networkCaps } from '../../core/analytics/cap-visits.ts';
import { groupHits, type HitBatch } from '../../core/analytics/hit-batches.ts';
import type { HitStore } from '../../core/analytics/ports.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import { soonAfter } from '../fixtures/visits/counted-hits.ts';
import { aHit } from '../fixtures/visits/hits.ts';
import { memoryHits } from '../fixtures/visits/memory-hits.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const network = '0123456789abcdef';

describe.each<[string, () => HitStore]>([
  ['DynamoDB', () => hitTable(stores.client, tables, soonAfter)],
  ['memory', () => memoryHits().store],
])('hits in %s', (_, implementation) => {
  let hits: HitStore;
  let of: { projectId: ProjectId; ownerId: AccountId };
  beforeEach(() => {
    hits = implementation();
    of = { projectId: ProjectId.parse(randomUUID()), ownerId: AccountId.parse(randomUUID()) };
  });

  /** A batch of visits with these ids, in one minute of one network. */
  function batchOf(ids: string[]): HitBatch {
    const [batch] = groupHits(ids.map((id) => aHit({ ...of, network, id })));
    if (batch === undefined) throw new Error('there is no batch');
    return batch;
  }
  const ids = (count: number, name: string) =>
    Array.from({ length: count }, (__, at) => `${name}-${at}`);
  const capped = async (batch: HitBatch) => capVisits(batch, await hits.networkDays(batch));
  const dayOf = async (batch: HitBatch) => (await hits.networkDays(batch)).get(network);

  test('add to the day of their network', async () => {
    const batch = batchOf(ids(3, 'a'));
    expect(await hits.write(await capped(batch))).toBeUndefined();
    expect(await dayOf(batch)).toEqual({ counted: 3, kept: 3, slots: { [hourSlot(batch)]: 3 } });
  });

  test('are refused with those that are stored already, and none of them is written', async () => {
    const first = batchOf(['a', 'b']);
    await hits.write(await capped(first));
    const again = batchOf(['b', 'c']);
    const refused = await hits.write(await capped(again));
    expect([...(refused?.kept ?? [])]).toEqual([expect.stringContaining('b')]);
    expect(await dayOf(first)).toMatchObject({ counted: 2, kept: 2 });
    expect(await hits.write(await capped(batchOf(['c'])))).toBeUndefined();
  });

  test('are refused without a name when others have used what the caps had left', async () => {
    const [early, late] = [batchOf(ids(networkCaps.slot, 'a')), batchOf(ids(2, 'b'))];
    const beforeOthers = await capped(late);
    expect(await hits.write(await capped(early))).toBeUndefined();
    expect(await hits.write(beforeOthers)).toEqual({ kept: new Set() });
    expect(await hits.write(await capped(late))).toBeUndefined();
    expect(await dayOf(late)).toEqual({
      counted: networkCaps.slot,
      kept: networkCaps.slot + 2,
      slots: { [hourSlot(late)]: networkCaps.slot },
    });
  });
});
