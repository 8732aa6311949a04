import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Browser } from '../fixtures/browser.ts';
import { LocalCloud } from '../fixtures/local-cloud.ts';
import { expectRefusal } from '../fixtures/refusals.ts';

const cloud = new LocalCloud();
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

const day = 86_400;
const aBrowser = () => new Browser(undefined, cloud.baseUrl).signIn();
const sessions = async () =>
  ((await cloud.state()).rows['accounts'] ?? []).filter(({ sk }) => sk?.S === 'SESSION');

describe('a session', () => {
  test('ends thirty days after its last use, and its row is removed', async () => {
    const browser = await aBrowser();
    await cloud.advance(30 * day - 60);
    const used = await browser.send('GET', '/v1/session');
    expect(used.status).toBe(200);
    const wait = (Date.parse(used.json.data.expiresAt) - (await cloud.now()).getTime()) / 1000;
    expect(Math.abs(wait - 30 * day)).toBeLessThan(10);
    await cloud.advance(30 * day + 1);
    expectRefusal(await browser.send('GET', '/v1/session'), 401, 'SESSION_MISSING');
    await cloud.advance(3 * day);
    expect(await sessions()).toEqual([]);
  });

  test('is renewed at most once a day, the cookie with it', async () => {
    const browser = await aBrowser();
    const { cookie } = browser;
    const { expiresAt } = (await browser.send('GET', '/v1/session')).json.data;
    await cloud.advance(day - 60);
    const early = await browser.send('GET', '/v1/session');
    expect(early.json.data.expiresAt).toBe(expiresAt);
    expect(early.headers['set-cookie']).toBeUndefined();
    await cloud.advance(120);
    const late = await browser.send('GET', '/v1/session');
    expect(late.json.data.expiresAt > expiresAt).toBe(true);
    expect(late.headers['set-cookie']).toEqual([expect.stringMatching(/; Max-Age=2592000$/)]);
    expect(browser.cookie).toBe(cookie);
  });

  test('that was ended stays ended, whoever uses it at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const browser = await aBrowser();
      const { cookie } = browser;
      await cloud.advance(2 * day);
      const uses = Array.from({ length: 8 }, () => browser.send('GET', '/v1/session'));
      const end = browser.send('DELETE', '/v1/session', undefined, { headers: { cookie } });
      const answers = await Promise.all([...uses, end]);
      expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true);
      browser.cookie = cookie;
      expectRefusal(await browser.send('GET', '/v1/session'), 401, 'SESSION_MISSING');
    }
  });

  test('is stored as a hash only', async () => {
    const { cookie } = await aBrowser();
    const token = cookie.split('=')[1] ?? 'none';
    expect(token).toHaveLength(43);
    expect(JSON.stringify(await cloud.state())).not.toContain(token);
  });
});
