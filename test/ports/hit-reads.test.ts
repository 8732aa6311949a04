import { randomUUID } from 'node:crypto';
import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hitTable } from '../../adapters/dynamodb/hits/hit-table.ts';
import { AccountId, ProjectId } from '../../contract/fields.ts';
import { capVisits, networkCaps } from '../../core/analytics/cap-visits.ts';
import { recordBatch } from '../../core/analytics/count-hits.ts';
import { groupHits } from '../../core/analytics/hit-batches.ts';
import type { Hit } from '../../core/analytics/hit.ts';
import { listProjectHits } from '../../core/analytics/hits-csv.ts';
import type { HitQuery } from '../../core/analytics/ports.ts';
import { plusSeconds } from '../../core/instants.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import { aCaller, aProject } from '../fixtures/projects/a-project.ts';
import { readerOf } from '../fixtures/visits/counted-hits.ts';
import { aHit } from '../fixtures/visits/hits.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const start = new Date('2026-03-01T00:00:00.000Z');
/** Hits of a project, one in each minute, each of another network. */
function inMinutes(count: number, hit: Partial<Hit>): Hit[] {
  return Array.from({ length: count }, (_, minute) =>
    aHit({
      ...hit,
      id: `${hit.id}-${minute}`,
      at: plusSeconds(start, minute * 60).toISOString(),
      network: minute.toString(16).padStart(16, '0'),
    }),
  );
}
const later = () => plusSeconds(start, 86_400);
const someone = () => ({
  projectId: ProjectId.parse(randomUUID()),
  ownerId: AccountId.parse(randomUUID()),
});
const table = () => hitTable(stores.client, tables, later);
async function record(hits: Hit[]) {
  for (const batch of groupHits(hits)) expect(await recordBatch(table(), batch)).toEqual([]);
}

/** A client that counts the blocks that queries for the newest hits read. */
function blockCounter() {
  const read = { blocks: 0 };
  const send = async (command: Parameters<DynamoDBDocumentClient['send']>[0]) => {
    const answer = await stores.client.send(command);
    if (command instanceof QueryCommand && command.input.ScanIndexForward === false) {
      read.blocks += (answer as { Items?: unknown[] }).Items?.length ?? 0;
    }
    return answer;
  };
  return { read, reader: readerOf({ send } as unknown as DynamoDBDocumentClient, later) };
}

test('the latest opens are looked for in a limited number of blocks, however often the owner opened the project', async () => {
  const of = someone();
  await record([
    aHit({ ...of, kind: 'open', id: 'old', at: start.toISOString() }),
    ...inMinutes(200, { ...of, kind: 'open', id: 'own', isOwner: true }),
  ]);
  const { read, reader } = blockCounter();
  expect(await reader.latestOpens(of.projectId, 10)).toEqual([]);
  expect(read.blocks).toBeGreaterThanOrEqual(50);
  expect(read.blocks).toBeLessThanOrEqual(60);
  const newer = plusSeconds(start, 180 * 60).toISOString();
  await record([aHit({ ...of, kind: 'open', id: 'new', at: newer })]);
  expect(await reader.latestOpens(of.projectId, 10)).toMatchObject([{ id: 'new' }]);
});

test('minutes of which no visit is kept end a query early, and the next query continues there', async () => {
  const of = someone();
  const visits = inMinutes(300, { ...of, id: 'visit' });
  const isKept = (minute: number) => minute % 150 === 0;
  for (const [minute, visit] of visits.entries()) {
    for (const batch of groupHits([visit])) {
      const capped = capVisits({ ...batch, shard: minute % 2 }, new Map());
      const hits = capped.hits.map((hit) => ({ ...hit, isKept: isKept(minute) }));
      expect(await table().write({ ...capped, hits })).toBeUndefined();
    }
  }
  const found: string[] = [];
  let before: string | undefined = '~';
  let queries = 0;
  while (before !== undefined) {
    const { read, reader } = blockCounter();
    const query = { projectId: of.projectId, kind: 'visit', before, limit: 1 } as const;
    const { hits, readFrom } = await reader.newest(query);
    found.push(...hits.map(({ id }) => id));
    // Two partitions, of which each may be read to the end of a page.
    expect(read.blocks).toBeLessThanOrEqual(2 * 52);
    expect(readFrom ?? '').not.toBe(before);
    before = readFrom;
    queries += 1;
  }
  expect(found).toEqual(['visit-150', 'visit-0']);
  expect(queries).toBeGreaterThan(3);
});

test('a page of hits that ends early leads to the rest, without losing or repeating a row', async () => {
  const of = someone();
  const visits = inMinutes(90, { ...of, id: 'visit', path: '/a' });
  await record(visits);
  await record(visits.map((visit) => ({ ...visit, kind: 'open', id: `open-${visit.id}` })));
  const reader = readerOf(stores.client, later);
  const deps = {
    projects: { get: async () => aProject({ id: of.projectId }) },
    // As if the visits of each query filled its blocks after ten minutes.
    hits: {
      ...reader,
      newest: (query: HitQuery) =>
        reader.newest({ ...query, limit: query.kind === 'visit' ? 10 : query.limit }),
    },
  };
  const rows: string[] = [];
  let before: string | undefined;
  do {
    const page = await listProjectHits(deps, aCaller(), { ...of, limit: 40, before });
    rows.push(...page.csv.trim().split('\r\n').slice(1));
    before = page.next;
  } while (before !== undefined);
  expect(rows).toHaveLength(90);
  expect(rows.every((row) => row.includes(',open,'))).toBe(true);
});

test('a screen of the owner that reloads itself adds a limited number of rows, and all its opens count', async () => {
  const of = someone();
  const own = inMinutes(300, { ...of, kind: 'open', id: 'own', isOwner: true });
  await record(own.map((hit) => ({ ...hit, network: '00000000000000aa' })));
  const reader = readerOf(stores.client, later);
  const { hits } = await reader.newest({ ...of, kind: 'any-open', before: '~', limit: 1000 });
  expect(hits).toHaveLength(networkCaps.ownOpens);
  expect((await reader.counts(of.projectId, start)).totals.ownerOpens).toBe(300);
});
