import { describe, expect, test } from '@jest/globals';
import {
  anEmail,
  codeSentTo,
  get,
  mailsTo,
  post,
  sendWith,
  signIn,
} from '../../fixtures/accounts/accounts.ts';
import { Browser, cookieOf, ofOwnPage } from '../../fixtures/visits/browser.ts';
import { ask, baseUrl, isLocal, somebody } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const days = 86_400_000;
const path = `${baseUrl}/v1/session`;
const me = (headers: Record<string, string>) => ask(path, { headers });
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Headers that no page of the service would send, with their error. */
const foreign: [string, Record<string, string | undefined>][] = [
  ['without Origin', { origin: undefined, 'sec-fetch-site': undefined }],
  ['from another site', { origin: 'https://evil.example' }],
  ['from an opaque origin', { origin: 'null' }],
  ['from a subdomain', { origin: ofOwnPage().origin?.replace('//', '//evil.') }],
  ['from another port', { origin: `${ofOwnPage().origin}1` }],
  ['from another scheme', { origin: ofOwnPage().origin?.replace(/^http/, 'ftp') }],
  ['with a path behind the origin', { origin: `${ofOwnPage().origin}/` }],
  ['from a site that the browser calls another', { 'sec-fetch-site': 'same-site' }],
  ['from an address that a person typed', { 'sec-fetch-site': 'none' }],
];
const defined = (headers: Record<string, string | undefined>) =>
  Object.fromEntries(
    Object.entries({ ...ofOwnPage(), ...headers }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;

local('POST /v1/session', () => {
  test('signs a browser in with HttpOnly cookies, Strict for our own pages and Lax for those that apps open', async () => {
    const email = anEmail();
    await post('/v1/auth/otp/request', { email });
    const code = await codeSentTo(email);
    const answer = await post('/v1/session', { email, code }, { headers: ofOwnPage() });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      status: 'success',
      data: { email, expiresAt: expect.any(String) },
    });
    const life = Date.parse(answer.json.data.expiresAt) - Date.now();
    expect(Math.abs(life - 30 * days)).toBeLessThan(10_000);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-slipway-session=[\w-]{43}; HttpOnly; Secure; SameSite=Strict; Path=\/; Max-Age=2592000$/,
      ),
      expect.stringMatching(
        /^__Host-slipway-browser=[\w-]{43}; HttpOnly; Secure; SameSite=Lax; Path=\/; Max-Age=34560000$/,
      ),
      expect.stringMatching(
        /^__Host-slipway-sign-in=[\w-]{43}; HttpOnly; Secure; SameSite=Lax; Path=\/; Max-Age=2592000$/,
      ),
    ]);
    const again = await post('/v1/session', { email, code }, { headers: ofOwnPage() });
    expectRefusal(again, 401, 'OTP_EXPIRED');
    expect(again.headers['set-cookie']).toBeUndefined();
    const session = await me({ cookie: `other=1; ${cookieOf(answer)}; __Host-more=2` });
    expect(session.json.data).toEqual({
      email,
      plan: 'pro',
      expiresAt: answer.json.data.expiresAt,
      isOperator: false,
    });
    expect(session.headers['set-cookie']).toBeUndefined();
  });

  test('counts wrong codes as POST /v1/auth/otp/verify does', async () => {
    const [email, from] = [anEmail(), somebody()];
    await post('/v1/auth/otp/request', { email }, { from });
    const bad = wrong(await codeSentTo(email));
    const send = (to: string) => post(to, { email, code: bad }, { from, headers: ofOwnPage() });
    for (const [to, attemptsLeft] of [
      ['/v1/session', 4],
      ['/v1/auth/otp/verify', 3],
      ['/v1/session', 2],
      ['/v1/session', 1],
    ] as const) {
      const answer = await send(to);
      expectRefusal(answer, 401, 'OTP_INVALID');
      expect(answer.json.attemptsLeft).toBe(attemptsLeft);
    }
    expectRefusal(await send('/v1/session'), 429, 'OTP_TOO_MANY_ATTEMPTS');
  });

  test.each(foreign)('%s is refused, and the code still works', async (_, headers) => {
    const email = anEmail();
    await post('/v1/auth/otp/request', { email });
    const body = JSON.stringify({ email, code: await codeSentTo(email) });
    const send = (more: Record<string, string>) =>
      ask(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...more } });
    const answer = await send(defined(headers));
    expectRefusal(answer, 403, 'ORIGIN_REFUSED');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await send(ofOwnPage())).status).toBe(200);
  });
});

