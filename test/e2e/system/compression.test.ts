import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { ask, baseUrl, file, publishTo } from '../../fixtures/clouds/client.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const takesGzip = { 'accept-encoding': 'gzip, deflate' };

test.each<[string, Record<string, string>]>([
  ['/', browser],
  ['/docs', browser],
  ['/docs/api/projects', browser],
  ['/docs/errors.md', {}],
  ['/connect', browser],
  ['/openapi.json', {}],
  ['/llms-full.txt', { accept: 'text/plain' }],
])('%s is sent compressed to whoever takes it, and is the same text', async (path, headers) => {
  const plain = await ask(baseUrl + path, { headers });
  expect(plain.headers).not.toHaveProperty('content-encoding');
  // `fetch` decompresses, but keeps the header.
  const answer = await fetch(baseUrl + path, { headers: { ...headers, ...takesGzip } });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': plain.headers['content-type'],
    vary: 'accept-encoding',
  });
  expect(await answer.text()).toBe(plain.body.toString());
});

test('the bytes on the wire are less than half of the landing page', async () => {
  const plain = await ask(`${baseUrl}/`);
  const { body } = await ask(`${baseUrl}/`, { headers: takesGzip });
  expect(gunzipSync(body).equals(plain.body)).toBe(true);
  expect(body.byteLength).toBeLessThan(plain.body.byteLength / 2);
});

test('HEAD says that the document is compressed, and has no body', async () => {
  const { headers, body } = await ask(`${baseUrl}/docs`, { method: 'HEAD', headers: takesGzip });
  expect([headers['content-encoding'], body.byteLength]).toEqual(['gzip', 0]);
});

test('a wrong method at a document is refused as text', async () => {
  const { headers, text } = await ask(`${baseUrl}/docs`, {
    method: 'PUT',
    headers: { ...browser, ...takesGzip },
  });
  expect([headers['content-encoding'], headers['allow']]).toEqual([
    undefined,
    'GET, HEAD, OPTIONS',
  ]);
  expect(text).toContain('<!doctype html>');
});

test('no page that may contain a secret is compressed', async () => {
  const { claimUrl } = (await publishTo(baseUrl, [file('index.html')])).json.data;
  const pages = [
    claimUrl,
    '/oauth/authorize?client_id=x',
    '/upload/x',
    '/account/keep/x',
    '/v1/user',
  ];
  for (const page of pages) {
    const { headers, body } = await ask(new URL(page, baseUrl).href, {
      headers: { ...browser, ...takesGzip },
    });
    expect([page, headers['content-encoding']]).toEqual([page, undefined]);
    if (page !== '/v1/user') expect(body.byteLength).toBeGreaterThan(2_000);
  }
});
