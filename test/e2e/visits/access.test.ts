import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  cookieFrom,
  ownersCookie,
  redeem,
  unlock,
  createOwnerLink,
  pressOwnerButton,
} from '../../fixtures/visits/access.ts';
import { post, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl, file, isLocal, somebody } from '../../fixtures/clouds/client.ts';
import { created, temporary } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { press, shared } from '../../fixtures/visits/share-links.ts';
import { patch, putAway } from '../../fixtures/projects/versions.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const files = [file('index.html', '<h1>The secret'), file('style.css', '/* the secret */')];
const paths = ['/', '/index.html', '/style.css'];
let key = '';
let stranger = '';
beforeAll(async () => {
  if (isLocal) [key, stranger] = await Promise.all([signIn(), signIn()]);
});

const aLockedSite = (password = 'open sesame') =>
  created(key, { files, fields: { access: 'password', password } });
const aPrivateSite = () => created(key, { files, fields: { access: 'private' } });

local('a site with a password', () => {
  test('is required everywhere; the response is not cached and reveals nothing', async () => {
    const { url } = await aLockedSite();
    for (const path of [...paths, '/nothing-here', '/?a=1']) {
      const answer = await ask(url + path);
      expect(answer).toMatchObject({
        status: 401,
        headers: {
          'cache-control': 'private, no-store',
          'content-type': 'text/html; charset=utf-8',
          'x-robots-tag': 'noindex',
          'content-security-policy': expect.stringContaining("form-action 'self'"),
        },
      });
      expect(answer.text).not.toMatch(/secret|A title/);
      expect(answer.text).toContain('action="/_slipway/unlock"');
      expect(answer.headers.etag).toBeUndefined();
    }
  });

  test('opens the requested page for a visitor who enters it', async () => {
    const { url } = await aLockedSite();
    const passwordPage = await ask(`${url}/deep/page%20one.html`);
    expect(passwordPage.text).toContain('name="to" value="/deep/page%20one.html"');
    const answer = await unlock(url, 'open sesame', { to: '/style.css', from: somebody() });
    expect(answer).toMatchObject({
      status: 303,
      headers: { location: '/style.css', 'cache-control': 'private, no-store' },
    });
    const [cookie] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      /^__Host-slipway-access=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=31536000$/,
    );
    const headers = { cookie: cookieFrom(answer) };
    for (const path of [...paths, ...paths]) {
      const shown = await ask(url + path, { headers });
      expect(shown).toMatchObject({
        status: 200,
        headers: { 'cache-control': 'private, no-store' },
      });
      expect(shown.text).toContain('secret');
      expect((await ask(url + path)).status).toBe(401);
    }
  });

  test('opens the requested page with its query, which links of applications need (fault 4)', async () => {
    const fields = { access: 'password', password: 'open sesame' };
    const { url } = await created(stranger, { files, fields });
    const passwordPage = await ask(`${url}/items/9?x=1&y=a%20b`);
    const [, to = ''] = /name="to" value="([^"]*)"/.exec(passwordPage.text) ?? [];
    expect(to.replaceAll('&amp;', '&')).toBe('/items/9?x=1&y=a%20b');
    const from = somebody();
    const wrong = await unlock(url, 'wrong', { to: '/items/9?x=1', from });
    expect(wrong.text).toContain('name="to" value="/items/9?x=1"');
    const answer = await unlock(url, 'open sesame', { to: '/items/9?x=1', from });
    expect(answer.headers.location).toBe('/items/9?x=1');
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/a\r\nx: y', ''])(
    'does not redirect to another host: %j',
    async (to) => {
      const { url } = await aLockedSite();
      const { headers } = await unlock(url, 'open sesame', { to, from: somebody() });
      expect(headers.location).toBe('/');
    },
  );

  test('a wrong, a missing and an overlong password get the same response', async () => {
    const { url } = await aLockedSite();
    for (const password of ['wrong', '', 'x'.repeat(300), 'OPEN SESAME']) {
      const answer = await unlock(url, password, { from: somebody() });
      expect(answer.status).toBe(401);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.text).toContain('The password is wrong');
      expect(answer.text).toContain('aria-invalid="true"');
    }
  });

  test.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a neighbour', { 'sec-fetch-site': 'same-site', origin: 'null' }],
    ['another site, in an old browser', { origin: 'https://evil.example' }],
  ])('a form of %s opens nothing and uses nothing up', async (_, headers) => {
    const own = await signIn();
    const fields = { access: 'password', password: 'open sesame' };
    const { projectId, url } = await created(own, { files, fields });
    const from = somebody();
    for (let count = 0; count < 8; count += 1) {
      const answer = await unlock(url, count % 2 ? 'wrong' : 'open sesame', { headers, from });
      expect(answer).toMatchObject({ status: 303, headers: { location: '/' } });
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect((await unlock(url, 'open sesame', { from })).headers['set-cookie']).toBeDefined();

    const ownerLink = (await createOwnerLink(own, projectId, baseUrl)).json.data.url;
    const forged = await pressOwnerButton(ownerLink, headers);
    expect([forged.status, forged.headers['set-cookie']]).toEqual([200, undefined]);
    expect((await pressOwnerButton(ownerLink)).status).toBe(303);

    const link = await shared(own, projectId, { maxOpens: 1 });
    const opened = await press(link.url, {}, headers);
    expect([opened.status, opened.headers['set-cookie']]).toEqual([200, undefined]);
    const origin = { 'sec-fetch-site': 'same-origin', origin: 'null' };
    expect((await press(link.url, {}, origin)).status).toBe(303);

    const report = { reason: 'other', message: 'x' };
    expect((await post('/_slipway/report', report, { service: url, headers })).status).toBe(403);
  });

  test.each<[string, (url: string) => Record<string, string>]>([
    ['our page', () => ({ 'sec-fetch-site': 'same-origin', origin: 'null' })],
    ['our page, sent again by the browser', () => ({ 'sec-fetch-site': 'none' })],
    ['our page, in an old browser', () => ({ origin: 'null' })],
    ['its own origin, in an old browser', (url) => ({ origin: new URL(url).origin })],
  ])('a form of %s is accepted', async (_, headersOf) => {
    const fields = { access: 'password', password: 'open sesame' };
    const { url } = await created(stranger, { files, fields });
    const headers = headersOf(url);
    const answer = await unlock(url, 'open sesame', { headers, from: somebody() });
    expect(answer.headers['set-cookie']).toBeDefined();
  });

  test('refuses a cookie of another site', async () => {
    const [one, two] = await Promise.all([aLockedSite(), aLockedSite()]);
    const headers = {
      cookie: cookieFrom(await unlock(one.url, 'open sesame', { from: somebody() })),
    };
    expect((await ask(`${two.url}/`, { headers })).status).toBe(401);
  });
});

