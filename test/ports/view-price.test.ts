import { readFileSync, writeFileSync } from 'node:fs';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hitTable } from '../../adapters/dynamodb/hits/hit-table.ts';
import { visitMonths } from '../../adapters/dynamodb/hits/visit-months.ts';
import { AccountId, ProjectId } from '../../contract/fields.ts';
import { defaultPlans } from '../../contract/plans.ts';
import { countHits } from '../../core/analytics/count-hits.ts';
import type { Hit } from '../../core/analytics/hit.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import { memoryCounters } from '../fixtures/memory-counters.ts';
import { aCaller, aProject } from '../fixtures/projects/a-project.ts';
import { countingClient } from '../fixtures/visits/counting-client.ts';
import { soonAfter } from '../fixtures/visits/counted-hits.ts';
import { aHit } from '../fixtures/visits/hits.ts';
import { callWaits, invocationMs, priceOf, secondsPrice } from '../fixtures/visits/price-of.ts';

const document = 'docs/cost.md';
const gateMegabytes = memoryOf('Gate');
const counterMegabytes = memoryOf('HitCounter');

/** What the reviewed template gives a function. */
function memoryOf(id: string): number {
  const snapshot = readFileSync('test/infra/__snapshots__/snapshot.test.ts.snap', 'utf8');
  const fn = new RegExp(`"${id}[0-9A-F]{8}": \\{[\\s\\S]*?"MemorySize": (\\d+)`).exec(snapshot);
  return Number(fn?.[1]);
}

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

/** How many views of one project, each with its open, one delivery has; each of another network. */
const deliveries = [1, 10, 100] as const;

/** A fixed text in the place of random ids: the partitions of hits follow from them. */
const hex = (number: number, length: number) => number.toString(16).padStart(length, '0');

function viewsWithOpens(count: number): Hit[] {
  const projectId = ProjectId.parse(`0b7e4c1a-5f60-4c39-9d0e-${hex(count, 12)}`);
  const ownerId = AccountId.parse(`6f0c9a11-0b7e-4c1a-8f60-${hex(count, 12)}`);
  return Array.from({ length: count }, (_, index) => {
    const at = `2026-03-01T12:00:${String(Math.floor((index * 20) / count)).padStart(2, '0')}.000Z`;
    const who = { network: hex(index + 1, 16), visitor: hex(index + 4096, 16), country: 'DE' };
    const of = { projectId, ownerId, at, ...who };
    const id = `${hex(index, 8)}-5f60-4c39-9d0e-2f1a6f0c9a11`;
    return [aHit({ ...of, id }), aHit({ ...of, id: `o${id}`, kind: 'open' })];
  }).flat();
}

/** Counts the hits of one delivery, as the function does, and tells what it used for one view and its open. */
async function countOnce(count: number) {
  const counting = countingClient(stores.client);
  const { client } = counting;
  const hits = viewsWithOpens(count);
  const read = (TableName: string, Key: Record<string, string>) =>
    client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  const { projectId: id, ownerId } = hits[0] ?? aHit();
  const project = aProject({ id, ownerId });
  const failed = await countHits(
    {
      hits: hitTable(client, tables, soonAfter),
      months: visitMonths(client, tables),
      projects: {
        async get(id) {
          await read(tables.projects, { pk: `P#${id}`, sk: 'PROJECT' });
          return project;
        },
        getVersion: async () => undefined,
      },
      accounts: {
        async get(id) {
          await read(tables.accounts, { pk: `A#${id}`, sk: 'ACCOUNT' });
          return aCaller().account;
        },
      },
      webhooks: { list: async () => [] },
      counters: memoryCounters(),
      owned: { change: async () => 'changed', list: async () => [] },
      plans: defaultPlans,
      notices: { note: async () => undefined },
      shareLinks: { find: async () => undefined },
      linkOpens: { removeLink: async () => undefined },
      mailer: { sendMonthlyNotice: async () => undefined },
      edge: { purge: async () => undefined, purgeAfterDelay: async () => undefined },
      onFailure: (_, error) => {
        throw error;
      },
      now: () => new Date('2026-03-01T12:00:30.000Z'),
    },
    hits,
  );
  expect(failed.size).toBe(0);
  return { count, used: counting.used(), calls: counting.calls() };
}

