import { describe, expect, test } from '@jest/globals';
import {
  anAnswer,
  anEdge,
  aRequest,
  aResource,
  aTemplate,
  text,
  word,
  api,
  appConfig,
} from '../edge-fixture.ts';

describe('cache', () => {
  const page = { 'cache-control': 's-maxage=60', etag: '"1"', 'cache-tag': 'p-1, P-Two' };

  test('serves a hit until its lifetime ends, then revalidates and serves the cached body', async () => {
    const { edge, originCalls, advance } = anEdge((request) =>
      request.headers['if-none-match'] === '"1"' ? anAnswer(page, '', 304) : anAnswer(page, 'body'),
    );
    expect(word(await edge.handle(aRequest()))).toBe('Miss from cloudfront');
    advance(59);
    const hit = await edge.handle(aRequest());
    expect(word(hit)).toBe('Hit from cloudfront');
    expect(hit.headers['age']).toBe('59');
    expect(originCalls).toHaveLength(1);
    advance(1);
    const refreshed = await edge.handle(aRequest());
    expect(word(refreshed)).toBe('RefreshHit from cloudfront');
    expect(text(refreshed)).toBe('body');
    expect(refreshed.headers['content-type']).toBe('text/html');
    expect(originCalls[1]?.request.headers['if-none-match']).toBe('"1"');
    expect(word(await edge.handle(aRequest()))).toBe('Hit from cloudfront');
  });

  test('revalidates a max-age=0 page for every view and keeps its body', async () => {
    const zero = { ...page, 'cache-control': 'max-age=0, must-revalidate' };
    const { edge, originCalls } = anEdge((request) =>
      request.headers['if-none-match'] === undefined
        ? anAnswer(zero, 'body')
        : anAnswer(zero, '', 304),
    );
    await edge.handle(aRequest());
    const second = await edge.handle(aRequest({ headers: { 'if-none-match': '"other"' } }));
    expect([second.status, text(second), originCalls.length]).toEqual([200, 'body', 2]);
    const known = await edge.handle(aRequest({ headers: { 'if-none-match': 'W/"1"' } }));
    expect([known.status, text(known), originCalls.length]).toEqual([304, '', 3]);
  });

  test('fetches the whole page again if it has no validator, even if the viewer has one', async () => {
    const { edge, originCalls } = anEdge(() => anAnswer({ 'cache-control': 'max-age=0' }, 'body'));
    await edge.handle(aRequest());
    const part = await edge.handle(
      aRequest({ headers: { 'if-none-match': '"x"', range: 'bytes=0-1' } }),
    );
    expect(originCalls[1]?.request.headers).not.toHaveProperty('if-none-match');
    expect(originCalls[1]?.request.headers).not.toHaveProperty('range');
    expect([part.status, text(part)]).toEqual([206, 'bo']);
  });

  test('removes a cached page when a 304 forbids caching', async () => {
    let round = 0;
    const { edge, originCalls } = anEdge(() => {
      round += 1;
      if (round === 1) return anAnswer({ ...page, 'cache-control': 'max-age=0' }, 'body');
      return round === 2
        ? anAnswer({ 'cache-control': 'private, no-store' }, '', 304)
        : anAnswer({ 'cache-control': 'no-store' }, 'new');
    });
    await edge.handle(aRequest());
    expect(text(await edge.handle(aRequest()))).toBe('body');
    expect(text(await edge.handle(aRequest()))).toBe('new');
    expect(originCalls[2]?.request.headers).not.toHaveProperty('if-none-match');
  });

  test('separates hosts and access cookies, but not other cookies or query parameters', async () => {
    const { edge, originCalls } = anEdge(() => anAnswer(page));
    await edge.handle(aRequest());
    await edge.handle(aRequest({ query: 'utm=1', headers: { cookie: 'other=1' } }));
    expect(originCalls).toHaveLength(1);
    await edge.handle(aRequest({ headers: { host: 'b.sites.localhost' } }));
    await edge.handle(aRequest({ headers: { cookie: 'access=abc' } }));
    expect(originCalls).toHaveLength(3);
    expect(originCalls[2]?.request.headers).toMatchObject({ 'x-slipway-access': 'abc' });
    expect(originCalls[2]?.request.headers).not.toHaveProperty('cookie');
  });

  test.each(['private, no-store', 'no-store', 'private', 'private, max-age=60'])(
    'never caches a response with %p',
    async (control) => {
      const { edge, originCalls } = anEdge(() => anAnswer({ 'cache-control': control }));
      await edge.handle(aRequest());
      expect(word(await edge.handle(aRequest()))).toBe('Miss from cloudfront');
      expect(originCalls).toHaveLength(2);
    },
  );

  test('does not cache pages if caching is disabled', async () => {
    const { edge, originCalls } = anEdge(() => anAnswer({ 'cache-control': 'max-age=60' }));
    await edge.handle(api());
    await edge.handle(api());
    expect(originCalls).toHaveLength(2);
  });

  test('caches an error of the origin for ten seconds even if caching is disabled', async () => {
    const { edge, originCalls, advance } = anEdge(() =>
      anAnswer({ 'cache-control': 'no-store' }, 'broken', 503),
    );
    await edge.handle(api());
    advance(9);
    const kept = await edge.handle(api());
    expect([kept.status, word(kept), originCalls.length]).toEqual([
      503,
      'Error from cloudfront',
      1,
    ]);
    advance(1);
    await edge.handle(api());
    expect(originCalls).toHaveLength(2);
  });

  test('caches no error for which the distribution sets zero seconds', async () => {
    const config = {
      ...appConfig,
      CustomErrorResponses: [{ ErrorCode: 503, ErrorCachingMinTTL: 0 }],
    };
    const { edge, originCalls } = anEdge(() => anAnswer({}, 'broken', 503), {
      resources: aTemplate([aResource('Distribution', 'App', { DistributionConfig: config })]),
    });
    await edge.handle(api());
    await edge.handle(api());
    expect(originCalls).toHaveLength(2);
  });

  test('serves the expired page while the origin fails, but not a 4xx', async () => {
    let status = 200;
    const { edge, originCalls, advance } = anEdge(() =>
      anAnswer(page, status === 200 ? 'body' : 'error', status),
    );
    await edge.handle(aRequest());
    advance(61);
    status = 503;
    expect(text(await edge.handle(aRequest()))).toBe('body');
    expect(text(await edge.handle(aRequest()))).toBe('body');
    expect(originCalls).toHaveLength(2);
    advance(11);
    status = 410;
    const gone = await edge.handle(aRequest());
    expect([gone.status, text(gone)]).toEqual([410, 'error']);
  });

  test('serves no expired page past stale-if-error', async () => {
    let status = 200;
    const { edge, advance } = anEdge(() =>
      anAnswer({ 'cache-control': 'max-age=1, stale-if-error=0' }, 'x', status),
    );
    await edge.handle(aRequest());
    advance(2);
    status = 503;
    expect((await edge.handle(aRequest())).status).toBe(503);
  });

  test('answers HEAD from a cached GET and caches no HEAD', async () => {
    const { edge, originCalls } = anEdge(() => anAnswer(page, 'body'));
    await edge.handle(aRequest({ method: 'HEAD' }));
    await edge.handle(aRequest());
    const head = await edge.handle(aRequest({ method: 'HEAD' }));
    expect([text(head), head.headers['content-length'], word(head)]).toEqual([
      '',
      '4',
      'Hit from cloudfront',
    ]);
    expect(originCalls).toHaveLength(2);
  });

  test('cuts ranges from a cached body and forwards them on a miss without caching the part', async () => {
    const { edge, originCalls } = anEdge((request) =>
      request.headers['range'] === undefined
        ? anAnswer(page, '0123456789')
        : anAnswer({ ...page, 'content-range': 'bytes 2-3/10' }, '23', 206),
    );
    const range = { range: 'bytes=2-3' };
    expect((await edge.handle(aRequest({ headers: range }))).status).toBe(206);
    expect(originCalls[0]?.request.headers['range']).toBe('bytes=2-3');
    expect(text(await edge.handle(aRequest()))).toBe('0123456789');
    const part = await edge.handle(aRequest({ headers: range }));
    expect(part.status).toBe(206);
    expect([text(part), part.headers['content-range'], part.headers['content-length']]).toEqual([
      '23',
      'bytes 2-3/10',
      '2',
    ]);
    expect((await edge.handle(aRequest({ headers: { range: 'bytes=10-' } }))).status).toBe(416);
    expect(originCalls).toHaveLength(2);
  });

  test('does not collapse misses', async () => {
    const { edge, originCalls } = anEdge(() => anAnswer(page));
    await Promise.all([edge.handle(aRequest()), edge.handle(aRequest())]);
    expect(originCalls).toHaveLength(2);
  });

  test('drops cookies of an origin whose behaviour forwards none, and forwards them otherwise', async () => {
    const { edge } = anEdge(() => anAnswer({ 'set-cookie': ['a=1'] }));
    expect((await edge.handle(aRequest())).headers).not.toHaveProperty('set-cookie');
    expect((await edge.handle(api())).headers['set-cookie']).toEqual(['a=1']);
  });
});
