import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { anAnswer, anEdge, aRequest, text } from '../edge-fixture.ts';

describe('bodies', () => {
  test('caches a streamed body, and forwards one that is too long without caching it', async () => {
    const stream = (size: number) =>
      Readable.from([Buffer.alloc(size, 'a'), Buffer.alloc(size, 'b')]);
    const { edge, originCalls } = anEdge(
      (request) => ({
        status: 200,
        headers: { 'cache-control': 'max-age=60' },
        body: stream(request.path === '/long' ? 60 : 5),
      }),
      { maxBodyBytes: 100 },
    );
    expect(text(await edge.handle(aRequest({ path: '/short' })))).toBe('aaaaabbbbb');
    await edge.handle(aRequest({ path: '/short' }));
    expect(originCalls).toHaveLength(1);
    const long = await edge.handle(aRequest({ path: '/long' }));
    const chunks: Buffer[] = [];
    for await (const chunk of long.body as Readable) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe('a'.repeat(60) + 'b'.repeat(60));
    await edge.handle(aRequest({ path: '/long' }));
    expect(originCalls).toHaveLength(3);
  });

  test('does not cache a body that is shorter than its Content-Length', async () => {
    const { edge, originCalls } = anEdge(() =>
      anAnswer({ 'cache-control': 'max-age=60', 'content-length': '99' }),
    );
    await edge.handle(aRequest());
    await edge.handle(aRequest());
    expect(originCalls).toHaveLength(2);
  });

  test('removes the least recently used page when the cache is full', async () => {
    const { edge, originCalls } = anEdge(
      () => anAnswer({ 'cache-control': 'max-age=60' }, 'x'.repeat(1000)),
      {
        maxCacheBytes: 5000,
      },
    );
    for (const path of ['/1', '/2', '/1', '/3']) await edge.handle(aRequest({ path }));
    originCalls.length = 0;
    for (const path of ['/1', '/2']) await edge.handle(aRequest({ path }));
    expect(originCalls.map(({ request }) => request.path)).toEqual(['/2']);
  });
});
