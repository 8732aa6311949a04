import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { abuseReportTable } from '../../adapters/dynamodb/abuse-report-table.ts';
import { ProjectId } from '../../contract/fields.ts';
import { type AbuseReports, maxStoredReports } from '../../core/abuse/abuse-reports.ts';
import { instant, plusSeconds } from '../../core/instants.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import { proofSize } from '../fixtures/proof-size.ts';
import { now } from '../fixtures/visits/a-site.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let reports: AbuseReports;
// Each test has a list of its own.
beforeEach(async () => {
  stores = await localStores();
  reports = abuseReportTable(stores.client, tables.projects);
});
afterEach(() => stores.close());

const aProjectId = () => ProjectId.parse(randomUUID());
const at = (seconds: number) => instant(plusSeconds(now, seconds));
const report = (projectId: ProjectId, seconds: number, message = 'x') =>
  reports.add({
    projectId,
    at: at(seconds),
    host: 'demo.sites.test',
    reason: 'phishing',
    message,
  });
const open = (more: { limit?: number; after?: string | undefined } = {}) =>
  reports.list({ state: 'open', limit: 20, reports: 1000, ...more });
const nothingWrong = (seconds: number) => ({
  outcome: 'nothing-wrong' as const,
  reason: 'A joke.',
  at: at(seconds),
});

/** Stores for each of these projects what a report of it leaves, with the rows of one: fifty have the same time. */
async function reportedOnce([first, ...others]: ProjectId[]): Promise<void> {
  if (first === undefined) return;
  await report(first, 1);
  const { Items = [] } = await stores.client.send(new ScanCommand({ TableName: tables.projects }));
  const rows = JSON.stringify(Items.filter((row) => JSON.stringify(row).includes(first)));
  const copies = others.flatMap((id, n): object[] =>
    JSON.parse(rows.replaceAll(first, id).replaceAll(at(1), at(1 + 50 * Math.floor(n / 50)))),
  );
  for (let from = 0; from < copies.length; from += 25) {
    const requests = copies.slice(from, from + 25).map((Item) => ({ PutRequest: { Item } }));
    const RequestItems = { [tables.projects]: requests };
    await stores.client.send(new BatchWriteCommand({ RequestItems }));
  }
}

test('a thousand reports of one site are one row of the list, twenty texts and a number', async () => {
  const [phishing, innocent] = [aProjectId(), aProjectId()];
  await report(phishing, 0, 'It asks for my card.');
  const flood = 1025;
  await Promise.all(Array.from({ length: flood }, () => report(innocent, 1, 'junk')));
  const { projects, next } = await open();
  expect(next).toBeUndefined();
  expect(projects.map(({ projectId, received }) => [projectId, received])).toEqual([
    [phishing, 1],
    [innocent, flood],
  ]);
  expect(projects[0]?.reports.map(({ message }) => message)).toEqual(['It asks for my card.']);
  expect(projects[1]?.reports).toHaveLength(maxStoredReports);
  // One decision ends it, and what comes later is a new row.
  expect(await reports.resolve(innocent, flood, nothingWrong(2))).toBe(flood);
  expect((await open()).projects.map(({ projectId }) => projectId)).toEqual([phishing]);
  await report(innocent, 3, 'later');
  expect((await open()).projects[1]).toMatchObject({
    projectId: innocent,
    handled: flood,
    received: flood + 1,
    openSince: at(3),
    reports: [{ message: 'later', number: flood + 1 }],
  });
});

test('reports of many sites leave the oldest one first, and each is on one page', async () => {
  const real = aProjectId();
  await report(real, 0, 'It asks for my card.');
  const others = Array.from({ length: proofSize({ short: 300, whole: 10_000 }) }, aProjectId);
  await reportedOnce(others);
  const fresh = aProjectId();
  await report(fresh, 86_400);
  const found: string[] = [];
  for (let after: string | undefined, isLast = false; !isLast; ) {
    const { projects, next } = await open({ after });
    found.push(...projects.map(({ projectId }) => projectId));
    after = next;
    isLast = next === undefined;
  }
  expect(found).toHaveLength(others.length + 2);
  expect(new Set(found)).toEqual(new Set([real, ...others, fresh]));
  expect([found[0], found.at(-1)]).toEqual([real, fresh]);
  // An instant is a place in the list too.
  const since = await open({ after: at(86_400) });
  expect(since.projects.map(({ projectId }) => projectId)).toEqual([fresh]);
});

test('a decision resolves what was open when the list was read, and once only', async () => {
  const projectId = aProjectId();
  for (const message of ['a', 'b', 'c']) await report(projectId, 0, message);
  const [read] = (await open()).projects;
  expect(read?.received).toBe(3);
  await report(projectId, 5, 'd');
  const decide = () => reports.resolve(projectId, 3, nothingWrong(10));
  expect((await Promise.all([decide(), decide()])).toSorted()).toEqual([0, 3]);
  expect(await decide()).toBe(0);
  expect(await reports.resolve(projectId, 5, nothingWrong(10))).toBe(0);
  expect((await open()).projects).toEqual([
    expect.objectContaining({
      handled: 3,
      received: 4,
      reports: [expect.objectContaining({ message: 'd', number: 4 })],
    }),
  ]);
  await Promise.all([
    ...Array.from({ length: 30 }, () => report(projectId, 11)),
    reports.resolve(projectId, 4, nothingWrong(12)),
  ]);
  expect(await reports.findOpen(projectId)).toMatchObject({ handled: 4, received: 34 });
  const resolved = await reports.list({ state: 'resolved', limit: 20, reports: 5 });
  expect(
    resolved.projects.map((one) => [one.resolution?.at, one.reports.map((of) => of.message)]),
  ).toEqual([
    [at(12), ['d']],
    [at(10), ['c', 'b', 'a']],
  ]);
});

test('nothing is resolved that does not exist', async () => {
  expect(await reports.resolve(aProjectId(), 1, nothingWrong(0))).toBe(0);
  expect(await reports.findOpen(aProjectId())).toBeUndefined();
});
