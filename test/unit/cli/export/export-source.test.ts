import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { exportSource } from '../../../../cli/export/export-source.ts';
import { connect } from '../../../../cli/service.ts';
import { anArchive } from '../../../fixtures/archives/an-archive.ts';

const page = { ...anArchive([]), next: null };
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const { signal } = new AbortController();
const operations = {
  exportAccount: { method: 'GET', path: '/v1/account/export', body: 'none', envelope: 'data' },
} as const;

/** A service that gives these answers, one after the other, and the last again and again. */
async function aService(...answers: [number, unknown, Record<string, string>?][]) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    const [status, body, headers = {}] = answers[Math.min(asked.length, answers.length) - 1] ?? [
      500,
      {},
    ];
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const where = { baseUrl: `http://127.0.0.1:${port}` };
  const service = connect({ operations, signal }, where.baseUrl, 'sw_live_x');
  return { source: exportSource(service, signal), asked, where };
}

const granted = { status: 'success', data: page };
const refusal = { status: 'error', error: 'No.', code: 'X', nextStep: 'Stop.' };

describe('a page', () => {
  test('is requested with the key and the cursor of the previous page', async () => {
    const { source, asked } = await aService([200, granted]);
    expect(await source.page(undefined)).toEqual(page);
    expect(await source.page('a+b')).toEqual(page);
    expect(asked.map(({ url }) => url)).toEqual([
      '/v1/account/export',
      '/v1/account/export?cursor=a%2Bb',
    ]);
    expect(asked[0]?.headers.authorization).toBe('Bearer sw_live_x');
  });

  test('is requested again after the time of a rate limit, and after an error', async () => {
    const { source, asked } = await aService(
      [429, refusal, { 'retry-after': '1' }],
      [503, refusal],
      [200, granted],
    );
    const began = Date.now();
    expect(await source.page(undefined)).toEqual(page);
    expect(asked).toHaveLength(3);
    expect(Date.now() - began).toBeGreaterThanOrEqual(3000 - 50);
  });

  test.each([
    [401, 1],
    [400, 1],
    [429, 1],
    [503, 4],
  ])(
    'that is refused with %i is requested %i times',
    async (status, times) => {
      const headers = { 'retry-after': '3600' };
      const { source, asked } = await aService([status, refusal, headers]);
      await expect(source.page(undefined)).rejects.toThrow('No.');
      expect(asked).toHaveLength(times);
    },
    20_000,
  );
});

describe('a file', () => {
  const read = async (content: AsyncIterable<Uint8Array>) => {
    const parts: Uint8Array[] = [];
    for await (const part of content) parts.push(part);
    return Buffer.concat(parts).toString();
  };

  test('of one piece is read as it is, and a larger one in pieces of 16 MiB', async () => {
    const { source, asked, where } = await aService([206, 'x']);
    expect(await read(source.object(`${where.baseUrl}/x?a`, 3))).toBe('"x"');
    const size = 2 * 16 * 1024 * 1024 + 1;
    expect(await read(source.object(`${where.baseUrl}/y`, size))).toBe('"x""x""x"');
    expect(asked.map(({ url, headers }) => [url, headers.range])).toEqual([
      ['/x?a', undefined],
      ['/y', 'bytes=0-16777215'],
      ['/y', 'bytes=16777216-33554431'],
      ['/y', 'bytes=33554432-33554432'],
    ]);
  });

  test('is found at a name below localhost', async () => {
    const { source, asked, where } = await aService([200, 'x']);
    const { port } = new URL(where.baseUrl);
    await read(source.object(`http://download.sites.localhost:${port}/x`, 3));
    expect(asked[0]?.headers.host).toBe(`download.sites.localhost:${port}`);
  });

  test.each([
    [403, {}, 'HTTP 403'],
    [429, { 'retry-after': '5' }, 'HTTP 429'],
  ])('that is refused with %i is an error: %j', async (status, headers, text) => {
    const { source, where } = await aService([status, {}, headers]);
    await expect(read(source.object(`${where.baseUrl}/x`, 3))).rejects.toThrow(text);
  });

  test('that is refused for hours is an error that says when to continue', async () => {
    const { source, where } = await aService([429, {}, { 'retry-after': '7201' }]);
    await expect(read(source.object(`${where.baseUrl}/x`, 3))).rejects.toMatchObject({
      next: 'Run the same command again in 3 hours: it continues.',
    });
  });
});