local('GET /v1/session', () => {
  test.each([
    ['no cookie', {}],
    ['a foreign cookie', { cookie: 'session=1' }],
    ['an empty one', { cookie: '__Host-slipway-session=' }],
    ['one of nobody', { cookie: `__Host-slipway-session=${'a'.repeat(43)}` }],
    ['one that is no token', { cookie: '__Host-slipway-session=../../etc' }],
  ])('%s is 401', async (_, headers) => {
    expectRefusal(await me(headers), 401, 'SESSION_MISSING');
  });

  test('a key does not replace a session, nor a session the key that is checked', async () => {
    const answer = await get('/v1/session', await signIn());
    expectRefusal(answer, 401, 'SESSION_MISSING');
    expect(answer.json.error).toMatch(/key/);
    const { cookie } = await new Browser().signIn();
    const checked = await ask(`${baseUrl}/v1/auth/session`, { headers: { cookie } });
    expectRefusal(checked, 401, 'API_KEY_MISSING');
    const token = cookie.split('=')[1] ?? '';
    expectRefusal(await get('/v1/user', token), 401, 'API_KEY_INVALID');
  });
});

local('a session where a key would do', () => {
  test('publishes, lists and deletes; another account sees nothing of it', async () => {
    const [browser, stranger] = [await new Browser().signIn(), await new Browser().signIn()];
    const { json } = await browser.send('GET', '/v1/user');
    expect(json.data.email).toBe(browser.email);
    const begun = await browser.send('POST', '/v1/uploads', {
      files: [{ path: 'index.html', size: 2 }],
    });
    const { uploadId, parts } = begun.json.data;
    await ask(parts[0].url, { method: 'PUT', body: 'hi' });
    const created = await browser.send('POST', '/v1/projects', { title: 'Mine', uploadId });
    expect(created.status).toBe(201);
    const { projectId } = created.json.data;
    const listed = await browser.send('GET', '/v1/projects');
    expect(listed.json.data.projects.map(({ id }: { id: string }) => id)).toEqual([projectId]);
    const path = `/v1/projects/${projectId}`;
    expectRefusal(await stranger.send('GET', path), 404, 'NOT_FOUND');
    expectRefusal(await stranger.send('DELETE', path), 404, 'NOT_FOUND');
    expect((await browser.send('DELETE', path)).status).toBe(200);
  });

  test('an upload of a browser belongs to its account, and to nobody else', async () => {
    const browser = await new Browser().signIn();
    const begun = await browser.send('POST', '/v1/uploads', {
      files: [{ path: 'index.html', size: 2 }],
    });
    const path = `/v1/uploads/${begun.json.data.uploadId}`;
    expect((await browser.send('GET', path)).status).toBe(200);
    expectRefusal(await ask(baseUrl + path), 404, 'NOT_FOUND');
    const ended = { headers: { cookie: `__Host-slipway-session=${'a'.repeat(43)}` } };
    expectRefusal(await ask(baseUrl + path, ended), 401, 'SESSION_MISSING');
  });

  test.each(foreign)('a write %s is refused', async (_, headers) => {
    const { cookie } = await new Browser().signIn();
    const answer = await ask(`${baseUrl}/v1/workspaces`, {
      method: 'POST',
      body: JSON.stringify({ name: 'x' }),
      headers: { 'content-type': 'application/json', cookie, ...defined(headers) },
    });
    expectRefusal(answer, 403, 'ORIGIN_REFUSED');
  });

  test('a key that is sent decides, also a wrong one', async () => {
    const { cookie } = await new Browser().signIn();
    const headers = { cookie, authorization: 'Bearer sw_live_x' };
    expectRefusal(await ask(`${baseUrl}/v1/user`, { headers }), 401, 'API_KEY_INVALID');
  });

  test('no response allows another page to read what the cookie shows', async () => {
    const { cookie } = await new Browser().signIn();
    const headers = { cookie, origin: 'https://evil.example' };
    const answer = await ask(`${baseUrl}/v1/user`, { headers });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  test('an upload link names the browser that made it, and ends with its session', async () => {
    const browser = await new Browser().signIn();
    const { json } = await browser.send('POST', '/v1/upload-links', { title: 'Survey' });
    const listed = await browser.send('GET', '/v1/upload-links');
    expect(listed.json.data.uploadLinks[0].madeBy).toMatchObject({ kind: 'session' });
    const other = await new Browser(browser.email).signIn();
    await browser.send('DELETE', '/v1/session');
    expect((await other.send('GET', '/v1/upload-links')).json.data.uploadLinks).toEqual([]);
    const used = await ask(json.data.uploadUrl, {
      method: 'PUT',
      body: JSON.stringify({ uploadId: '00000000-0000-4000-8000-000000000000' }),
      headers: { 'content-type': 'application/json' },
    });
    expectRefusal(used, 404, 'UPLOAD_LINK_NOT_FOUND');
  });
});

local('DELETE /v1/session', () => {
  test('signs this browser out immediately, and no other', async () => {
    const email = anEmail();
    const [one, other] = [await new Browser(email).signIn(), await new Browser(email).signIn()];
    const { cookie } = one;
    const answer = await one.send('DELETE', '/v1/session');
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ status: 'success', data: { signedOut: true } });
    expect(answer.headers['set-cookie']).toEqual([
      '__Host-slipway-session=; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=0',
      '__Host-slipway-sign-in=; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=0',
    ]);
    expectRefusal(await me({ cookie }), 401, 'SESSION_MISSING');
    expect((await other.send('GET', '/v1/session')).json.data.email).toBe(email);
  });

  test('ends its own session, though another one ended with the same Idempotency-Key', async () => {
    const from = somebody();
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const [one, other] = [await new Browser().signIn(), await new Browser().signIn()];
    const { cookie } = other;
    expect((await one.send('DELETE', '/v1/session', undefined, { from, headers })).status).toBe(
      200,
    );
    expect((await other.send('DELETE', '/v1/session', undefined, { from, headers })).status).toBe(
      200,
    );
    expect((await me({ cookie })).status).toBe(401);
  });

  test('answers 200 without a session', async () => {
    for (const headers of [{}, { cookie: '__Host-slipway-session=x' }]) {
      const answer = await ask(path, { method: 'DELETE', headers: { ...ofOwnPage(), ...headers } });
      expect(answer.json).toEqual({ status: 'success', data: { signedOut: true } });
    }
  });

  test.each(foreign)('%s is refused, and the session continues', async (_, headers) => {
    const { cookie } = await new Browser().signIn();
    const answer = await ask(path, { method: 'DELETE', headers: { cookie, ...defined(headers) } });
    expectRefusal(answer, 403, 'ORIGIN_REFUSED');
    expect((await me({ cookie })).status).toBe(200);
  });
});

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';

