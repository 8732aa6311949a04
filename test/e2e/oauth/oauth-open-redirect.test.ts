import { beforeAll, describe, expect, test } from '@jest/globals';
import { ofOwnPage } from '../../fixtures/visits/browser.ts';
import { type Answer, ask, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { elementsOf } from '../../fixtures/visits/markup.ts';
import { OAuthApp, type Parameters, pkce } from '../../fixtures/agents/oauth-app.ts';
import { asks, Person } from '../../fixtures/agents/oauth.ts';

// The codes are read from the local inbox.
const local = isLocal ? describe : describe.skip;
const state = `a b+c%20d"'<é>&=#/?;😀`;

const mistakes: [string, Parameters][] = [
  ['another response type', { response_type: 'token' }],
  ['no response type', { response_type: undefined }],
  ['no challenge', { code_challenge: undefined }],
  ['the method plain', { code_challenge_method: 'plain' }],
  ['a foreign resource', { resource: 'https://evil.example/mcp' }],
  ['a request object', { request: 'e30.e30.' }],
];

let app: OAuthApp;
beforeAll(async () => {
  app = await new OAuthApp(baseUrl, 'none', 'https://phishing.example/callback').register(
    '<script>alert(1)</script>',
  );
});
const requestUrl = (more: Parameters = {}) =>
  app.authorizeUrl(pkce().challenge, { state, ...more });

/** Our own page, with the way to the app as a link that somebody has to follow. */
function expectOwnPage(answer: Answer): void {
  expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
  expect(answer.headers['refresh']).toBeUndefined();
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('private, no-store');
  expect(answer.text).not.toMatch(/http-equiv="?refresh|<script/i);
}

function linksOf(answer: Answer): (string | undefined)[] {
  return elementsOf(answer.text)
    .filter(({ tag }) => tag === 'a')
    .map(({ attributes }) => attributes['href']);
}

describe('an invalid authorize request redirects nobody without their consent', () => {
  test.each(mistakes)('%s, without a session', async (_, more) => {
    for (const method of ['GET', 'POST']) {
      const answer = await ask(requestUrl(more), { method, headers: ofOwnPage() });
      expectOwnPage(answer);
    }
  });

  test('the page names the target of its link, and the link contains the whole error', async () => {
    const answer = await ask(requestUrl({ response_type: 'token' }));
    expectOwnPage(answer);
    expect(answer.text).toContain('Return to <bdi>phishing.example</bdi>');
    const [link = '', ...others] = linksOf(answer);
    expect(others).toEqual([]);
    const { origin, searchParams } = new URL(link);
    expect(origin).toBe('https://phishing.example');
    expect(searchParams.get('error')).toBe('unsupported_response_type');
    expect(searchParams.get('state')).toBe(state);
    expect(searchParams.get('iss')).toBe(baseUrl);
  });

  test('`prompt=none` is ignored: it shows the sign-in page and does not redirect to the app', async () => {
    const answer = await ask(requestUrl({ prompt: 'none' }));
    expect([answer.status, answer.headers.location]).toEqual([200, undefined]);
    expect(answer.text).toContain('name="email"');
  });
});

local('with somebody signed in, a mistake', () => {
  let person: Person;
  beforeAll(async () => {
    person = new Person();
    await person.reachConsent(requestUrl());
  });

  test('redirects only after the person has allowed this app', async () => {
    const other = await new OAuthApp().register('Another app');
    await other.connect(person);
    expectOwnPage(await person.open(requestUrl({ response_type: 'token' })));
    const denied = await person.open(requestUrl());
    expect(asks(denied, 'decision')).toBe(true);
    await person.submit(denied, {}, ['decision', 'deny']);
    expectOwnPage(await person.open(requestUrl({ response_type: 'token' })));
  });

  test('redirects the error to an allowed app, with state and issuer, until the grant is revoked', async () => {
    await app.connect(person);
    const answer = await person.open(requestUrl({ response_type: 'token' }));
    const { origin, searchParams } = new URL(answer.left ?? '');
    expect([answer.status, origin]).toEqual([303, 'https://phishing.example']);
    expect(searchParams.get('error')).toBe('unsupported_response_type');
    expect(searchParams.get('state')).toBe(state);
    expect(searchParams.get('iss')).toBe(baseUrl);
    expect(answer.headers['cache-control']).toContain('no-store');
    expectOwnPage(await new Person().open(requestUrl({ response_type: 'token' })));
    const { json } = await person.request('GET', '/v1/connections');
    for (const { id } of json.data.connections) {
      expect((await person.request('DELETE', `/v1/connections/${id}`)).status).toBe(200);
    }
    expectOwnPage(await person.open(requestUrl({ response_type: 'token' })));
  });
});
