import { describe, expect, test } from '@jest/globals';
import { anEmail, codeSentTo, get, post, signIn } from '../fixtures/accounts.ts';
import { Browser, cookieOf, ofOwnPage } from '../fixtures/browser.ts';
import { ask, baseUrl, isLocal } from '../fixtures/client.ts';
import { expectRefusal } from '../fixtures/refusals.ts';

const days = 86_400_000;
const path = `${baseUrl}/v1/session`;
const me = (headers: Record<string, string>) => ask(path, { headers });
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Headers that no page of the service would send, and what is wrong with them. */
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
  test('signs a browser in with a cookie that no script and no other site gets', async () => {
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
    ]);
    const again = await post('/v1/session', { email, code }, { headers: ofOwnPage() });
    expectRefusal(again, 401, 'OTP_EXPIRED');
    expect(again.headers['set-cookie']).toBeUndefined();
    const session = await me({ cookie: `other=1; ${cookieOf(answer)}; __Host-more=2` });
    expect(session.json.data).toEqual({
      email,
      plan: 'pro',
      expiresAt: answer.json.data.expiresAt,
    });
    expect(session.headers['set-cookie']).toBeUndefined();
  });

  test('counts wrong codes as POST /v1/auth/otp/verify does', async () => {
    const email = anEmail();
    await post('/v1/auth/otp/request', { email });
    const bad = wrong(await codeSentTo(email));
    const send = (to: string) => post(to, { email, code: bad }, { headers: ofOwnPage() });
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

  test.each(foreign)('%s is refused, and the code stays good', async (_, headers) => {
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

  test.each([
    ['no code', { email: 'a@example.org' }],
    ['five digits', { email: 'a@example.org', code: '12345' }],
    ['a malformed address', { email: 'a', code: '123456' }],
  ])('%s is 400', async (_, body) => {
    const answer = await post('/v1/session', body, { headers: ofOwnPage() });
    expectRefusal(answer, 400, 'INVALID_REQUEST');
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

  test('a key does not stand in for a session, nor a session for a key', async () => {
    const answer = await get('/v1/session', await signIn());
    expectRefusal(answer, 401, 'SESSION_MISSING');
    expect(answer.json.error).toMatch(/key/);
    const { cookie } = await new Browser().signIn();
    const user = await ask(`${baseUrl}/v1/user`, { headers: { cookie } });
    expectRefusal(user, 401, 'API_KEY_MISSING');
    const token = cookie.split('=')[1] ?? '';
    expectRefusal(await get('/v1/user', token), 401, 'API_KEY_INVALID');
  });
});

local('DELETE /v1/session', () => {
  test('signs this browser out at once, and no other', async () => {
    const email = anEmail();
    const [one, other] = [await new Browser(email).signIn(), await new Browser(email).signIn()];
    const { cookie } = one;
    const answer = await one.send('DELETE', '/v1/session');
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ status: 'success', data: { signedOut: true } });
    expect(answer.headers['set-cookie']).toEqual([
      '__Host-slipway-session=; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=0',
    ]);
    expectRefusal(await me({ cookie }), 401, 'SESSION_MISSING');
    expect((await other.send('GET', '/v1/session')).json.data.email).toBe(email);
  });

  test('answers 200 where nobody is signed in', async () => {
    for (const headers of [{}, { cookie: '__Host-slipway-session=x' }]) {
      const answer = await ask(path, { method: 'DELETE', headers: { ...ofOwnPage(), ...headers } });
      expect(answer.json).toEqual({ status: 'success', data: { signedOut: true } });
    }
  });

  test.each(foreign)('%s is refused, and the session goes on', async (_, headers) => {
    const { cookie } = await new Browser().signIn();
    const answer = await ask(path, { method: 'DELETE', headers: { cookie, ...defined(headers) } });
    expectRefusal(answer, 403, 'ORIGIN_REFUSED');
    expect((await me({ cookie })).status).toBe(200);
  });
});
