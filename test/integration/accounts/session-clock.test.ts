import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { Browser } from '../../fixtures/visits/browser.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const cloud = new LocalCloud();
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

const day = 86_400;
const aBrowser = () => new Browser(undefined, cloud.baseUrl).signIn();
const sessions = async () =>
  ((await cloud.state()).rows['accounts'] ?? []).filter(({ sk }) => sk?.S?.startsWith('SESSION'));

describe('a session', () => {
  test('ends thirty days after its sign-in even if it is used, and its rows are removed', async () => {
    const browser = await aBrowser();
    const { expiresAt } = (await browser.send('GET', '/v1/session')).json.data;
    for (let passed = 0; passed < 30; passed += 5) {
      const used = await browser.send('GET', '/v1/session');
      expect(used.json.data.expiresAt).toBe(expiresAt);
      expect(used.headers['set-cookie']).toBeUndefined();
      await cloud.advance(5 * day);
    }
    expectRefusal(await browser.send('GET', '/v1/session'), 401, 'SESSION_MISSING');
    await cloud.advance(3 * day);
    expect(await sessions()).toEqual([]);
  });

  test('records its use once an hour', async () => {
    const browser = await aBrowser();
    const lastUse = async () =>
      (await browser.send('GET', '/v1/sessions')).json.data.sessions[0].lastUsedAt;
    const first = await lastUse();
    await cloud.advance(3500);
    expect(await lastUse()).toBe(first);
    await cloud.advance(200);
    expect(Date.parse(await lastUse())).toBeGreaterThan(Date.parse(first));
  });
});

describe('a key', () => {
  const keysOf = async (browser: Browser) => (await browser.send('GET', '/v1/keys')).json.data.keys;
  const use = (key: string) => get('/v1/user', key, cloud.baseUrl);
  const rowsOfKeys = async () =>
    ((await cloud.state()).rows['accounts'] ?? []).filter(({ sk }) => sk?.S?.startsWith('KEY'));

  test('from the dashboard never expires', async () => {
    const browser = await aBrowser();
    const { key } = (await browser.send('POST', '/v1/keys', { name: 'CI' })).json.data;
    expect((await use(key)).status).toBe(200);
    await cloud.advance(400 * day);
    expect((await use(key)).status).toBe(200);
  });

  test('with an end is not renewed by its uses, and stays in the list until its owner deletes it', async () => {
    const browser = await aBrowser();
    const { createdAt } = (await browser.send('POST', '/v1/keys', { name: 'First' })).json.data;
    const expiresAt = new Date(Date.parse(createdAt) + 40 * day * 1000).toISOString();
    const sent = { name: 'CI', expiresAt };
    const { id, key } = (await browser.send('POST', '/v1/keys', sent)).json.data;
    await cloud.advance(20 * day);
    expect((await use(key)).status).toBe(200);
    await cloud.advance(20 * day);
    expectRefusal(await use(key), 401, 'API_KEY_EXPIRED');
    await cloud.advance(100 * day);
    await browser.signIn();
    expect(await keysOf(browser)).toMatchObject([{ id, expiresAt }, { name: 'First' }]);
    await browser.send('DELETE', `/v1/keys/${id}`);
    expect(await keysOf(browser)).toMatchObject([{ name: 'First' }]);
  });

  test('from a sign-in leaves the list when it expires and the table ninety days later', async () => {
    const before = (await rowsOfKeys()).length;
    const { email } = await aBrowser();
    const key = await signIn(email, cloud.baseUrl);
    expect(await rowsOfKeys()).toHaveLength(before + 2);
    await cloud.advance(89 * day);
    expect((await use(key)).status).toBe(200);
    await cloud.advance(89 * day);
    const browser = await new Browser(email, cloud.baseUrl).signIn();
    expect(await keysOf(browser)).toMatchObject([{ kind: 'sign-in' }]);
    await cloud.advance(day + 60);
    expect(await keysOf(browser)).toEqual([]);
    expectRefusal(await use(key), 401, 'API_KEY_EXPIRED');
    await cloud.advance(93 * day);
    expect(await rowsOfKeys()).toHaveLength(before);
    expectRefusal(await use(key), 401, 'API_KEY_INVALID');
  });

  test('records its first use and then its use once an hour', async () => {
    const browser = await aBrowser();
    const { key } = (await browser.send('POST', '/v1/keys', { name: 'CI' })).json.data;
    await use(key);
    const [{ lastUsedAt: first }] = await keysOf(browser);
    await cloud.advance(3500);
    await use(key);
    expect((await keysOf(browser))[0].lastUsedAt).toBe(first);
    await cloud.advance(200);
    // A request about a key does not count as its use.
    await get('/v1/auth/session', key, cloud.baseUrl);
    expect((await keysOf(browser))[0].lastUsedAt).toBe(first);
    await use(key);
    expect(Date.parse((await keysOf(browser))[0].lastUsedAt)).toBeGreaterThan(Date.parse(first));
  });
});