local('unlocking what asks for no password', () => {
  test('a public site redirects to the page and sets no cookie', async () => {
    const { url } = await created(key, { files });
    const answer = await unlock(url, 'anything', { to: '/style.css' });
    expect(answer).toMatchObject({ status: 303, headers: { location: '/style.css' } });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test.each([
    ['no site', async () => `${(await aPrivateSite()).url.replace('//', '//no-')}`, 404],
    ['a private site', async () => (await aPrivateSite()).url, 401],
    [
      'an archived one',
      async () => {
        const { projectId, url } = await aLockedSite();
        await putAway(key, projectId, 'archive', baseUrl);
        return url;
      },
      404,
    ],
  ])('%s', async (_, siteOf, status) => {
    const answer = await unlock(await siteOf(), 'open sesame');
    expect(answer.status).toBe(status);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('the app’s own host has no site to unlock', async () => {
    const answer = await unlock(baseUrl, 'open sesame');
    expect(answer.status).toBe(404);
  });

  test('an unpublished site answers like an unknown one everywhere', async () => {
    const { projectId, url } = await created(key, { files });
    await patch(key, projectId, { status: 'private' }, baseUrl);
    const none = url.replace('//', '//no-');
    for (const path of ['/_slipway/report', '/_slipway/preview/x', '/_slipway/owner/x', '/']) {
      const [hidden, absent] = await Promise.all([ask(url + path), ask(none + path)]);
      expect([hidden.status, hidden.text]).toEqual([404, absent.text]);
    }
    const report = { reason: 'other', message: 'x' };
    expect((await post('/_slipway/report', report, { service: url })).status).toBe(404);
  });

  test('a body that is not a form does not count as a try', async () => {
    const { url } = await aLockedSite();
    const answer = await ask(`${url}/_slipway/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"password":"open sesame"}',
    });
    expect(answer.status).toBe(401);
  });
});

local('the owner', () => {
  test.each([
    ['a private site', { access: 'private' }],
    ['a site with a password', { access: 'password', password: 'open sesame' }],
    ['a public site', {}],
  ])('views %s with an owner link', async (_, fields) => {
    const { projectId, url } = await created(key, { files, fields });
    const { status, json } = await createOwnerLink(key, projectId, baseUrl);
    expect(status).toBe(200);
    const left = Date.parse(json.data.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(590_000);
    expect(left).toBeLessThanOrEqual(600_000);
    const opened = await redeem(json.data.url);
    expect(opened).toMatchObject({ status: 303, headers: { location: '/' } });
    expect(opened.headers['set-cookie']?.[0]).toMatch(
      /^__Host-slipway-access=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=86400$/,
    );
    const headers = { cookie: cookieFrom(opened) };
    for (const path of paths) {
      expect((await ask(url + path, { headers })).text).toContain('secret');
    }
  });

  test('cannot open an unavailable project', async () => {
    const { projectId, url } = await aPrivateSite();
    const headers = { cookie: await ownersCookie(key, projectId, baseUrl) };
    expect((await ask(`${url}/`, { headers })).status).toBe(200);
    await patch(key, projectId, { status: 'private' }, baseUrl);
    expect((await ask(`${url}/`, { headers })).status).toBe(404);
  });

  test('gets no link to a foreign or archived project, nor with invalid input', async () => {
    const { projectId, url } = await aPrivateSite();
    expectRefusal(await createOwnerLink(stranger, projectId, baseUrl), 404, 'NOT_FOUND');
    for (const token of ['x', `${projectId}.l.-.9999999999.${'a'.repeat(43)}`, '%00']) {
      const answer = await ask(`${url}/_slipway/owner/${token}`);
      expect(answer.status).toBe(404);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    await putAway(key, projectId, 'archive', baseUrl);
    expectRefusal(await createOwnerLink(key, projectId, baseUrl), 404, 'NOT_FOUND');
  });

  test('a link does not work as a cookie, nor a cookie as a link', async () => {
    const { projectId, url } = await aPrivateSite();
    const { json } = await createOwnerLink(key, projectId, baseUrl);
    const token = json.data.url.split('/').at(-1);
    const headers = { cookie: `__Host-slipway-access=${token}` };
    expect((await ask(`${url}/`, { headers })).status).toBe(401);
    const cookie = cookieFrom(await redeem(json.data.url)).split('=')[1];
    expect((await ask(`${url}/_slipway/owner/${cookie}`)).status).toBe(404);
  });

  test('a link opens no other site', async () => {
    const { projectId } = await aPrivateSite();
    const { json } = await createOwnerLink(key, projectId, baseUrl);
    const { url } = await temporary(files);
    const link = url + new URL(json.data.url).pathname;
    expect((await ask(link)).status).toBe(404);
    expect((await redeem(link)).status).toBe(404);
  });
});
