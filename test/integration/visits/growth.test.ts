import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AccountId, ProjectId } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../../core/instants.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { anEmail, get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, file, publishTo, somebody } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { importRows, type SeededRows } from '../../fixtures/clouds/table-import.ts';
import { claim, create, created } from '../../fixtures/projects/projects.ts';
import {
  accountRows,
  copyOf,
  projectRows,
  sampleReader,
  seededAccount,
  siteRows,
} from '../../fixtures/projects/seed.ts';
import { patch, push } from '../../fixtures/projects/versions.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { hitsOf, look, open } from '../../fixtures/visits/opens.ts';
import { hitRows, seededHits, type SeededHits } from '../../fixtures/visits/seed-hits.ts';

/** What an installation has beside a few projects. */
const full = { accounts: 1000, projects: 100_000, ofOneAccount: 10_000, minutesOfVisits: 9600 };
const sizes = {
  short: { accounts: 20, projects: 1000, ofOneAccount: 400, minutesOfVisits: 300 },
  whole: { accounts: 100, projects: 2000, ofOneAccount: 1000, minutesOfVisits: 600 },
};
const size = process.env['GROWTH'] === 'full' ? full : proofSize(sizes);
const fewProjects = 60;
const pageSize = 20;
const document = 'docs/scale.md';

const cloud = new LocalCloud('signInMailsPerHour=100');
const page = file('index.html', '<h1>Growth</h1><link rel="stylesheet" href="style.css">');
const files = [page, file('style.css', 'h1 { color: teal }')];

/** An account and a project of it that is visited. */
interface World {
  apiKey: string;
  ownerId: AccountId;
  projectId: ProjectId;
  url: string;
  /** Of the page that begins in the middle of its list. */
  cursor: string;
}

type Send = (world: World) => Promise<Answer>;

let few: World;
let many: World;
const pageOfHits: Send = ({ apiKey, projectId }) =>
  hitsOf(apiKey, projectId, '?limit=100', cloud.baseUrl);

/** What a request called, its capacity units, and the bytes of its response's body. */
interface Counted {
  cost: Record<string, number>;
  bytes: number;
}

/** Each request in a small installation and in a large one. */
const small = new Map<string, Counted>();
const large = new Map<string, Counted>();
let hits: Record<string, number>[] = [];
let analytics: { cost: Record<string, number>; body: unknown }[] = [];
let seeded = { visits: 0, opens: 0 };

const analyticsOf: Send = ({ apiKey, projectId }) =>
  get(`/v1/projects/${projectId}/analytics`, apiKey, cloud.baseUrl);

/** What a second look at analytics costs, and shows: the first one may make rollups. */
async function countAnalytics(world: World) {
  await analyticsOf(world);
  const { cost } = await count(world, analyticsOf);
  const { json } = await analyticsOf(world);
  return { cost, body: json.data };
}

beforeAll(async () => {
  await cloud.start();
  few = await aWorld();
  const copies = (world: World, count: number) => ({ count, ownerOf: () => world.ownerId });
  await fill(few, await copiesOf(few, copies(few, fewProjects)));
  few.cursor = await cursorIn(few, fewProjects);
  analytics = [await countAnalytics(few)];
  for (const [name, send] of Object.entries(requests))
    small.set(name, await count(few, send, name));
  hits = [(await count(few, pageOfHits)).cost];

  many = await aWorld();
  const account = await sampleReader(cloud.stateDir).account(many.ownerId);
  const ownerOf = (number: number) => seededAccount(number % size.accounts);
  await fill(many, [
    { table: 'ACCOUNTS', rows: accountRows(account, size.accounts) },
    ...(await copiesOf(many, { count: size.projects, ownerOf })),
    ...(await copiesOf(many, copies(many, size.ofOneAccount))),
    { table: 'ANALYTICS', rows: hitRows(await seededOf(many)) },
  ]);
  many.cursor = await cursorIn(many, size.ofOneAccount);
  seeded = seededHits(await seededOf(many));
  analytics.push(await countAnalytics(many));
  for (const [name, send] of Object.entries(requests))
    large.set(name, await count(many, send, name));
  hits.push((await count(many, pageOfHits)).cost);
}, 1_800_000);
afterAll(() => cloud.remove());