type Delivery = Awaited<ReturnType<typeof countOnce>>;

/** Dollars a million by item, each from the counted units. */
function items({ count, used, calls }: Delivery): [string, number][] {
  const [read, write] = [priceOf('DynamoDB read units'), priceOf('DynamoDB write units')];
  const sqs = priceOf('SQS requests');
  // Lambda receives and deletes up to ten messages with one request.
  const perRequest = Math.min(10, 2 * count);
  const gateMs = invocationMs('gate', gateMegabytes, {
    waits: callWaits.DynamoDB + callWaits.SQS,
  });
  const counterMs = invocationMs('hitCounter', counterMegabytes, {
    waits: calls * callWaits.DynamoDB,
    furtherHits: 2 * count - 1,
  });
  return [
    [
      'CloudFront: two requests, two runs of the edge function',
      2 * (priceOf('CloudFront requests') + priceOf('CloudFront functions')),
    ],
    ['Two requests of the gate', 2 * priceOf('Lambda requests')],
    ['Its time', 2 * secondsPrice(gateMs, gateMegabytes)],
    // The one of the open is not strongly consistent.
    ['Its two reads of the serving record', 1.5 * read],
    ['The queue: sent, received, deleted', 2 * sqs * (1 + 2 / perRequest)],
    [
      'The counter: its request and its time',
      (priceOf('Lambda requests') + secondsPrice(counterMs, counterMegabytes)) / count,
    ],
    ['The counter: its reads', (used.reads * read) / count],
    ['Days of networks', (used.networks * write) / count],
    ['Totals of the project, month of the account', (used.totals * write) / count],
    ['The hits themselves', (used.blocks * write) / count],
  ];
}

function priceOfPair(delivery: Delivery): number {
  return items(delivery).reduce((sum, [, price]) => sum + price, 0);
}

function section(counted: readonly Delivery[]): string {
  const columns = counted.map(items);
  const rows = (columns[0] ?? []).map(([name], row) => {
    const cells = columns.map((column) => (column[row]?.[1] ?? 0).toFixed(2));
    return `| ${name} | ${cells.join(' | ')} |`;
  });
  const sums = counted.map((delivery) => priceOfPair(delivery).toFixed(2));
  const heads = counted.map(({ count }) => (count === 1 ? 'alone' : `${count} together`));
  return [
    '## A page view and its open',
    '',
    'The tables above count each request alone. The counter collects hits for 20 seconds, so that a view and its open, and those of one project, share its work. In dollars a million pairs of a view that the edge asks about and its open: one pair alone in a delivery, and more pairs of one project in one, each of another network. `test/ports/view-price.test.ts` counts the units and compares this table.',
    '',
    `| | ${heads.join(' | ')} |`,
    `|---|${'---|'.repeat(heads.length)}`,
    ...rows,
    `| Together | ${sums.join(' | ')} |`,
    '',
    '',
  ].join('\n');
}

test('docs/cost.md has what a view and its open cost, alone and together', async () => {
  const counted: Delivery[] = [];
  for (const count of deliveries) counted.push(await countOnce(count));
  // The goal of docs/decisions/0122.
  expect(counted.at(-1)?.count).toBe(100);
  expect(counted.map(priceOfPair).at(-1)).toBeLessThanOrEqual(4.5);
  const written = readFileSync(document, 'utf8');
  const start = written.indexOf('## A page view and its open\n');
  const from = start < 0 ? written.indexOf('## Three months\n') : start;
  const to = start < 0 ? from : written.indexOf('\n## ', start) + 1;
  if (process.env['UPDATE_COST'] === '1') {
    writeFileSync(document, written.slice(0, from) + section(counted) + written.slice(to));
    return;
  }
  expect(written.slice(from, to)).toBe(section(counted));
});
