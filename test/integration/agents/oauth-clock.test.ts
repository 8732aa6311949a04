import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { asks, Person } from '../../fixtures/agents/oauth.ts';
import { listTools, OAuthApp, pkce } from '../../fixtures/agents/oauth-app.ts';

const cloud = new LocalCloud();
beforeAll(() => cloud.start(), 180_000);
afterAll(() => cloud.remove());

const day = 86_400;
const anApp = () => new OAuthApp(cloud.baseUrl).register();
const aPerson = () => new Person(cloud.baseUrl);

const works = async (token: string) => (await listTools(token, cloud.baseUrl)).status === 200;

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