local('GET and DELETE /v1/sessions', () => {
  const list = async (browser: Browser) =>
    (await browser.send('GET', '/v1/sessions')).json.data.sessions;

  test('list the signed-in browsers with their descriptions', async () => {
    const email = anEmail();
    const one = await new Browser(email).signIn();
    const other = new Browser(email);
    await post('/v1/auth/otp/request', { email });
    const body = { email, code: await codeSentTo(email) };
    await other.send('POST', '/v1/session', body, { headers: { 'user-agent': firefox } });
    await new Browser().signIn();
    const sessions = await list(one);
    expect(sessions).toHaveLength(2);
    expect(sessions).toContainEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      expiresAt: expect.any(String),
      browser: 'Firefox',
      os: 'Windows',
      country: null,
      current: false,
    });
    expect(sessions.filter(({ current }: any) => current)).toHaveLength(1);
    for (const { createdAt, expiresAt } of sessions) {
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * days);
    }
    expect(JSON.stringify(sessions)).not.toContain(one.cookie.split('=')[1]);
    expect((await list(other)).find(({ current }: any) => current).browser).toBe('Firefox');
  });

  test('a browser that another one signs out is refused at its next request and is not listed', async () => {
    const email = anEmail();
    const [one, other] = [await new Browser(email).signIn(), await new Browser(email).signIn()];
    const { id } = (await list(one)).find(({ current }: any) => !current);
    const foreign = await (await new Browser().signIn()).send('DELETE', `/v1/sessions/${id}`);
    expectRefusal(foreign, 404, 'NOT_FOUND');
    expect((await me({ cookie: other.cookie })).status).toBe(200);
    const deleted = await one.send('DELETE', `/v1/sessions/${id}`);
    expect(deleted.json).toEqual({ status: 'success', data: { deleted: true } });
    expectRefusal(await me({ cookie: other.cookie }), 401, 'SESSION_MISSING');
    expectRefusal(await one.send('DELETE', `/v1/sessions/${id}`), 404, 'NOT_FOUND');
    expectRefusal(await one.send('DELETE', '/v1/sessions/x'), 404, 'NOT_FOUND');
    expect(await list(one)).toHaveLength(1);
  });

  test('all others are signed out immediately, and this one continues', async () => {
    const email = anEmail();
    const [one, ...others] = [
      await new Browser(email).signIn(),
      await new Browser(email).signIn(),
      await new Browser(email).signIn(),
    ];
    const answer = await one.send('DELETE', '/v1/sessions');
    expect(answer.json).toEqual({ status: 'success', data: { deleted: 2 } });
    for (const { cookie } of others) expectRefusal(await me({ cookie }), 401, 'SESSION_MISSING');
    expect(await list(one)).toMatchObject([{ current: true }]);
    expect((await one.send('DELETE', '/v1/sessions')).json.data).toEqual({ deleted: 0 });
  });

  test('requests during the end of their session are answered or refused, and the session stays ended', async () => {
    const email = anEmail();
    const [one, other] = [await new Browser(email).signIn(), await new Browser(email).signIn()];
    const uses = Array.from({ length: 8 }, () => me({ cookie: other.cookie }));
    const answers = await Promise.all([...uses, one.send('DELETE', '/v1/sessions')]);
    expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true);
    expectRefusal(await me({ cookie: other.cookie }), 401, 'SESSION_MISSING');
    expect(await list(one)).toHaveLength(1);
  });

  test('a key does not open them, and a page of another site cannot send them', async () => {
    const browser = await new Browser().signIn();
    const { cookie } = browser;
    const key = await signIn(browser.email);
    expectRefusal(await get('/v1/sessions', key), 401, 'SESSION_MISSING');
    const withKey = await sendWith(key, `${baseUrl}/v1/sessions`, undefined, 'DELETE');
    expectRefusal(withKey, 401, 'SESSION_MISSING');
    for (const url of [`${baseUrl}/v1/sessions`, `${baseUrl}/v1/sessions/x`]) {
      const evil = { cookie, origin: 'https://evil.example' };
      const answer = await ask(url, { method: 'DELETE', headers: evil });
      expectRefusal(answer, 403, 'ORIGIN_REFUSED');
    }
    expect(await list(browser)).toHaveLength(1);
  });
});

