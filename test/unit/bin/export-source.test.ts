import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { exportSource } from '../../../bin/export-source.ts';
import { anArchive } from '../../fixtures/archives/an-archive.ts';

const page = { ...anArchive([]), next: null };
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A service that gives these answers, one after the other, and the last again and again. */
async function aService(...answers: [number, unknown, Record<string, string>?][]) {
  const asked: IncomingMessage[] = [];
  const waits: number[] = [];
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
  const where = { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'sw_live_x' };
  const source = exportSource(where, async (ms) => void waits.push(ms));
  return { source, asked, waits, where };
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
    const { source, waits } = await aService(
      [429, refusal, { 'retry-after': '7' }],
      [503, refusal],
      [200, granted],
    );
    expect(await source.page(undefined)).toEqual(page);
    expect(waits).toEqual([7000, 1000]);
  });

  test.each([
    [401, 1],
    [400, 1],
    [500, 6],
    [429, 6],
  ])('that is refused with %i is requested %i times', async (status, times) => {
    const { source, asked } = await aService([status, refusal]);
    await expect(source.page(undefined)).rejects.toThrow('No. Stop.');
    expect(asked).toHaveLength(times);
  });

  test('from another kind of service is an error that explains it', async () => {
    const { source, where } = await aService([404, 'x']);
    await expect(source.page(undefined)).rejects.toThrow(
      `${where.baseUrl} answered with HTTP 404.`,
    );
    const { source: odd } = await aService([200, { data: { formatVersion: 2 } }]);
    await expect(odd.page(undefined)).rejects.toThrow('formatVersion');
  });
});

test('a missing object is an error', async () => {
  const { source, where } = await aService([403, {}]);
  await expect(source.object(`${where.baseUrl}/x`)).rejects.toThrow('HTTP 403');
});
