import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, codeSentTo, get, post, signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, file, somebody } from '../../fixtures/clouds/client.ts';
import { LocalCloud, type State } from '../../fixtures/clouds/local-cloud.ts';
import { claim, create, remove, temporary, usage } from '../../fixtures/projects/projects.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const maxBytes = 100_000;
/**
 * Every account is on the free plan immediately: five projects and few bytes. Deleted projects are
 * removed immediately.
 */
const cloud = new LocalCloud(
  'trialDays=0',
  'deletedKeptDays=0',
  `plans.free.maxStorageBytes=${maxBytes}`,
);
/** Ten accounts, without projects between the tests. */
let keys: string[] = [];
beforeAll(async () => {
  await cloud.start();
  keys = await accounts(10);
}, 120_000);
afterAll(() => cloud.remove());

/** Requests at once: more than run at once, because a function has at most ten instances here. */
const crowd = proofSize({ short: 20, whole: 50 });
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
/** What a race needs is made, and checked, one after another: requests at once would start more instances. */
async function inTurn<T, R>(all: readonly T[], make: (one: T, index: number) => Promise<R>) {
  const results: R[] = [];
  for (const [index, one] of all.entries()) results.push(await make(one, index));
  return results;
}
const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);
const accounts = (count: number) => inTurn(indexes(count), () => signIn(anEmail(), cloud.baseUrl));
const temporaries = (count: number, bytesOf: (index: number) => number) =>
  inTurn(indexes(count), (at) => temporary(page(bytesOf(at)), cloud.baseUrl));
const page = (bytes: number) => [file('index.html', Buffer.alloc(bytes, 'x'))];
const make = (key: string, bytes: number, fields = {}) =>
  create(key, { fields, files: page(bytes), service: cloud.baseUrl });

function statuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function expectRefused(answers: readonly Answer[], status: number, code: string): void {
  for (const answer of answers) if (answer.status > 299) expectRefusal(answer, status, code);
}

type Totals = Awaited<ReturnType<typeof usage>>;

/** The totals of each account equal what it has: by the list, by the rows and by the objects. */
async function expectAllExact(accountKeys: readonly string[]): Promise<Totals[]> {
  const state = await cloud.state();
  return inTurn(accountKeys, (key) => expectExact(key, state));
}

async function expectExact(key: string, state?: State): Promise<Totals> {
  const { projects } = (await get('/v1/projects?limit=100', key, cloud.baseUrl)).json.data;
  const { rows, keys } = state ?? (await cloud.state());
  let bytes = 0;
  for (const { id } of projects) {
    const row = rows['projects']?.find(
      (one) => one['id']?.S === id && one['ownerId'] !== undefined,
    );
    bytes += Number(row?.['bytes']?.N);
    expect(keys.some((stored) => stored.includes(id))).toBe(true);
  }
  const totals = await usage(key, cloud.baseUrl);
  expect(totals).toEqual({ projects: projects.length, bytes });
  return totals;
}

test('of many claims of one token by ten accounts one succeeds', async () => {
  const { claimToken, projectId } = await temporary(page(1000), cloud.baseUrl);
  const answers = await times(crowd, (at) => claim(keys[at % 10], claimToken, cloud.baseUrl));
  expect(statuses(answers)).toEqual({ 200: 1, 409: crowd - 1 });
  expectRefused(answers, 409, 'ALREADY_CLAIMED');
  const winner = answers.findIndex(({ status }) => status === 200) % 10;
  const totals = await expectAllExact(keys);
  expect(totals).toEqual(
    keys.map((_, at) => (at === winner ? { projects: 1, bytes: 1000 } : { projects: 0, bytes: 0 })),
  );
  const found = await inTurn(keys, (key) => get(`/v1/projects/${projectId}`, key, cloud.baseUrl));
  expect(statuses(found)).toEqual({ 200: 1, 404: 9 });
  expect(found[winner]?.status).toBe(200);
  expect((await remove(keys[winner], projectId, cloud.baseUrl)).status).toBe(200);
});

