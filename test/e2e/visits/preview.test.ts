import { beforeAll, describe, expect, test } from '@jest/globals';
import { cookieFrom, unlock } from '../../fixtures/visits/access.ts';
import { sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file, isLocal, somebody } from '../../fixtures/clouds/client.ts';
import { openPreview, preview, push } from '../../fixtures/projects/preview.ts';
import { create, created } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const pages = (text: string) => [
  file('index.html', `<h1>${text}</h1><link rel=stylesheet href=style.css>`),
  file('style.css', `/* ${text} */`),
];

let key = '';
let stranger = '';
beforeAll(async () => {
  if (isLocal) [key, stranger] = await Promise.all([signIn(), signIn()]);
});

/** A project with an old version 1 and a live version 2. */
async function twoVersions(fields: Record<string, string> = {}) {
  const { projectId, url } = await created(key, { fields, files: pages('old') });
  expect((await push(key, projectId, pages('live'), baseUrl)).status).toBe(200);
  return { projectId, url };
}

async function linkTo(projectId: string, version: number): Promise<string> {
  const { json } = await preview(key, projectId, version, baseUrl);
  return json.data.url;
}

local('a preview link', () => {
  test('shows one version for an hour to everybody who opens it, and the live one to all others', async () => {
    const { projectId, url } = await twoVersions();
    // The edge holds the live version from here on.
    expect((await ask(`${url}/`)).text).toContain('live');
    expect((await ask(`${url}/style.css`)).text).toContain('live');
    const { status, json } = await preview(key, projectId, 1, baseUrl);
    expect(status).toBe(200);
    const left = Date.parse(json.data.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(3590_000);
    expect(left).toBeLessThanOrEqual(3600_000);

    const opened = await ask(json.data.url);
    expect(opened).toMatchObject({
      status: 302,
      headers: { location: '/', 'cache-control': 'private, no-store' },
    });
    const [cookie = ''] = opened.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      /^__Host-slipway-preview=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=(3600|35\d\d)$/,
    );
    const headers = { cookie: await openPreview(json.data.url) };
    for (const path of ['/', '/style.css', '/', '/style.css']) {
      const answer = await ask(url + path, { headers });
      expect(answer.text).toContain('old');
      expect(answer.headers).toMatchObject({
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      });
      const normal = await ask(url + path);
      expect(normal.text).toContain('live');
      expect(normal.headers['x-robots-tag']).not.toBe('noindex');
    }
  });

  test('sends private and noindex with every response', async () => {
    const { projectId, url } = await twoVersions();
    const cookie = await openPreview(await linkTo(projectId, 1));
    const { etag } = (await ask(`${url}/style.css`, { headers: { cookie } })).headers;
    const answers = await Promise.all([
      ask(`${url}/nothing.css`, { headers: { cookie } }),
      ask(`${url}/`, { method: 'HEAD', headers: { cookie } }),
      ask(`${url}/style.css`, { headers: { cookie, 'if-none-match': etag } }),
      ask(`${url}/style.css`, { headers: { cookie, range: 'bytes=0-1' } }),
      ask(`${url}/style.css`, { headers: { cookie, range: 'bytes=999-' } }),
      ask(`${url}/style.css`, { headers: { cookie, 'if-match': '"other"' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 200, 304, 206, 416, 412]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      });
    }
  });

  test('ends with /_slipway/preview/off', async () => {
    const { projectId, url } = await twoVersions();
    const cookie = await openPreview(await linkTo(projectId, 1));
    const off = await ask(`${url}/_slipway/preview/off`, { headers: { cookie } });
    expect(off).toMatchObject({ status: 302, headers: { location: '/' } });
    expect(off.headers['set-cookie']?.[0]).toMatch(/^__Host-slipway-preview=;.* Max-Age=0$/);
  });

  test('stays on its version while another one goes live', async () => {
    const { projectId, url } = await twoVersions();
    const headers = { cookie: await openPreview(await linkTo(projectId, 1)) };
    await push(key, projectId, pages('newest'), baseUrl);
    expect((await ask(`${url}/`, { headers })).text).toContain('old');
    expect((await ask(`${url}/`)).text).toContain('newest');
    const rolledBack = await ask(`${baseUrl}/v1/projects/${projectId}/rollback`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ version: 2 }),
    });
    expect(rolledBack.status).toBe(200);
    expect((await ask(`${url}/`, { headers })).text).toContain('old');
    expect((await ask(`${url}/`)).text).toContain('live');
  });

  test('works for a week, or until another version is live, as its maker chose', async () => {
    const { projectId, url } = await twoVersions();
    const linkFor = (life: string) => preview(key, projectId, 1, baseUrl, life);
    const [week, bound] = await Promise.all([linkFor('7d'), linkFor('next-version')]);
    const days = (end: string) => (Date.parse(end) - Date.now()) / 86_400_000;
    expect(days(week.json.data.expiresAt)).toBeCloseTo(7, 1);
    expect(days(bound.json.data.expiresAt)).toBeCloseTo(30, 1);
    expect((await linkFor('8d')).status).toBe(400);
    const ofWeek = { cookie: await openPreview(week.json.data.url) };
    const ofBound = { cookie: await openPreview(bound.json.data.url) };
    for (const headers of [ofWeek, ofBound]) {
      expect((await ask(`${url}/`, { headers })).text).toContain('old');
    }
    expect((await push(key, projectId, pages('newest'), baseUrl)).status).toBe(200);
    expect((await ask(`${url}/`, { headers: ofWeek })).text).toContain('old');
    expect((await ask(`${url}/`, { headers: ofBound })).text).toContain('newest');
    expect((await ask(bound.json.data.url)).status).toBe(404);
    // The version that was live then is live again, but it became so by another change.
    const back = await sendWith(key, `${baseUrl}/v1/projects/${projectId}/rollback`, {
      version: 2,
    });
    expect(back.status).toBe(200);
    expect((await ask(`${url}/`, { headers: ofBound })).text).toContain('live');
    expect((await ask(bound.json.data.url)).status).toBe(404);
  });

  test.each([
    ['a password', { access: 'password', password: 'open sesame' }, 401],
    ['private access', { access: 'private' }, 401],
  ])('gives no access to a project with %s', async (_, fields, status) => {
    const { projectId, url } = await twoVersions(fields);
    const headers = { cookie: await openPreview(await linkTo(projectId, 1)) };
    const answer = await ask(`${url}/`, { headers });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('<h1>old');
  });

  test('gives no access to an archived project', async () => {
    const { projectId, url } = await twoVersions();
    const headers = { cookie: await openPreview(await linkTo(projectId, 1)) };
    const authorization = `Bearer ${key}`;
    const archived = await ask(`${baseUrl}/v1/projects/${projectId}/archive`, {
      method: 'POST',
      headers: { authorization },
    });
    expect(archived.status).toBe(200);
    expect((await ask(`${url}/`, { headers })).status).toBe(404);
  });

  test('of one project is ignored on the site of another', async () => {
    const [one, other] = await Promise.all([twoVersions(), twoVersions()]);
    const link = await linkTo(one.projectId, 1);
    const headers = { cookie: await openPreview(link) };
    expect((await ask(`${other.url}/`, { headers })).text).toContain('live');
    const path = new URL(link).pathname;
    const { status, headers: answered } = await ask(other.url + path);
    expect(status).toBe(404);
    expect(answered['set-cookie']).toBeUndefined();
  });

  test.each([
    ['another version', (token: string) => token.replace(/^(.{36})\.1\./, '$1.2.')],
    ['a later end', (token: string) => token.replace(/\.(\d{10})\./, '.9999999999.')],
    ['another signature', (token: string) => `${token.slice(0, -5)}AAAAA`],
    ['no signature', (token: string) => token.replace(/[^.]+$/, '')],
    ['nonsense', () => 'nonsense'],
  ])('that was changed to %s is ignored', async (_, change) => {
    const { projectId, url } = await twoVersions();
    const token = change((await linkTo(projectId, 1)).replace(/.*\//, ''));
    const opened = await ask(`${url}/_slipway/preview/${token}`);
    expect(opened.status).toBe(404);
    expect(opened.headers['content-type']).toContain('text/html');
    expect(opened.headers['set-cookie']).toBeUndefined();
    const headers = { cookie: `__Host-slipway-preview=${token}` };
    const answer = await ask(`${url}/`, { headers });
    expect(answer.text).toContain('live');
    expect(answer.headers['x-robots-tag']).not.toBe('noindex');
  });

  test('works only on the site’s host', async () => {
    const { projectId, url } = await twoVersions();
    const path = new URL(await linkTo(projectId, 1)).pathname;
    const headers = { 'x-slipway-host': new URL(url).hostname };
    expect((await ask(baseUrl + path, { headers })).status).toBe(404);
  });
});