/** Imports rows, with no hit waiting to be counted and with functions that run already. */
async function fill({ url }: World, rows: readonly SeededRows[]): Promise<void> {
  await cloud.advance(60);
  await importRows(cloud, rows);
  await look(url);
  await cloud.advance(60);
}

async function copiesOf(world: World, copies: Parameters<typeof siteRows>[1]) {
  const sample = await sampleReader(cloud.stateDir).project(world.projectId);
  return [
    { table: 'PROJECTS', rows: projectRows(sample, copies) },
    { table: 'SITES', rows: siteRows(sample, copies) },
  ];
}

/** The cursor of a list that goes on in the middle of an account's projects. */
async function cursorIn({ projectId, ownerId }: World, projects: number): Promise<string> {
  const sample = await sampleReader(cloud.stateDir).project(projectId);
  const { id, createdAt } = copyOf(sample, ownerId, Math.floor(projects / 2));
  return Buffer.from(`newest ${id} ${createdAt}`).toString('base64url');
}

/** Hits at each minute until an hour ago. */
async function seededOf({ projectId, ownerId }: World): Promise<SeededHits> {
  const minutes = size.minutesOfVisits;
  const hour = new Date(`${instant(await cloud.now()).slice(0, 13)}:00:00.000Z`);
  return { projectId, ownerId, from: plusSeconds(hour, -60 * minutes), minutes };
}

async function aWorld(): Promise<World> {
  const email = anEmail();
  const apiKey = await signIn(email, cloud.baseUrl);
  await adminCommand('set-plan', email, 'scale', '--state-dir', cloud.stateDir);
  const { projectId, url } = await created(apiKey, { files, service: cloud.baseUrl });
  const ownerId = await sampleReader(cloud.stateDir).ownerOf(ProjectId.parse(projectId));
  await look(url);
  return { apiKey, ownerId, projectId: ProjectId.parse(projectId), url, cursor: '' };
}

/** A page of the account's projects. */
const list =
  (query: string): Send =>
  ({ apiKey }) =>
    get(`/v1/projects?limit=${pageSize}${query}`, apiKey, cloud.baseUrl);

const requests: Record<string, Send> = {
  'a page': ({ url }) => look(url, { from: somebody() }),
  'an open': ({ url }) => open(url, { from: somebody() }),
  'an asset': ({ url }) => ask(`${url}/style.css?${Math.random()}`),
  'an address that nobody has': ({ url }) => ask(url.replace(/\/\/[^.]+\./, '//nobody-has-this.')),
  'publish without an account': () => publishTo(cloud.baseUrl, [page]),
  'claim a project': async ({ apiKey }) => {
    const { json } = await publishTo(cloud.baseUrl, [page]);
    return claim(apiKey, json.data.claimToken, cloud.baseUrl);
  },
  'publish a project': ({ apiKey }) => create(apiKey, { files: [page], service: cloud.baseUrl }),
  'push a version': ({ apiKey, projectId }) =>
    push(apiKey, projectId, files, { service: cloud.baseUrl }),
  'change a title': ({ apiKey, projectId }) =>
    patch(apiKey, projectId, { title: 'Another' }, cloud.baseUrl),
  'get a project': ({ apiKey, projectId }) =>
    get(`/v1/projects/${projectId}`, apiKey, cloud.baseUrl),
  'its versions': ({ apiKey, projectId }) =>
    get(`/v1/projects/${projectId}/status`, apiKey, cloud.baseUrl),
  'the account': ({ apiKey }) => get('/v1/user', apiKey, cloud.baseUrl),
  'its workspaces': ({ apiKey }) => get('/v1/workspaces', apiKey, cloud.baseUrl),
  'its deleted projects': ({ apiKey }) => get('/v1/projects/deleted', apiKey, cloud.baseUrl),
  'list projects': list(''),
  'list projects, the oldest': list('&sort=oldest'),
  'list projects, by cursor': ({ apiKey, cursor }) =>
    get(`/v1/projects?limit=${pageSize}&cursor=${cursor}`, apiKey, cloud.baseUrl),
  'list projects, offset=20': list('&offset=20'),
  'delete a project': async ({ apiKey }) => {
    const { projectId } = await created(apiKey, { files, service: cloud.baseUrl });
    const url = `${cloud.baseUrl}/v1/projects/${projectId}`;
    return sendWith(apiKey, url, undefined, 'DELETE');
  },
};