test('twenty concurrent creates reach the limit of five exactly', async () => {
  const [key = ''] = await accounts(1);
  const answers = await times(20, (at) => make(key, 100, { title: `Same ${at % 2}` }));
  expect(statuses(answers)).toEqual({ 201: 5, 403: 15 });
  expectRefused(answers, 403, 'PROJECT_LIMIT_REACHED');
  for (const { json } of answers.filter(({ status }) => status === 403)) {
    expect(json.error).toMatch(/\b5\b.*\b5\b/);
  }
  expect(await expectExact(key)).toEqual({ projects: 5, bytes: 500 });
});

test('fifteen concurrent creates reach the limit of bytes exactly', async () => {
  const [key = ''] = await accounts(1);
  const answers = await times(15, () => make(key, maxBytes / 4));
  expect(statuses(answers)).toEqual({ 201: 4, 403: 11 });
  expectRefused(answers, 403, 'STORAGE_LIMIT_REACHED');
  const [refused] = answers.filter(({ status }) => status === 403);
  expect(refused?.json.error).toContain(String(maxBytes));
  expect(refused?.json.error).toContain(String(maxBytes / 4));
  expect(await expectExact(key)).toEqual({ projects: 4, bytes: maxBytes });
  expectRefusal(await make(key, 1), 403, 'STORAGE_LIMIT_REACHED');
});

test('twenty concurrent copies reach the limit of five exactly, also while their project is deleted', async () => {
  const [key = '', other = ''] = await accounts(2);
  const copy = (by: string, id: string) =>
    post(
      `/v1/projects/${id}/duplicate`,
      {},
      {
        service: cloud.baseUrl,
        headers: { authorization: `Bearer ${by}` },
      },
    );
  const { projectId } = (await make(key, 100)).json.data;
  const answers = await times(20, () => copy(key, projectId));
  expect(statuses(answers)).toEqual({ 201: 4, 403: 16 });
  expectRefused(answers, 403, 'PROJECT_LIMIT_REACHED');
  expect(await expectExact(key)).toEqual({ projects: 5, bytes: 500 });
  const urls = answers.flatMap(({ status, json }) => (status === 201 ? [json.data.url] : []));
  for (const url of urls) expect((await ask(url)).text).toHaveLength(100);

  const source = (await make(other, 100)).json.data;
  const [removed, ...copies] = await Promise.all([
    remove(other, source.projectId, cloud.baseUrl),
    ...Array.from({ length: 4 }, () => copy(other, source.projectId)),
  ]);
  expect(removed.status).toBe(200);
  for (const { status, json } of copies) {
    expect([201, 404]).toContain(status);
    if (status === 201) expect((await ask(json.data.url)).text).toHaveLength(100);
  }
  const { projects } = await expectExact(other);
  expect(projects).toBe(copies.filter(({ status }) => status === 201).length);
});

test('concurrent claims and creates reach the limits exactly', async () => {
  const [key = ''] = await accounts(1);
  const temps = await temporaries(8, () => 100);
  const answers = await times(16, (at) =>
    at % 2 === 0 ? make(key, 100) : claim(key, temps[(at - 1) / 2].claimToken, cloud.baseUrl),
  );
  const { 200: claimed = 0, 201: made = 0, ...others } = statuses(answers);
  expect({ kept: claimed + made, others }).toEqual({ kept: 5, others: { 403: 11 } });
  expectRefused(answers, 403, 'PROJECT_LIMIT_REACHED');
  expect(await expectExact(key)).toEqual({ projects: 5, bytes: 500 });
});

test('of twenty requests for one slug one gets it', async () => {
  const slug = `race-${randomBytes(5).toString('hex')}`;
  const answers = await times(20, (at) => make(keys[at % 10] ?? '', 10 + at, { slug }));
  expect(statuses(answers)).toEqual({ 201: 1, 409: 19 });
  expectRefused(answers, 409, 'SLUG_TAKEN');
  const winner = answers.findIndex(({ status }) => status === 201);
  expect((await ask(answers[winner]?.json.data.url)).text).toHaveLength(10 + winner);
  const totals = await expectAllExact(keys);
  expect(totals.filter(({ projects }) => projects > 0)).toEqual([
    { projects: 1, bytes: 10 + winner },
  ]);
});