local('a mail for a new sign-in', () => {
  const notices = async (email: string) =>
    (await mailsTo(email)).filter(({ subject }) => !/\d{6}/.test(subject));

  test('is sent for a browser that is new to the account, and explains how to end its session', async () => {
    const browser = await new Browser().signIn();
    const { email } = browser;
    await browser.signIn();
    expect(await notices(email)).toEqual([]);
    await new Browser(email).signIn();
    const [mail, ...more] = await notices(email);
    expect(more).toEqual([]);
    expect(mail.subject).toBe('A new browser signed in to Slipway');
    expect(mail.text).toContain(`${baseUrl}/dashboard/account`);
  });

  test('is sent for a key of an existing account', async () => {
    const { email } = await new Browser().signIn();
    await signIn(email);
    expect((await notices(email)).map(({ subject }) => subject)).toEqual([
      'A new key for your Slipway account',
    ]);
  });
});

local('/v1/account/mails', () => {
  test('has all mails on, and keeps what was switched off', async () => {
    const browser = await new Browser().signIn();
    const all = { opens: true, uploads: true, expiry: true, trial: true, takedowns: true };
    const choices = async () =>
      (await browser.send('GET', '/v1/account/mails')).json.data.mails as typeof all;
    expect(await choices()).toEqual(all);
    for (const [mails, expected] of [
      [{ trial: false }, { ...all, trial: false }],
      [{ opens: false }, { ...all, trial: false, opens: false }],
      [{ trial: true }, { ...all, opens: false }],
    ]) {
      const answer = await browser.send('PATCH', '/v1/account/mails', { mails });
      expect([answer.status, answer.json.data.mails]).toEqual([200, expected]);
      expect(await choices()).toEqual(expected);
    }
    const refused = await browser.send('PATCH', '/v1/account/mails', { mails: { codes: false } });
    expectRefusal(refused, 422, 'VALIDATION_FAILED');
  });
});
