import { beforeAll, describe, expect, test } from '@jest/globals';
import { anEmail, codeSentTo, mailsTo } from '../../fixtures/accounts/accounts.ts';
import { Browser, ofOwnPage } from '../../fixtures/visits/browser.ts';
import { type Answer, ask, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { type Element, elementsOf } from '../../fixtures/visits/markup.ts';
import { OAuthApp, type Parameters, pkce } from '../../fixtures/agents/oauth-app.ts';
import { asks, type Page, Person } from '../../fixtures/agents/oauth.ts';
import { expectNoInsides, expectRefusal } from '../../fixtures/clouds/refusals.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const state = `a b+c%20d"'<é>&=#/?;😀`;

let app: OAuthApp;
beforeAll(async () => {
  app = await new OAuthApp().register('Tide "table" <b>&amp;');
});
const requestUrl = (more: Parameters = {}) =>
  app.authorizeUrl(pkce().challenge, { state, ...more });

/** A page of ours that nobody stores, frames or reads from elsewhere, and whose forms may lead to the app. */
function expectPage(answer: Answer, status: number): void {
  expect([answer.status, answer.text.replace(/<style>[\s\S]*?<\/style>/g, '')]).toEqual([
    status,
    expect.any(String),
  ]);
  const { headers } = answer;
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['cache-control']).toBe('private, no-store');
  expect(headers['referrer-policy']).toBe('same-origin');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers).not.toHaveProperty('access-control-allow-origin');
  expect(headers).not.toHaveProperty('location');
  const csp = String(headers['content-security-policy']);
  expect(csp).toContain("default-src 'none'");
  expect(csp).toContain("frame-ancestors 'none'");
  expect(csp).toContain("base-uri 'none'");
  expect(csp).not.toMatch(/unsafe|\*|script-src|form-action/);
  expect(elementsOf(answer.text).filter(isActive)).toEqual([]);
  expectNoInsides(answer.text);
}

/** Markup of ours has neither. */
function isActive({ tag, attributes }: Element): boolean {
  return tag === 'script' || Object.keys(attributes).some((name) => name.startsWith('on'));
}

function fieldOf({ forms }: Page, name: string): string {
  return new Map(forms.flatMap(({ fields }) => fields)).get(name) ?? '';
}