local('POST /v1/projects/{projectId}/versions/{version}/preview', () => {
  test('needs the owner’s key and an existing version', async () => {
    const { projectId } = await twoVersions();
    const foreign = await preview(stranger, projectId, 1, baseUrl);
    expectRefusal(foreign, 404, 'NOT_FOUND');
    expectRefusal(await preview(undefined, projectId, 1, baseUrl), 401, 'API_KEY_MISSING');
    for (const version of [3, 0, 'x', '-1', '1.0', '01']) {
      expectRefusal(await preview(key, projectId, version, baseUrl), 404, 'NOT_FOUND');
    }
    expectRefusal(await preview(key, 'no-uuid', 1, baseUrl), 404, 'NOT_FOUND');
  });

  test('never outlives the project', async () => {
    const { projectId } = await twoVersions({ expiresIn: '15m' });
    const { expiresAt } = (await preview(key, projectId, 1, baseUrl)).json.data;
    const left = Date.parse(expiresAt) - Date.now();
    expect(left).toBeLessThanOrEqual(900_000);
    expect(left).toBeGreaterThan(880_000);
  });
});

local('a version at a host of its own (habit 13)', () => {
  test('is shown beside the live one to who has the link, for nobody else, and not for search engines', async () => {
    const { projectId, url } = await twoVersions();
    const { versionHostUrl } = (await preview(key, projectId, 1, baseUrl)).json.data;
    const host = new URL(versionHostUrl).origin;
    expect(host).toBe(url.replace(/^(\w+:\/\/[^.]+)/, '$1--v1'));
    expect(await ask(`${host}/`)).toMatchObject({
      status: 302,
      headers: { location: '/_slipway/preview/ended' },
    });
    expect((await ask(`${host}/_slipway/preview/ended`)).text).toContain('needs its link');
    const headers = { cookie: await openPreview(versionHostUrl) };
    for (const path of ['/', '/style.css']) {
      const old = await ask(host + path, { headers });
      expect(old.text).toContain('old');
      expect(old.headers).toMatchObject({
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      });
      expect((await ask(url + path)).text).toContain('live');
    }
    const second = host.replace('--v1.', '--v2.');
    expect((await ask(`${second}/`, { headers })).status).toBe(302);
  });

  test('asks for the password of the project', async () => {
    const fields = { access: 'password', password: 'open sesame' };
    const { projectId } = await twoVersions(fields);
    const { versionHostUrl } = (await preview(key, projectId, 1, baseUrl)).json.data;
    const { origin } = new URL(versionHostUrl);
    const previewed = await openPreview(versionHostUrl);
    expect((await ask(`${origin}/`, { headers: { cookie: previewed } })).status).toBe(401);
    const access = cookieFrom(await unlock(origin, 'open sesame', { from: somebody() }));
    const cookie = `${previewed}; ${access}`;
    expect((await ask(`${origin}/`, { headers: { cookie } })).text).toContain('old');
  });

  test('its form of an address is given to no project', async () => {
    const answer = await create(key, { files: pages('x'), fields: { slug: 'harbour--v1' } });
    expectRefusal(answer, 409, 'SLUG_TAKEN');
    expect(answer.json.error).toContain('reserved');
  });
});
