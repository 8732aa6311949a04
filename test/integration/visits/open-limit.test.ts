import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hitsOfBlock } from '../../../adapters/dynamodb/hits/hit-blocks.ts';
import { hitTable } from '../../../adapters/dynamodb/hits/hit-table.ts';
import { ProjectId } from '../../../contract/fields.ts';
import { groupHits } from '../../../core/analytics/hit-batches.ts';
import type { Hit } from '../../../core/analytics/hit.ts';
import { recordBatch } from '../../../core/analytics/count-hits.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import type { LocalStores } from '../../fixtures/quota/world.ts';
import { readerOf, soonAfter } from '../../fixtures/visits/counted-hits.ts';
import { failing, type Fault, interrupted } from '../../fixtures/visits/failing-clients.ts';
import { aHit } from '../../fixtures/visits/hits.ts';

let stores: LocalStores;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const since = new Date('2026-02-22T12:00:00.000Z');
const aProjectId = () => ProjectId.parse(randomUUID());
const networkOf = (index: number) => index.toString(16).padStart(16, '0');
const record = async (hits: readonly Hit[], client = stores.client) => {
  const table = hitTable(client, tables, soonAfter);
  for (const batch of groupHits(hits)) expect(await recordBatch(table, batch)).toEqual([]);
};

/** Opens of one network in one minute. */
const opens = (projectId: ProjectId, count: number, network: number, from = 0) =>
  Array.from({ length: count }, (_, index) =>
    aHit({
      projectId,
      kind: 'open',
      id: `${network}-${from + index}`,
      network: networkOf(network),
      // What a visitor changes at will makes no other network.
      visitor: networkOf(0xffff + index),
    }),
  );
const packsOf = async (projectId: string) =>
  ((await stores.rows())['analytics'] ?? []).filter(
    ({ pk, sk }) => pk.includes(projectId) && sk.startsWith('OPENS#'),
  );
/** A binary value as the store shows it. */
const bytesOf = (value: unknown) => Buffer.from(String(value), 'base64');
const total = async (projectId: ProjectId) =>
  (await readerOf(stores.client).counts(projectId, since)).totals.opens;
/** Opens of a network that are stored; an id begins with the number of its network. */
async function storedOf(projectId: ProjectId, network: number): Promise<number> {
  const reader = readerOf(stores.client);
  const found = await reader.latestOpens(projectId, 2000);
  return found.filter(({ id }) => id.startsWith(`${network}-`)).length;
}

test('120 opens of a network in a minute count, over concurrent and repeated deliveries', async () => {
  const projectId = aProjectId();
  const all = opens(projectId, 180, 1);
  const others = opens(projectId, 10, 2);
  const deliveries = [all.slice(0, 90), all.slice(60), all.toReversed(), others, all];
  await Promise.all(deliveries.map((hits) => record(hits)));
  await record(all);
  expect([await storedOf(projectId, 1), await storedOf(projectId, 2)]).toEqual([120, 10]);
  expect(await total(projectId)).toBe(130);
});

test.each([
  ['begins the block', []],
  ['changes the block', [100, 10]],
  ['fills the block', [80, 10]],
])('a consumer that %s of another leaves it only the places that are left', async (_, sizes) => {
  const projectId = aProjectId();
  let before = 0;
  for (const size of sizes) {
    await record(opens(projectId, size, 1, before));
    before += size;
  }
  const meanwhile = () => record(opens(projectId, 115 - before, 1, before));
  await record(opens(projectId, 20, 1, 200), interrupted(stores.client, meanwhile));
  expect(await storedOf(projectId, 1)).toBe(120);
});

test('in a busy minute the limit counts the opens in the first partition too', async () => {
  const projectId = aProjectId();
  await record(opens(projectId, 70, 1));
  for (let network = 2; network < 5; network += 1) await record(opens(projectId, 50, network));
  // The minute has no more room now.
  await Promise.all([
    record(opens(projectId, 40, 1, 100)),
    record(opens(projectId, 40, 1, 120)),
    record(opens(projectId, 40, 9)),
  ]);
  expect(new Set((await packsOf(projectId)).map(({ pk }) => pk)).size).toBeGreaterThan(1);
  expect([await storedOf(projectId, 1), await storedOf(projectId, 9)]).toEqual([120, 40]);
});

test('the first partition fills up while a consumer writes: the limit holds', async () => {
  const projectId = aProjectId();
  await record(opens(projectId, 90, 1));
  const meanwhile = async () => {
    for (let network = 2; network < 5; network += 1) await record(opens(projectId, 60, network));
    await record(opens(projectId, 25, 1, 300));
  };
  await record(opens(projectId, 25, 1, 200), interrupted(stores.client, meanwhile));
  expect(await storedOf(projectId, 1)).toBe(120);
  expect(await total(projectId)).toBe(300);
});

test('a block says of its networks only three bytes each, in the order of their values', async () => {
  const [projectId, other] = [aProjectId(), aProjectId()];
  for (const id of [projectId, other]) {
    for (const network of [7, 3, 7, 5]) await record(opens(id, 1, network, Math.random()));
  }
  const [block, ofOther] = [await packsOf(projectId), await packsOf(other)].map(([first]) => first);
  const marks = bytesOf(block?.['networks']).toString('hex').match(/.{6}/g) ?? [];
  expect(marks).toHaveLength(4);
  expect(marks).toEqual(marks.toSorted());
  expect(new Set(marks).size).toBe(3);
  expect(bytesOf(ofOther?.['networks']).toString('hex')).not.toContain(marks[0]);
  const stored = await hitsOfBlock({ hits: bytesOf(block?.['hits']) });
  expect(JSON.stringify(stored)).not.toContain('network');
  expect(JSON.stringify(stored)).not.toContain(networkOf(7));
});

const networks = 3;
const anyDelivery = fc.array(
  fc.record({
    network: fc.nat({ max: networks - 1 }),
    first: fc.nat({ max: 150 }),
    count: fc.integer({ min: 1, max: 90 }),
    faults: fc.array(
      fc.constantFrom<Fault>('before', 'after', undefined, undefined, undefined, undefined),
      { maxLength: 12 },
    ),
  }),
  { minLength: 1, maxLength: 3 },
);

test('property: whatever is repeated, simultaneous or ends at any call, 120 of each network count', async () => {
  const property = fc.asyncProperty(
    fc.array(anyDelivery, { minLength: 1, maxLength: 5 }),
    async (rounds) => {
      const projectId = aProjectId();
      for (const deliveries of rounds) {
        await Promise.all(
          deliveries.map(({ network, first, count, faults }) => {
            const hits = opens(projectId, count, network, first);
            return record(hits, failing(stores.client, faults)).catch(() => undefined);
          }),
        );
      }
      const all = Array.from({ length: networks }, (_, network) => opens(projectId, 240, network));
      // In the end, each is delivered without a failure.
      await Promise.all([record(all.flat()), record(all.flat().toReversed())]);
      for (let network = 0; network < networks; network += 1) {
        expect(await storedOf(projectId, network)).toBe(120);
      }
      expect(await total(projectId)).toBe(networks * 120);
    },
  );
  await fc.assert(property, { numRuns: proofSize({ short: 5, whole: 25 }) });
}, 300_000);