local('signing in at /oauth/authorize', () => {
  test('accepts the address, then the code, and continues to the consent page of the same request', async () => {
    const person = new Person();
    const url = requestUrl();
    const first = await person.open(url);
    expectPage(first, 200);
    expect(first.words).toContain('Sign in to connect Tide "table" <b>&amp;');
    expect(first.text).not.toContain('<b>');
    const second = await person.submit(first, { email: person.email });
    expectPage(second, 200);
    const code = await codeSentTo(person.email);
    expect(second.text).not.toContain(code);
    const mistyped = await person.submit(second, { code: wrong(code) });
    expectPage(mistyped, 401);
    expect(mistyped.words).toContain('Attempts left: 4');
    expect(person.lastingCookies).toEqual({});
    const consent = await person.submit(mistyped, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expectPage(consent, 200);
    expect(asks(consent, 'decision')).toBe(true);
    expect(consent.words).toContain(person.email);
    expect(new URL(consent.url).pathname).toBe('/oauth/authorize');
    const sorted = (of: string) => [...new URL(of).searchParams].map(String).toSorted();
    expect(sorted(consent.url)).toEqual(sorted(url));
  });

  test('stores one session in two cookies, one of which is sent from other sites', async () => {
    const email = anEmail();
    const send = (fields: Record<string, string>) =>
      ask(requestUrl(), {
        method: 'POST',
        headers: { ...ofOwnPage(), 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      });
    await send({ email });
    const answer = await send({ email, code: await codeSentTo(email) });
    expect(answer.status).toBe(303);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    const cookies = answer.headers['set-cookie'] ?? [];
    const [, token = ''] = /=([\w-]{43});/.exec(cookies[0] ?? '') ?? [];
    const life = 'Path=/; Max-Age=2592000';
    expect(cookies.filter((cookie) => !cookie.startsWith('__Host-slipway-browser='))).toEqual([
      `__Host-slipway-session=${token}; HttpOnly; Secure; SameSite=Strict; ${life}`,
      `__Host-slipway-sign-in=${token}; HttpOnly; Secure; SameSite=Lax; ${life}`,
    ]);
    const open = (cookie: string) => ask(requestUrl(), { headers: { cookie } });
    expect((await open(`__Host-slipway-sign-in=${token}`)).text).toContain('Don’t allow');
    expect((await open(`__Host-slipway-session=${token}`)).text).not.toContain('Don’t allow');
    const signOut = await ask(`${baseUrl}/v1/session`, {
      method: 'DELETE',
      headers: { ...ofOwnPage(), cookie: `__Host-slipway-session=${token}` },
    });
    expect(signOut.status).toBe(200);
    expect((await open(`__Host-slipway-sign-in=${token}`)).text).not.toContain('Don’t allow');
  });

  test('is not needed by whoever is signed in to the dashboard, until that session ends', async () => {
    const person = await new Person().signIn();
    const mails = await mailsTo(person.email);
    const consent = await person.open(requestUrl());
    expectPage(consent, 200);
    expect(asks(consent, 'decision')).toBe(true);
    expect(consent.words).toContain(person.email);
    expect(await mailsTo(person.email)).toHaveLength(mails.length);
    const cookie = `__Host-slipway-sign-in=${person.cookies['__Host-slipway-sign-in']}`;
    const api = await ask(`${baseUrl}/v1/session`, { headers: { cookie } });
    expectRefusal(api, 401, 'SESSION_MISSING');
    expect((await person.request('DELETE', '/v1/session')).status).toBe(200);
    expect(Object.keys(person.lastingCookies)).toEqual(['__Host-slipway-browser']);
    expect(asks(await person.open(requestUrl(), { headers: { cookie } }), 'email')).toBe(true);
    expectPage(await person.submit(consent, {}, ['decision', 'allow']), 403);
  });

  test.each([
    ['no address', {}, 'Enter a valid e-mail address'],
    ['markup for an address', { email: '"><svg onload=alert(1)>' }, 'valid e-mail address'],
    [
      'a code that is none',
      { email: 'a@example.org', code: '12ab56' },
      'Enter the six digits of the code',
    ],
  ])('explains the error for %s', async (_, fields: Record<string, string>, said) => {
    const body = new URLSearchParams(fields).toString();
    const answer = await new Person().send(requestUrl(), body);
    expectPage(answer, 400);
    expect(answer.words).toContain(said);
    expect(answer.text).not.toContain('<svg onload');
  });

  test.each([
    ['JSON', 'application/json', '{"email":"a@example.org"}'],
    ['bytes', 'application/octet-stream', Buffer.from([0, 255, 37]).toString('latin1')],
    [
      'far too much',
      'application/x-www-form-urlencoded',
      `email=a@example.org&x=${'x'.repeat(17_000)}`,
    ],
  ])('takes a body of %s for a form without an address', async (_, type, body) => {
    expectPage(await new Person().send(requestUrl(), body, { 'content-type': type }), 400);
  });

  test('sends the code again on request, and shows when it is possible', async () => {
    const person = new Person();
    const second = await person.submit(await person.open(requestUrl()), { email: person.email });
    expect(second.words).toMatch(/sent again in \d+ seconds/);
    const early = await person.submit(second, {}, ['resend', '1']);
    expectPage(early, 200);
    expect(early.words).not.toContain('The code was sent again');
  });
});

local('deciding at /oauth/authorize', () => {
  let person: Person;
  let consent: Page;
  beforeAll(async () => {
    person = new Person();
    consent = await person.reachConsent(requestUrl());
  });
  const allow = (page: Page) =>
    new URLSearchParams({ proof: fieldOf(page, 'proof'), decision: 'allow' }).toString();

  test('names the app, the requested access, the account and the target of the answer', () => {
    expect(consent.words).toContain('Connect Tide "table" <b>&amp;?');
    expect(consent.words).toContain('Return addressapp.example');
    expect(consent.words).toContain('Publish, change and delete projects');
    expect(consent.text).not.toContain('<b>');
  });

  test.each(['allow', 'deny'] as const)('on %s returns state byte for byte', async (decision) => {
    const page = await person.open(requestUrl());
    const { left = '', status } = await person.submit(page, {}, ['decision', decision]);
    expect(status).toBe(303);
    expect(left.startsWith('https://app.example/callback?')).toBe(true);
    const answered = new URL(left).searchParams;
    expect(answered.get('state')).toBe(state);
    expect(answered.get('iss')).toBe(baseUrl);
    expect(answered.get('error')).toBe(decision === 'deny' ? 'access_denied' : null);
    expect(answered.has('code')).toBe(decision === 'allow');
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['without Origin', { origin: undefined, 'sec-fetch-site': undefined }],
    ['of another site', { origin: 'https://evil.example' }],
    ['of an opaque origin', { origin: 'null' }],
    ['that the browser calls of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses a form %s, to sign in and to allow', async (_, over) => {
    const cookie = Object.entries(person.cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const sent = Object.entries({ ...ofOwnPage(), ...over, cookie });
    const headers = {
      ...Object.fromEntries(sent.filter(([, value]) => value !== undefined)),
      'content-type': 'application/x-www-form-urlencoded',
    };
    for (const body of [allow(consent), `email=${anEmail()}`]) {
      const answer = await ask(consent.url, { method: 'POST', headers, body });
      expectPage(answer, 403);
      expect(answer.text).toContain('Please start again');
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test.each<[string, (page: Page) => Promise<string>]>([
    ['without a proof', async () => 'decision=allow'],
    ['with an invented proof', async () => `decision=allow&proof=1893459845.${'A'.repeat(43)}`],
    [
      'with the proof of another person',
      async () => allow(await new Person().reachConsent(requestUrl())),
    ],
    [
      'with the proof of another request',
      async () => allow(await person.open(requestUrl({ state: 'another' }))),
    ],
    ['with no decision that there is', async (page) => allow(page).replace('allow', 'perhaps')],
    ['that would sign out without a proof', async () => 'account=other'],
  ])('refuses a form %s', async (_, make) => {
    const answer = await person.send(consent.url, await make(consent));
    expectPage(answer, 403);
    expect(answer.left).toBeUndefined();
    expect(answer.words).toContain('Nothing was allowed');
    expect((await person.open(requestUrl())).words).toContain(person.email);
  });

  test('refuses the form of an ended session, and without a session', async () => {
    const gone = new Person();
    const page = await gone.reachConsent(requestUrl());
    expect((await gone.request('DELETE', '/v1/session')).status).toBe(200);
    expectPage(await gone.submit(page, {}, ['decision', 'allow']), 403);
    expectPage(await new Person().send(page.url, allow(page)), 403);
  });

  test('lets a person use another account, and ends the session of this one', async () => {
    const one = new Person();
    const page = await one.reachConsent(requestUrl());
    const { ...before } = one.cookies;
    const again = await one.submit(page, {}, ['account', 'other']);
    expectPage(again, 200);
    expect(asks(again, 'email')).toBe(true);
    // It identifies the browser at its next sign-in; it gives no access.
    expect(Object.keys(one.lastingCookies)).toEqual(['__Host-slipway-browser']);
    const cookie = `__Host-slipway-session=${before['__Host-slipway-session']}`;
    expectRefusal(
      await ask(`${baseUrl}/v1/session`, { headers: { cookie } }),
      401,
      'SESSION_MISSING',
    );
  });

  test('does not accept the session cookie of the app’s own pages', async () => {
    const { cookie } = await new Browser().signIn();
    expect((await ask(requestUrl(), { headers: { cookie } })).text).toContain('name="email"');
  });
});

describe('a request with an unknown app', () => {
  const marker = '"><script>alert(1)</script>';
  test.each<[string, string]>([
    ['nothing', ''],
    ['markup for a client', `?client_id=${encodeURIComponent(marker)}`],
    ['two clients', '?client_id=a&client_id=b'],
    ['a client document in markup', `?client_id=${encodeURIComponent(`https://${marker}/x`)}`],
    ['bytes that are no text', '?client_id=%ff%fe%00'],
    ['a name of objects', '?__proto__=x&constructor=y&client_id=__proto__'],
  ])('%s shows a page with the next step', async (_, query) => {
    const answer = await ask(`${baseUrl}/oauth/authorize${query}`);
    expectPage(answer, 400);
    expect(answer.text.includes('<script>alert')).toBe(false);
    expect(/in the app/.test(answer.text)).toBe(true);
  });

  test.each(['https://evil.example/', 'javascript:alert(1)', `https://app.example/${marker}`])(
    'never redirects to %s',
    async (redirect_uri) => {
      for (const method of ['GET', 'POST']) {
        const answer = await ask(requestUrl({ redirect_uri }), { method, headers: ofOwnPage() });
        expectPage(answer, 400);
        expect(answer.text).not.toContain('evil.example');
        expect(answer.text.includes('<script>alert')).toBe(false);
      }
    },
  );

  test('a link that is too long for a header is refused, and a shorter one is not', async () => {
    const long = await ask(requestUrl({ state: 'x'.repeat(6200) }));
    expectPage(long, 400);
    expect(long.text.includes('The link is too long.')).toBe(true);
    expectPage(await ask(requestUrl({ state: 'x'.repeat(5000) })), 200);
  });
});
