import { beforeAll, expect, test } from '@jest/globals';
import { ask, file, published } from '../../fixtures/clouds/client.ts';

/**
 * CloudFront signs the path of a request to a function URL, which computes another signature for most
 * characters but letters and digits: such a path must not be sent to it.
 */
const files: [path: string, content: string][] = [
  ['/a%20b.txt', 'a space'],
  ['/a+b.txt', 'a plus'],
  ['/a%2Bb%20(1)!.txt', 'signs'],
  ["/it's@[x],;=$&.txt", 'more signs'],
  ['/caf%C3%A9/%E6%97%A5%25.txt', 'letters'],
];

let site = '';
beforeAll(async () => {
  site = await published(
    files.map(([path, body]) => file(decodeURIComponent(path.slice(1)), body)),
  );
});

test.each(files)('%s is a file of its own, also from the cache', async (path, content) => {
  for (let times = 0; times < 2; times += 1) {
    const { status, text } = await ask(`${site}${path}`);
    expect([status, text]).toEqual([200, content]);
  }
  const head = await ask(`${site}${path}`, { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
  const part = await ask(`${site}${path}`, { headers: { range: 'bytes=0-1' } });
  expect([part.status, part.text]).toEqual([206, content.slice(0, 2)]);
});

test('a query of any characters reaches the same file', async () => {
  const { status, text } = await ask(`${site}/a+b.txt?q=a+b%20c&d=(1)&e`);
  expect([status, text]).toEqual([200, 'a plus']);
});

test('an encoded slash separates nothing', async () => {
  const { status } = await ask(`${site}/caf%C3%A9%2F%E6%97%A5%25.txt`);
  expect(status).toBe(404);
});

test('a path that the scripts of viewer pages do not have gets their 404', async () => {
  const { status, text } = await ask(`${site}/_slipway/assets/a%20b(1).js`);
  expect([status, text]).toEqual([404, 'There is no such file.\n']);
});

test('a header about a body, which a visitor may send, does not break the signature', async () => {
  const headers = { 'x-amz-content-sha256': 'f'.repeat(64) };
  const { status, text } = await ask(`${site}/a+b.txt?fresh`, { headers });
  expect([status, text]).toEqual([200, 'a plus']);
  expect((await ask(`${site}/nothing-here`, { headers })).status).toBe(404);
});