test('mixed creates, claims and deletes leave exact totals', async () => {
  const three = await accounts(3);
  const temps = await temporaries(6, (at) => 50 + at);
  const answers: Answer[] = [];
  const run = async (key: string, at: number) => {
    const made = await make(key, 200 + at);
    const claimed = await claim(key, temps[at % 6].claimToken, cloud.baseUrl);
    answers.push(made, claimed);
    if (made.status !== 201) return;
    const { projectId } = made.json.data;
    answers.push(...(await times(2, () => remove(key, projectId, cloud.baseUrl))));
  };
  // Four at a time of one account, which may have five.
  for (const batch of [0, 12]) await times(12, (at) => run(three[at % 3] ?? '', batch + at));
  const failures = answers.filter(({ status }) => ![200, 201, 403, 404, 409].includes(status));
  expect(failures.map(({ text }) => text)).toEqual([]);
  const totals = await expectAllExact(three);
  const claimed = answers.filter(({ status, json }) => status === 200 && json.data.slug);
  expect(claimed.length).toBeGreaterThan(0);
  expect(totals.reduce((sum, { projects }) => sum + projects, 0)).toBe(claimed.length);
});

test('the correct code among many wrong ones never gets a sixth try', async () => {
  const email = anEmail();
  // All from where the code was requested: others have a smaller budget.
  const from = somebody();
  const send = (path: string, body: {}) =>
    post(`/v1/auth/otp/${path}`, { email, ...body }, { service: cloud.baseUrl, from });
  await send('request', {});
  const code = await codeSentTo(email, cloud.baseUrl);
  const middle = crowd / 2;
  const wrong = (at: number) => String((Number(code) + 1 + at) % 1_000_000).padStart(6, '0');
  const answers = await times(crowd + 1, (at) =>
    send('verify', { code: at === middle ? code : wrong(at) }),
  );
  const count = (code: string) => answers.filter(({ json }) => (json.code ?? 'OK') === code).length;
  const [ok, invalid, cancelled] = ['OK', 'OTP_INVALID', 'OTP_TOO_MANY_ATTEMPTS'].map(count);
  expect(invalid).toBeLessThanOrEqual(4);
  expect(ok).toBe(answers[middle]?.status === 200 ? 1 : 0);
  // The fifth wrong one cancels the code; the right one before that wins.
  expect(ok === 1 || invalid === 4).toBe(true);
  expect((ok ?? 0) + (invalid ?? 0) + (cancelled ?? 0) + count('OTP_EXPIRED')).toBe(crowd + 1);
  expect((await send('verify', { code })).status).toBe(ok === 1 ? 401 : 429);
});

test('a site is complete or missing while it is deleted', async () => {
  const [key = ''] = await accounts(1);
  const files = [file('index.html', '<h1>whole</h1>'), file('a.css', 'body{}'), file('b.txt', 'b')];
  const { projectId, url } = (await create(key, { files, service: cloud.baseUrl })).json.data;
  const paths = ['/', '/a.css', '/b.txt'];
  for (const path of paths) expect((await ask(url + path)).status).toBe(200);
  let deleted = false;
  const seen: { path: string; status: number; askedAfter: boolean }[] = [];
  const read = async (path: string) => {
    for (let more = 3; more > 0; more -= deleted ? 1 : 0) {
      const askedAfter = deleted;
      seen.push({ path, status: (await ask(url + path)).status, askedAfter });
    }
  };
  const readers = Promise.all([...paths, ...paths].map(read));
  const answer = await remove(key, projectId, cloud.baseUrl);
  deleted = true;
  await readers;
  expect(answer.status).toBe(200);
  expect(seen.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
  expect(seen.filter(({ status, askedAfter }) => askedAfter && status !== 404)).toEqual([]);
  expect(seen.some(({ askedAfter }) => askedAfter)).toBe(true);
  const { keys } = await cloud.state();
  expect(keys.filter((stored) => stored.includes(projectId))).toEqual([]);
});
