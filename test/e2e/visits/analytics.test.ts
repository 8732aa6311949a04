import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl } from '../../fixtures/clouds/client.ts';
import {
  hitsOf,
  look,
  open,
  opensOf,
  outcomesOf,
  whenCounted,
} from '../../fixtures/visits/opens.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

let key: string;
beforeAll(async () => {
  key = await signIn();
});

const nothing = { total: 0, last24h: 0, last7d: 0 };

test('a project without visits has zero counts', async () => {
  const { projectId } = await created(key);
  const { status, json } = await opensOf(key, projectId);
  expect(status).toBe(200);
  expect(json).toEqual({
    status: 'success',
    data: {
      projectId,
      analyticsEnabled: true,
      opens: nothing,
      lastOpenedAt: null,
      recentOpens: [],
      topCountries: [],
      visits: nothing,
      ownerOpens: { total: 0 },
    },
  });
  const csv = await hitsOf(key, projectId);
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.headers['link']).toBeUndefined();
  expect(csv.text).toBe('at,outcome,path,country,device,browser,os,referrer,link,email\r\n');
});

test('a program that waits learns of opens and versions, each once', async () => {
  const apiKey = await signIn();
  const listen = async (query: string) => (await get(`/v1/events${query}`, apiKey)).json.data;
  const { nextCursor } = await listen('');
  const { projectId, url } = await created(apiKey);
  const before = await listen(`?after=${nextCursor}&wait=25`);
  expect(before.events).toMatchObject([{ type: 'version.published', data: { projectId, url } }]);
  await open(url);
  let after: string = before.nextCursor;
  const types: string[] = [];
  for (let tries = 0; types.length === 0 && tries < 4; tries += 1) {
    const heard = await listen(`?after=${after}&wait=25&projectId=${projectId}`);
    types.push(...heard.events.map(({ type }: { type: string }) => type));
    after = heard.nextCursor;
  }
  expect(types).toEqual(['project.first_opened', 'project.opened']);
  expect((await listen(`?after=${after}`)).events).toEqual([]);
});

test('a page request is a visit, and an open when its page is visible', async () => {
  const { projectId, url } = await created(key);
  await look(url, { headers: { referer: 'https://example.org/list?page=2' } });
  expect(await whenCounted(key, projectId, ({ visits }) => visits.total >= 1)).toMatchObject({
    visits: { total: 1, last24h: 1, last7d: 1 },
    opens: nothing,
    lastOpenedAt: null,
  });
  expect(outcomesOf(await hitsOf(key, projectId))).toEqual(['unconfirmed']);

  const answer = await open(url, { referrer: 'https://example.org/list?page=2' });
  expect([answer.status, answer.text]).toEqual([204, '']);
  const data = await whenCounted(key, projectId, ({ opens }) => opens.total >= 1);
  expect(data).toMatchObject({
    opens: { total: 1, last24h: 1, last7d: 1 },
    visits: { total: 1 },
    lastOpenedAt: data.recentOpens[0].at,
    recentOpens: [{ device: 'desktop', browser: 'Firefox', os: 'Linux', referrer: 'example.org' }],
  });
  const csv = await hitsOf(key, projectId);
  expect(csv.text.split('\r\n')[1]).toMatch(
    /^\d{4}-[^,]+Z,open,\/,[A-Z]*,desktop,Firefox,Linux,example\.org,,$/,
  );
});

test('the Link header leads to older hits', async () => {
  const { projectId, url } = await created(key);
  for (let visit = 0; visit < 3; visit += 1) await look(url);
  await whenCounted(key, projectId, ({ visits }) => visits.total >= 3);
  const first = await hitsOf(key, projectId, '?limit=2');
  const [, next = ''] = /^<(\/v1\/[^>]+)>; rel="next"$/.exec(String(first.headers['link'])) ?? [];
  const second = await ask(baseUrl + next, { headers: { authorization: `Bearer ${key}` } });
  expect(second.headers['link']).toBeUndefined();
  const whole = await hitsOf(key, projectId);
  const rows = (text: string) => text.trim().split('\r\n').slice(1);
  expect([...rows(first.text), ...rows(second.text)]).toEqual(rows(whole.text));
  expect(rows(whole.text)).toHaveLength(3);
});

describe.each([
  ['the figures', ''],
  ['the hits', '/hits.csv'],
])('%s are refused', (_, path) => {
  const at = (projectId: string) => `${baseUrl}/v1/projects/${projectId}/analytics${path}`;
  const withKey = {
    headers: {
      get authorization() {
        return `Bearer ${key}`;
      },
    },
  };

  test('without a key', async () => {
    expectRefusal(await ask(at(randomUUID())), 401, 'API_KEY_MISSING');
  });

  test.each([
    ['of nobody', randomUUID()],
    ['of no shape', 'x'],
  ])('of a project %s', async (__, id) => {
    expectRefusal(await ask(at(id), withKey), 404, 'NOT_FOUND');
  });

  test("of somebody else's", async () => {
    const { projectId } = await created(await signIn());
    expectRefusal(await ask(at(projectId), withKey), 404, 'NOT_FOUND');
  });
});

test('hits before what is no instant are refused', async () => {
  const { projectId } = await created(key);
  expectRefusal(await hitsOf(key, projectId, '?before=yesterday'), 400, 'INVALID_REQUEST');
});
