import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { type Answer, ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { claim, create, created, remove, temporary } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { patch } from '../../fixtures/projects/versions.ts';

const cloud = new LocalCloud();
const day = 86_400;
let service = '';
const ownerEmail = anEmail();
let owner = '';
let stranger = '';
/** Asks browsers to tell another host, for a year, of every address that is opened here. */
const reports = `/*
  NEL: {"report_to":"spy","max_age":31536000,"success_fraction":1,"include_subdomains":true}
  Report-To: {"group":"spy","max_age":31536000,"endpoints":[{"url":"https://spy.example/"}]}
  X-Kept: 1
`;
const endOfReports = { nel: '{"max_age":0}', 'report-to': '{"max_age":0,"endpoints":[]}' };
const files = [
  file('index.html', '<h1>Former'),
  file('style.css', 'a{}'),
  file('app.js', 'a()'),
  file('_headers', reports),
];
const next = [file('index.html', '<h1>Next'), file('style.css', 'b{}'), file('app.js', 'b()')];
const urlOf = (slug: string) =>
  `http://${slug}.${new URL(`http://sites.${new URL(service).host}`).host}`;
const publish = (key: string, slug: string, parts = files, fields = {}) =>
  create(key, { files: parts, service, fields: { slug, ...fields } });
const askFor = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  ask(url, { method, headers });
const forWorker = { 'service-worker': 'script', 'sec-fetch-dest': 'serviceworker' };

beforeAll(async () => {
  ({ baseUrl: service } = await cloud.start());
  owner = await signIn(ownerEmail, service);
  stranger = await signIn(anEmail(), service);
}, 600_000);
afterAll(() => cloud.remove());

/** How a former tenant left each address. */
async function leaveAll(): Promise<void> {
  for (const slug of ['deleted', 'contested', 'returned', 'open', 'locked']) {
    const { projectId } = await created(owner, { files, service, fields: { slug } });
    await remove(owner, projectId, service);
  }
  const { projectId } = await created(owner, { files, service, fields: { slug: 'renamed' } });
  await patch(owner, projectId, { slug: 'renamed-away' }, service);
  await created(owner, { files, service, fields: { slug: 'expired', expiresIn: '15m' } });
}

test('no site makes browsers report what is opened at its address, and its publisher is told', async () => {
  const { url, warnings } = await created(owner, { files, service, fields: { slug: 'reporting' } });
  expect(warnings).toMatchObject([
    { file: '_headers', line: 2, message: expect.stringContaining('Browsers keep this') },
    { file: '_headers', line: 3, message: expect.stringContaining('Browsers keep this') },
  ]);
  const { headers } = await askFor(url);
  expect(headers['x-kept']).toBe('1');
  for (const name of ['nel', 'report-to']) expect(headers).not.toHaveProperty(name);
});

test('the former holder of an address may take it again immediately, in another project', async () => {
  await leaveAll();
  const { projectId } = await created(owner, { files, service, fields: { slug: 'returned' } });
  await remove(owner, projectId, service);
  expect((await publish(stranger, 'returned')).status).toBe(409);
});

test('an address stays with its account for 90 days after a delete, a rename or an expiry', async () => {
  await cloud.advance(day);
  for (const slug of ['deleted', 'renamed']) {
    const answer = await publish(stranger, slug);
    expectRefusal(answer, 409, 'SLUG_TAKEN');
    expect(answer.json.error).toContain('reserved for 90 days for the account that left it');
    expect(answer.json.nextStep).toContain('sign in with it');
  }
  const { projectId } = await created(stranger, { service });
  expectRefusal(await patch(stranger, projectId, { slug: 'deleted' }, service), 409, 'SLUG_TAKEN');
  await cloud.advance(88.9 * day);
  for (const slug of ['deleted', 'renamed', 'expired']) {
    expectRefusal(await publish(stranger, slug), 409, 'SLUG_TAKEN');
  }
});

test('the slug of a temporary project is never issued again, to anybody', async () => {
  const { slug } = await temporary(files, service);
  const kept = await temporary(files, service);
  const keeper = await signIn(anEmail(), service);
  expect((await claim(keeper, kept.claimToken, service)).status).toBe(200);
  await cloud.advance(20 * 60);
  const other = await created(keeper, { service });
  for (const one of [slug, kept.slug]) {
    expectRefusal(await publish(stranger, one), 409, 'SLUG_TAKEN');
  }
  const moved = await patch(keeper, other.projectId, { slug }, service);
  expectRefusal(moved, 409, 'SLUG_TAKEN');
  expect(moved.json.error).toContain('assigned only at random');
  await remove(keeper, kept.projectId, service);
  expect((await patch(keeper, other.projectId, { slug: kept.slug }, service)).status).toBe(200);
});

/** What marks a browser as cleared, as the page that clears it names it, and the cookie. */
async function markOf(url: string) {
  const page = await askFor(url, { 'sec-fetch-dest': 'document' });
  const marks = /<([^<>]*cleared[^<>]*)>/.exec(String(page.headers.link))?.[1] ?? '';
  const [mark = ''] = (await askFor(url + marks)).headers['set-cookie'] ?? [];
  return { marks, mark };
}

describe('after 90 days', () => {
  beforeAll(() => cloud.advance(2 * day), 60_000);

  test('of many accounts that request an address one gets it', async () => {
    const rivals = await Promise.all(
      Array.from({ length: 5 }, async () => signIn(anEmail(), service)),
    );
    const answers = await Promise.all(rivals.map((key) => publish(key, 'contested', next)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409, 409,
    ]);
  });

  test('pages clear each browser once, and only if a person opens them', async () => {
    expect((await publish(stranger, 'open', next)).status).toBe(201);
    const url = urlOf('open');
    const first = await askFor(url, { 'sec-fetch-dest': 'document' });
    expect(first.text).toBe('<h1>Next');
    expect(first.headers).toMatchObject({
      'clear-site-data': '"cache", "storage"',
      'cache-control': 'private, no-store',
      ...endOfReports,
      link: expect.stringContaining('rel=preload; as=image'),
    });
    const { etag = '' } = first.headers;
    const conditional = { 'if-none-match': etag, 'sec-fetch-dest': 'document' };
    expect((await askFor(url, conditional)).status).toBe(200);
    const { marks, mark } = await markOf(url);
    expect(mark).toMatch(
      /^__Host-slipway-cleared=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; /,
    );
    const cookie = mark.split(';')[0] ?? '';
    const unclear: Record<string, string>[] = [
      { cookie, 'sec-fetch-dest': 'document' },
      { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of unclear) {
      const answer = await askFor(url, headers);
      expect([answer.status, answer.headers['clear-site-data']]).toEqual([200, undefined]);
      // What browsers keep for a frame is apart from what they keep for the page.
      expect(answer.headers).toMatchObject(endOfReports);
    }
    expect((await askFor(url, { ...conditional, cookie })).status).toBe(304);
    expect((await askFor(url)).headers['clear-site-data']).toBeDefined();
    expect((await askFor(`${url}/style.css`)).headers['clear-site-data']).toBeUndefined();
    for (const guess of [
      'A'.repeat(43),
      `${cookie.slice(23, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`,
    ]) {
      const answer = await askFor(url, { cookie: `__Host-slipway-cleared=${guess}` });
      expect(answer.headers['clear-site-data']).toBeDefined();
    }
    // A former worker, another site and another address get none.
    for (const [path, headers] of [
      ['/_slipway/cleared', {}],
      [marks, { 'sec-fetch-site': 'cross-site' }],
      [marks.replace('by=', 'by=9'), {}],
    ] as const) {
      const answer = await askFor(url + path, headers);
      expect([answer.status, answer.headers['set-cookie']]).toEqual([204, undefined]);
    }
    await cloud.advance(301);
    expect((await askFor(url + marks)).headers['set-cookie']).toBeUndefined();
  });

  test('a missing service worker script removes the worker; the site’s own worker stays', async () => {
    const url = urlOf('open');
    const { mark } = await markOf(url);
    const cookie = mark.split(';')[0] ?? '';
    expectRemoval(await askFor(`${url}/sw.js`, forWorker), { clearsDatabases: true });
    expectRemoval(await askFor(`${url}/sw.js`, { ...forWorker, cookie }), {
      clearsDatabases: false,
    });
    expectRemoval(await askFor(`${url}/app.js`, forWorker), { clearsDatabases: true });
    expect((await askFor(`${url}/app.js`, { ...forWorker, cookie })).text).toBe('b()');
    // No other request gets it.
    expect((await askFor(`${url}/sw.js`)).status).toBe(404);
    expect((await askFor(`${url}/app.js`)).text).toBe('b()');
    const head = await askFor(`${url}/sw.js`, forWorker, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('a page that asks for a password does the same', async () => {
    const fields = { access: 'password', password: 'secret' };
    expect((await publish(stranger, 'locked', next, fields)).status).toBe(201);
    const url = urlOf('locked');
    const page = await askFor(url);
    expect([page.status, page.headers['clear-site-data']]).toEqual([401, '"cache", "storage"']);
    expectRemoval(await askFor(`${url}/app.js`, forWorker), { clearsDatabases: true });
  });

  test('an account that takes its own address again clears nothing', async () => {
    // The first key was not used for 90 days.
    const key = await signIn(ownerEmail, service);
    expect((await publish(key, 'returned', next)).status).toBe(201);
    const url = urlOf('returned');
    expect((await askFor(url)).headers).not.toHaveProperty('clear-site-data');
    expect((await askFor(`${url}/sw.js`, forWorker)).status).toBe(404);
    const { headers } = await askFor(`${url}/_slipway/cleared`);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test('a service worker is removed where no project is served any more', async () => {
    const cases: [string, boolean][] = [
      ['deleted', false],
      ['never-published', false],
    ];
    const fields = { slug: 'shut' };
    const { projectId } = await created(stranger, { files, service, fields });
    await adminCommand('takedown', projectId, '--reason', 'abuse', '--state-dir', cloud.stateDir);
    for (const [slug, clearsDatabases] of [...cases, ['shut', false] as const]) {
      expectRemoval(await askFor(`${urlOf(slug)}/app.js`, forWorker), { clearsDatabases });
    }
  });

  test('pages clear nothing after the new account has had the address for 90 days; a worker is still removed', async () => {
    await cloud.advance(90 * day);
    const url = urlOf('open');
    const { headers } = await askFor(url);
    for (const name of ['clear-site-data', ...Object.keys(endOfReports)])
      expect(headers).not.toHaveProperty(name);
    expectRemoval(await askFor(`${url}/sw.js`, forWorker), { clearsDatabases: false });
    expect((await askFor(`${url}/app.js`, forWorker)).text).toBe('b()');
  });
});

function expectRemoval(answer: Answer, { clearsDatabases }: { clearsDatabases: boolean }): void {
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'private, no-store',
    'service-worker-allowed': '/',
  });
  expect(answer.text).toContain('registration.unregister()');
  expect(answer.text.includes('indexedDB')).toBe(clearsDatabases);
}
