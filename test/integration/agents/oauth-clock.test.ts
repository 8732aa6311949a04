import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bearerChallenge } from '../../../contract/oauth/oauth.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { asks, Person } from '../../fixtures/agents/oauth.ts';
import {
  expectOAuthError,
  listTools,
  OAuthApp,
  pkce,
  tokensOf,
} from '../../fixtures/agents/oauth-app.ts';

const cloud = new LocalCloud();
beforeAll(() => cloud.start(), 180_000);
afterAll(() => cloud.remove());

const day = 86_400;
const anApp = () => new OAuthApp(cloud.baseUrl).register();
const aPerson = () => new Person(cloud.baseUrl);
const rows = async () => (await cloud.state()).rows['oauth'] ?? [];

async function expectDead(token: string): Promise<void> {
  const answer = await listTools(token, cloud.baseUrl);
  expect({ status: answer.status, body: answer.text }).toMatchObject({ status: 401 });
  expect(answer.headers['www-authenticate']).toBe(
    bearerChallenge(cloud.baseUrl, { error: 'invalid_token' }),
  );
}

const works = async (token: string) => (await listTools(token, cloud.baseUrl)).status === 200;

describe('a code', () => {
  test('is valid for a minute', async () => {
    const [app, person] = [await anApp(), aPerson()];
    const inTime = await app.codeFrom(person);
    await cloud.advance(40);
    tokensOf(await app.exchange(inTime));
    const late = await app.codeFrom(person);
    await cloud.advance(61);
    expectOAuthError(await app.exchange(late), 400, 'invalid_grant');
  });
});

describe('an access token', () => {
  test('is valid for an hour, as stated; then the app refreshes', async () => {
    const app = await anApp();
    const {
      access_token: token,
      refresh_token: refresh,
      expires_in,
    } = await app.connect(aPerson());
    expect(expires_in).toBe(3600);
    await cloud.advance(3500);
    expect(await works(token)).toBe(true);
    await cloud.advance(101);
    await expectDead(token);
    const next = tokensOf(await app.refresh(refresh));
    expect(await works(next.access_token)).toBe(true);
    await expectDead(token);
  });
});

describe('a refresh token', () => {
  test('replayed within two minutes returns the same successor, with its remaining lifetime', async () => {
    const app = await anApp();
    const { refresh_token: old } = await app.connect(aPerson());
    const next = tokensOf(await app.refresh(old));
    await cloud.advance(90);
    const again = tokensOf(await app.refresh(old));
    expect(again).toEqual({ ...next, expires_in: expect.any(Number) });
    expect(again.expires_in).toBeLessThanOrEqual(3600 - 90);
    expect(again.expires_in).toBeGreaterThan(3600 - 150);
    expect(await works(next.access_token)).toBe(true);
  });

  test('replayed after two minutes ends the grant, for the thief and the owner', async () => {
    const app = await anApp();
    const { refresh_token: old } = await app.connect(aPerson());
    const next = tokensOf(await app.refresh(old));
    await cloud.advance(121);
    expect(await works(next.access_token)).toBe(true);
    expectOAuthError(await app.refresh(old), 400, 'invalid_grant');
    await expectDead(next.access_token);
    expectOAuthError(await app.refresh(next.refresh_token), 400, 'invalid_grant');
  });

  test('replayed late by another client ends nothing', async () => {
    const [app, stranger] = [await anApp(), await anApp()];
    const { refresh_token: old } = await app.connect(aPerson());
    const next = tokensOf(await app.refresh(old));
    await cloud.advance(121);
    expectOAuthError(await stranger.refresh(old), 400, 'invalid_grant');
    expect(await works(next.access_token)).toBe(true);
  });

  test('is valid for sixty days from its last use, its client at least as long', async () => {
    const app = await anApp();
    let { refresh_token: refresh } = await app.connect(aPerson());
    for (const days of [59, 59]) {
      await cloud.advance(days * day);
      ({ refresh_token: refresh } = tokensOf(await app.refresh(refresh)));
    }
    await cloud.advance(60 * day + 60);
    // The client is still known: 400, not 401, so the app asks its person and does not register anew.
    expectOAuthError(await app.refresh(refresh), 400, 'invalid_grant');
    expect(asks(await aPerson().open(app.authorizeUrl(pkce().challenge)), 'email')).toBe(true);
  });
});

describe('a session', () => {
  test('serves the next app without a code, until it is signed out or ends after thirty days', async () => {
    const [app, person] = [await anApp(), aPerson()];
    const url = () => app.authorizeUrl(pkce().challenge);
    await app.connect(person);
    expect(asks(await person.open(url()), 'decision')).toBe(true);
    expect((await person.request('GET', '/v1/session')).json.data.email).toBe(person.email);
    await cloud.advance(31 * day);
    expect(asks(await person.open(url()), 'email')).toBe(true);
    await app.connect(person);
    expect((await person.request('DELETE', '/v1/session')).status).toBe(200);
    expect(asks(await person.open(url()), 'email')).toBe(true);
  });

  test('that is signed out is refused with its old cookies, and the app still works', async () => {
    const [app, person] = [await anApp(), aPerson()];
    const { access_token: token } = await app.connect(person);
    const cookie = Object.entries(person.cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    expect(Object.keys(person.lastingCookies).toSorted()).toEqual([
      '__Host-slipway-browser',
      '__Host-slipway-session',
      '__Host-slipway-sign-in',
    ]);
    await person.request('DELETE', '/v1/session');
    const url = app.authorizeUrl(pkce().challenge);
    expect(asks(await aPerson().open(url, { headers: { cookie } }), 'email')).toBe(true);
    expect(await works(token)).toBe(true);
  });
});

describe('stored rows', () => {
  test('contain no token, code or secret', async () => {
    const app = await new OAuthApp(cloud.baseUrl, 'client_secret_post').register();
    const person = aPerson();
    const grant = await app.codeFrom(person);
    const tokens = tokensOf(await app.exchange(grant));
    const next = tokensOf(await app.refresh(tokens.refresh_token));
    const stored = JSON.stringify(await cloud.state());
    const secrets = [tokens, next].flatMap((given) => [given.access_token, given.refresh_token]);
    // Ten characters of the end: no prefix that all have in common, no encoding of its own.
    for (const secret of [...secrets, grant.code, app.clientSecret ?? 'none'])
      expect(stored).not.toContain(secret.slice(-10));
  });

  test('are removed after their expiry', async () => {
    await (await anApp()).connect(aPerson());
    expect((await rows()).length).toBeGreaterThan(0);
    await cloud.advance(200 * day);
    expect(await rows()).toEqual([]);
  });
});