/** Requests to addresses where nothing is. */
const isMissing = new Set(['an address that nobody has']);

async function count(world: World, send: Send, name = ''): Promise<Counted> {
  await cloud.awayFromMinute(25);
  let bytes = 0;
  const calls = await cloud.costOf(async () => {
    const { status, text } = await send(world);
    bytes = Buffer.byteLength(text);
    const expected = isMissing.has(name) ? 404 : 200;
    if (status !== expected && status !== 201 && status !== 204) {
      throw new Error(`${name}: ${status} ${text.slice(0, 200)}`);
    }
  });
  return { cost: { ...calls, ...(await cloud.billed()) }, bytes };
}

test.each(Object.keys(requests))('%s calls and reads no more than before', (name) => {
  expect(large.get(name)?.cost).toEqual(small.get(name)?.cost);
});

/** Counts have more digits in a large installation, and titles of imported projects too. */
const moreDigits = 1.05;
/** An address of random words may be seven letters longer than another one, and stands twice in an answer. */
const longerName = 14;

test('each request gets about as many bytes as before', () => {
  const rows = [...small].map(([name, { bytes: before }]) => {
    const after = large.get(name)?.bytes ?? Number.NaN;
    return { name, before, after };
  });
  console.table(rows);
  for (const { name, before, after } of rows) {
    expect({ name, isFlat: after <= Math.ceil(before * moreDigits) + longerName }).toEqual({
      name,
      isFlat: true,
    });
  }
});

/** Seven totals, and of each partition a query of counters, and pages of packs and of opens. */
const maxUnitsOfAnalytics = 100;

test('analytics read rollups in the place of packs, and count each hit', () => {
  const [before = {}, after = {}] = analytics.map(({ cost }) => cost);
  console.log('analytics', before, after);
  const [, shown] = analytics.map(({ body }) => body);
  expect(after['read units']).toBeGreaterThan(0);
  expect(after['read units']).toBeLessThan(maxUnitsOfAnalytics);
  expect(shown).toMatchObject({
    // With a look before the import and one after it.
    visits: { last7d: seeded.visits + 2 },
    opens: { last7d: seeded.opens },
  });
});

/** 250 packs of each of eight partitions, of a little more than a kilobyte. */
const maxUnitsOfHits = 700;

test('a page of hits reads a bounded number of packs', () => {
  const [before = {}, after = {}] = hits;
  expect(after['Query analytics']).toBe(before['Query analytics']);
  expect(after['read units']).toBeGreaterThan(0);
  expect(after['read units']).toBeLessThan(maxUnitsOfHits);
  console.log('a page of 100 hits', before['read units'], after['read units']);
});

test('docs/scale.md has the capacity units of each request', () => {
  const rows = [...small].map(([name, { cost }]) => {
    const [reads = 0, writes = 0] = [cost['read units'], cost['write units']];
    return `| ${name} | ${callsOf(cost)} | ${reads} | ${writes} |`;
  });
  const table = ['| | Calls | Read units | Write units |', '|---|---|---|---|', ...rows].join('\n');
  const written = readFileSync(document, 'utf8');
  const [known = ''] = /\| \| Calls \|[\s\S]*?(?=\n\n|\n$)/.exec(written) ?? [];
  if (process.env['UPDATE_SCALE'] === '1') {
    writeFileSync(
      document,
      written.replace(known, () => table),
    );
  }
  expect(readFileSync(document, 'utf8')).toContain(table);
});

/** Calls of DynamoDB, S3, SQS and CloudFront. */
function callsOf(counted: Record<string, number>): number {
  const calls = Object.entries(counted).filter(([name]) =>
    /^(?:(?:Get|Put|Update|Delete)Item|Query|TransactWriteItems|SendMessage|s3:|CreateInvalidation)/.test(
      name,
    ),
  );
  return calls.reduce((sum, [, calls]) => sum + calls, 0);
}
