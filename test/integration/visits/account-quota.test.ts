import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, ask } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';

/** A new AWS account runs ten functions at once. */
const cloud = new LocalCloud('--account-quota=new');
let site = '';
beforeAll(async () => {
  await cloud.start();
  site = await publish();
});
afterAll(async () => {
  await cloud.remove();
});

async function publish(): Promise<string> {
  const form = new FormData();
  form.append('files', new File(['<p>hi'], 'index.html', { type: 'text/html' }));
  const answer = await fetch(`${cloud.baseUrl}/v1/projects/temp`, { method: 'POST', body: form });
  const { data } = (await answer.json()) as { data: { url: string } };
  return data.url;
}

/** Many requests at the same moment, grouped by status. */
async function atOnce(count: number, url: string, method = 'GET'): Promise<Map<number, Answer[]>> {
  const answers = await Promise.all(Array.from({ length: count }, () => ask(url, { method })));
  const statuses = new Set(answers.map(({ status }) => status));
  return new Map(
    [...statuses].map((status) => [status, answers.filter((answer) => answer.status === status)]),
  );
}

test('visitors beyond the quota of a new account get a page with 503 and Retry-After, never 429', async () => {
  const byStatus = await atOnce(60, site);
  expect(new Set(byStatus.keys())).toEqual(new Set([200, 503]));
  for (const { headers, text } of byStatus.get(503) ?? []) {
    expect(headers).toMatchObject({
      'retry-after': '5',
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(text).toContain('Try again in a few seconds');
  }
  // The edge keeps no error for the next visitor.
  expect((await ask(site)).status).toBe(200);
});

test.each([
  ['HEAD', ''],
  ['GET', '_slipway/assets/none.js'],
  ['GET', 'a%2Fb%20c?x=1'],
])('%s /%s beyond the quota is 503 too', async (method, path) => {
  const byStatus = await atOnce(60, new URL(path, `${site}/`).href, method);
  expect([...byStatus.keys()]).toContain(503);
  expect([...byStatus.keys()].filter((status) => status === 429 || status === 502)).toEqual([]);
});

test('callers of the API beyond the quota get a coded 503 with Retry-After', async () => {
  const byStatus = await atOnce(60, `${cloud.baseUrl}/health`);
  expect(new Set(byStatus.keys())).toEqual(new Set([200, 503]));
  for (const { headers, text } of byStatus.get(503) ?? []) {
    expect(headers['retry-after']).toBe('5');
    expect(JSON.parse(text)).toMatchObject({
      code: 'UNAVAILABLE',
      nextStep: 'Wait `retryAfterSeconds`, then send the same request again.',
      retryAfterSeconds: 5,
    });
  }
});
