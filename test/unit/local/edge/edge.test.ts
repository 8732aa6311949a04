import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { HttpRequest, HttpResponse } from '../../../../local/http/http.ts';
import {
  aCachePolicy,
  anAnswer,
  anEdge,
  appConfig,
  aRequest,
  aResource,
  aTemplate,
  text,
  visitorConfig,
} from './edge-fixture.ts';

const word = (response: HttpResponse) => response.headers['x-cache'];
const api = (overrides: Partial<HttpRequest> = {}) =>
  aRequest({
    path: '/v1',
    ...overrides,
    headers: { host: 'localhost:8787', ...overrides.headers },
  });

describe('routing', () => {
  test.each([
    'other.example',
    'sites.localhost',
    'a.b.sites.localhost',
    '.sites.localhost',
    '*.sites.localhost',
    '',
  ])('refuses the unknown host %p without repeating it', async (host) => {
    const { edge, asked } = anEdge(() => anAnswer());
    const response = await edge.handle(aRequest({ headers: { host } }));
    expect(response.status).toBe(403);
    if (host !== '') expect(text(response)).not.toContain(host);
    expect(asked).toHaveLength(0);
  });

  test('sends the app host to the API with its path, secret header and viewer address', async () => {
    const { edge, asked } = anEdge(() => anAnswer());
    const response = await edge.handle(
      api({
        query: 'a=1&b=2',
        headers: {
          cookie: 'c=1',
          authorization: 'Bearer x',
          'cloudfront-viewer-address': '1.1.1.1:1',
          'cloudfront-viewer-country': 'XX',
          'x-slipway-origin': 'forged',
          'x-forwarded-for': '10.0.0.1',
          'x-real-ip': '10.0.0.1',
          connection: 'close',
        },
      }),
    );
    expect(asked[0]?.origin).toEqual({
      kind: 'rest-api',
      domainName: 'xyz.execute-api.us-east-1.amazonaws.com',
      originPath: '/prod',
      oac: false,
      id: 'api',
    });
    const request = asked[0]?.request;
    expect(request?.path).toBe('/prod/v1');
    expect(request?.query).toBe('a=1&b=2');
    expect(request?.headers).toMatchObject({
      host: 'localhost:8787',
      cookie: 'c=1',
      authorization: 'Bearer x',
      'cloudfront-viewer-address': '192.0.2.7:5432',
      'x-slipway-origin': 'secret',
      'x-forwarded-for': '10.0.0.1,192.0.2.7',
    });
    expect(request?.headers).not.toHaveProperty('x-real-ip');
    expect(request?.headers).not.toHaveProperty('cloudfront-viewer-country');
    expect(request?.headers).not.toHaveProperty('connection');
    expect(response.headers['x-content-type-options']).toBe('nosniff');
    expect(word(response)).toBe('Miss from cloudfront');
  });

  test('forwards the body of a POST and its length', async () => {
    const { edge, asked } = anEdge(() => anAnswer());
    await edge.handle(
      api({
        method: 'POST',
        body: Buffer.from('{}'),
        headers: { 'content-type': 'application/json' },
      }),
    );
    expect(asked[0]?.request.body.toString()).toBe('{}');
    expect(asked[0]?.request.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '2',
    });
  });

  test.each([
    ['an address over 8,192 bytes', 414, api({ query: 'q'.repeat(8200) })],
    ['headers over 20,480 bytes', 413, api({ headers: { 'x-long': 'x'.repeat(20_480) } })],
    ['a GET with a body', 403, api({ body: Buffer.from('x') })],
    ['a method that is not allowed', 403, aRequest({ path: '/media/a', method: 'POST' })],
  ])('refuses %s with %p', async (_what, status, request) => {
    const { edge, asked } = anEdge(() => anAnswer());
    const response = await edge.handle(request);
    expect(response.status).toBe(status);
    expect(word(response)).toBe('Error from cloudfront');
    expect(asked).toHaveLength(0);
  });

  test('answers nothing for a tenant or distribution that is off', async () => {
    const off = [
      aResource('ConnectionGroup', 'Group', { Enabled: false }),
      aResource('Distribution', 'App', { DistributionConfig: { ...appConfig, Enabled: false } }),
    ];
    const { edge } = anEdge(() => anAnswer(), { resources: aTemplate(off) });
    expect((await edge.handle(aRequest())).status).toBe(403);
    expect((await edge.handle(api())).status).toBe(403);
  });

  test('answers 502 when the origin cannot be reached, and tells the operator only', async () => {
    const { edge, reports } = anEdge(() => {
      throw new Error('socket closed');
    });
    const response = await edge.handle(api());
    expect(response.status).toBe(502);
    expect(text(response)).not.toContain('socket');
    expect(reports[0]).toContain('socket closed');
  });
});

describe('viewer-request function', () => {
  test('answers in place of the origin and the cache', async () => {
    const { edge, asked } = anEdge(() => anAnswer());
    const response = await edge.handle(aRequest({ method: 'POST' }));
    expect([response.status, text(response), response.headers['allow'], word(response)]).toEqual([
      405,
      'no',
      'GET, HEAD',
      'FunctionGeneratedResponse from cloudfront',
    ]);
    expect(asked).toHaveLength(0);
  });

  test.each([
    ['throws', 'throw new Error("secret");', 503],
    ['touches the host', 'event.request.headers.host = { value: "x" }; return event.request;', 502],
  ])('that %s becomes an error of the edge', async (_what, body, status) => {
    const broken = aResource('Function', 'ViewerRequest', {
      AutoPublish: true,
      FunctionCode: `function handler(event) { ${body} }`,
      FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
    });
    const { edge, asked, reports } = anEdge(() => anAnswer(), { resources: aTemplate([broken]) });
    const response = await edge.handle(aRequest());
    expect(response.status).toBe(status);
    expect(text(response)).not.toContain('secret');
    expect([asked.length, reports.length]).toEqual([0, 1]);
  });
});

describe('cache', () => {
  const page = { 'cache-control': 's-maxage=60', etag: '"1"', 'cache-tag': 'p-1, P-Two' };

  test('serves a hit until its lifetime ends, then asks with its validator and serves the kept body', async () => {
    const { edge, asked, advance } = anEdge((request) =>
      request.headers['if-none-match'] === '"1"' ? anAnswer(page, '', 304) : anAnswer(page, 'body'),
    );
    expect(word(await edge.handle(aRequest()))).toBe('Miss from cloudfront');
    advance(59);
    const hit = await edge.handle(aRequest());
    expect(word(hit)).toBe('Hit from cloudfront');
    expect(hit.headers['age']).toBe('59');
    expect(asked).toHaveLength(1);
    advance(1);
    const refreshed = await edge.handle(aRequest());
    expect(word(refreshed)).toBe('RefreshHit from cloudfront');
    expect(text(refreshed)).toBe('body');
    expect(refreshed.headers['content-type']).toBe('text/html');
    expect(asked[1]?.request.headers['if-none-match']).toBe('"1"');
    expect(word(await edge.handle(aRequest()))).toBe('Hit from cloudfront');
  });

  test('asks the origin for every view of a max-age=0 page and keeps its body', async () => {
    const zero = { ...page, 'cache-control': 'max-age=0, must-revalidate' };
    const { edge, asked } = anEdge((request) =>
      request.headers['if-none-match'] === undefined
        ? anAnswer(zero, 'body')
        : anAnswer(zero, '', 304),
    );
    await edge.handle(aRequest());
    const second = await edge.handle(aRequest({ headers: { 'if-none-match': '"other"' } }));
    expect([second.status, text(second), asked.length]).toEqual([200, 'body', 2]);
    const known = await edge.handle(aRequest({ headers: { 'if-none-match': 'W/"1"' } }));
    expect([known.status, text(known), asked.length]).toEqual([304, '', 3]);
  });

  test('asks for the whole page again when it has no validator, whatever the viewer holds', async () => {
    const { edge, asked } = anEdge(() => anAnswer({ 'cache-control': 'max-age=0' }, 'body'));
    await edge.handle(aRequest());
    const part = await edge.handle(
      aRequest({ headers: { 'if-none-match': '"x"', range: 'bytes=0-1' } }),
    );
    expect(asked[1]?.request.headers).not.toHaveProperty('if-none-match');
    expect(asked[1]?.request.headers).not.toHaveProperty('range');
    expect([part.status, text(part)]).toEqual([206, 'bo']);
  });

  test('forgets a kept page when a 304 forbids keeping it', async () => {
    let round = 0;
    const { edge, asked } = anEdge(() => {
      round += 1;
      if (round === 1) return anAnswer({ ...page, 'cache-control': 'max-age=0' }, 'body');
      return round === 2
        ? anAnswer({ 'cache-control': 'private, no-store' }, '', 304)
        : anAnswer({ 'cache-control': 'no-store' }, 'new');
    });
    await edge.handle(aRequest());
    expect(text(await edge.handle(aRequest()))).toBe('body');
    expect(text(await edge.handle(aRequest()))).toBe('new');
    expect(asked[2]?.request.headers).not.toHaveProperty('if-none-match');
  });

  test('keeps hosts and access cookies apart, but not other cookies or query parameters', async () => {
    const { edge, asked } = anEdge(() => anAnswer(page));
    await edge.handle(aRequest());
    await edge.handle(aRequest({ query: 'utm=1', headers: { cookie: 'other=1' } }));
    expect(asked).toHaveLength(1);
    await edge.handle(aRequest({ headers: { host: 'b.sites.localhost' } }));
    await edge.handle(aRequest({ headers: { cookie: 'access=abc' } }));
    expect(asked).toHaveLength(3);
    expect(asked[2]?.request.headers).toMatchObject({ 'x-slipway-access': 'abc' });
    expect(asked[2]?.request.headers).not.toHaveProperty('cookie');
  });

  test.each(['private, no-store', 'no-store', 'private', 'private, max-age=60'])(
    'never keeps an answer with %p',
    async (control) => {
      const { edge, asked } = anEdge(() => anAnswer({ 'cache-control': control }));
      await edge.handle(aRequest());
      expect(word(await edge.handle(aRequest()))).toBe('Miss from cloudfront');
      expect(asked).toHaveLength(2);
    },
  );

  test('does not keep pages where caching is disabled', async () => {
    const { edge, asked } = anEdge(() => anAnswer({ 'cache-control': 'max-age=60' }));
    await edge.handle(api());
    await edge.handle(api());
    expect(asked).toHaveLength(2);
  });

  test('keeps an error of the origin for ten seconds even where caching is disabled', async () => {
    const { edge, asked, advance } = anEdge(() =>
      anAnswer({ 'cache-control': 'no-store' }, 'broken', 503),
    );
    await edge.handle(api());
    advance(9);
    const kept = await edge.handle(api());
    expect([kept.status, word(kept), asked.length]).toEqual([503, 'Error from cloudfront', 1]);
    advance(1);
    await edge.handle(api());
    expect(asked).toHaveLength(2);
  });

  test('keeps no error for which the distribution sets zero seconds', async () => {
    const config = {
      ...appConfig,
      CustomErrorResponses: [{ ErrorCode: 503, ErrorCachingMinTTL: 0 }],
    };
    const { edge, asked } = anEdge(() => anAnswer({}, 'broken', 503), {
      resources: aTemplate([aResource('Distribution', 'App', { DistributionConfig: config })]),
    });
    await edge.handle(api());
    await edge.handle(api());
    expect(asked).toHaveLength(2);
  });

  test('serves the expired page while the origin fails, but not a 4xx', async () => {
    let status = 200;
    const { edge, asked, advance } = anEdge(() =>
      anAnswer(page, status === 200 ? 'body' : 'error', status),
    );
    await edge.handle(aRequest());
    advance(61);
    status = 503;
    expect(text(await edge.handle(aRequest()))).toBe('body');
    expect(text(await edge.handle(aRequest()))).toBe('body');
    expect(asked).toHaveLength(2);
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

  test('answers HEAD from a kept GET and keeps nothing of a HEAD', async () => {
    const { edge, asked } = anEdge(() => anAnswer(page, 'body'));
    await edge.handle(aRequest({ method: 'HEAD' }));
    await edge.handle(aRequest());
    const head = await edge.handle(aRequest({ method: 'HEAD' }));
    expect([text(head), head.headers['content-length'], word(head)]).toEqual([
      '',
      '4',
      'Hit from cloudfront',
    ]);
    expect(asked).toHaveLength(2);
  });

  test('cuts ranges from a kept body and forwards them on a miss without keeping the part', async () => {
    const { edge, asked } = anEdge((request) =>
      request.headers['range'] === undefined
        ? anAnswer(page, '0123456789')
        : anAnswer({ ...page, 'content-range': 'bytes 2-3/10' }, '23', 206),
    );
    const range = { range: 'bytes=2-3' };
    expect((await edge.handle(aRequest({ headers: range }))).status).toBe(206);
    expect(asked[0]?.request.headers['range']).toBe('bytes=2-3');
    expect(text(await edge.handle(aRequest()))).toBe('0123456789');
    const part = await edge.handle(aRequest({ headers: range }));
    expect(part.status).toBe(206);
    expect([text(part), part.headers['content-range'], part.headers['content-length']]).toEqual([
      '23',
      'bytes 2-3/10',
      '2',
    ]);
    expect((await edge.handle(aRequest({ headers: { range: 'bytes=10-' } }))).status).toBe(416);
    expect(asked).toHaveLength(2);
  });

  test('does not collapse misses', async () => {
    const { edge, asked } = anEdge(() => anAnswer(page));
    await Promise.all([edge.handle(aRequest()), edge.handle(aRequest())]);
    expect(asked).toHaveLength(2);
  });

  test('drops cookies of an origin whose behaviour forwards none, and lets them pass elsewhere', async () => {
    const { edge } = anEdge(() => anAnswer({ 'set-cookie': ['a=1'] }));
    expect((await edge.handle(aRequest())).headers).not.toHaveProperty('set-cookie');
    expect((await edge.handle(api())).headers['set-cookie']).toEqual(['a=1']);
  });
});

describe('invalidation', () => {
  const tagged = (request: HttpRequest) =>
    anAnswer({
      'cache-control': 's-maxage=60',
      'cache-tag': request.path === '/a' ? 'p-1, X' : 'p-10',
    });

  test.each([
    ['#p-1', ['/a']],
    ['#x', ['/a']],
    ['#p-1*', []],
    ['/a', ['/a']],
    ['/*', ['/a', '/b']],
    ['/b*', ['/b']],
    ['/B', []],
  ])('%p forgets %p', async (item, forgotten) => {
    const { edge, asked } = anEdge(tagged);
    const paths = ['/a', '/b'];
    for (const path of paths) await edge.handle(aRequest({ path }));
    edge.invalidate('Sites', [item]);
    asked.length = 0;
    for (const path of paths) await edge.handle(aRequest({ path }));
    expect(asked.map(({ request }) => request.path)).toEqual(forgotten);
  });

  test('reaches all tenants through the distribution, and only the named one otherwise', async () => {
    const other = aResource('DistributionTenant', 'Customer', {
      DistributionId: 'Visitor',
      Name: 'customer',
      Domains: ['docs.customer.test'],
    });
    const { edge, asked } = anEdge(tagged, { resources: [...aTemplate(), other] });
    const visit = () =>
      edge.handle(aRequest({ path: '/a', headers: { host: 'docs.customer.test' } }));
    await visit();
    edge.invalidate('Sites', ['#p-1']);
    await visit();
    expect(asked).toHaveLength(1);
    edge.invalidate('Visitor', ['#p-1']);
    await visit();
    expect(asked).toHaveLength(2);
  });

  test('does not stop an answer that was under way from being kept', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { edge, asked } = anEdge(async (request) => {
      await gate;
      return tagged(request);
    });
    const first = edge.handle(aRequest({ path: '/a' }));
    edge.invalidate('Sites', ['#p-1']);
    release();
    await first;
    await edge.handle(aRequest({ path: '/a' }));
    expect(asked).toHaveLength(1);
  });

  test('throws for an id that it does not know', () => {
    expect(() => anEdge(() => anAnswer()).edge.invalidate('Nobody', ['/*'])).toThrow('Nobody');
  });
});

describe('bodies', () => {
  test('keeps a streamed body, and passes one that is too long through without keeping it', async () => {
    const stream = (size: number) =>
      Readable.from([Buffer.alloc(size, 'a'), Buffer.alloc(size, 'b')]);
    const { edge, asked } = anEdge(
      (request) => ({
        status: 200,
        headers: { 'cache-control': 'max-age=60' },
        body: stream(request.path === '/long' ? 60 : 5),
      }),
      { maxBodyBytes: 100 },
    );
    expect(text(await edge.handle(aRequest({ path: '/short' })))).toBe('aaaaabbbbb');
    await edge.handle(aRequest({ path: '/short' }));
    expect(asked).toHaveLength(1);
    const long = await edge.handle(aRequest({ path: '/long' }));
    const chunks: Buffer[] = [];
    for await (const chunk of long.body as Readable) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe('a'.repeat(60) + 'b'.repeat(60));
    await edge.handle(aRequest({ path: '/long' }));
    expect(asked).toHaveLength(3);
  });

  test('does not keep a body that is shorter than it was said to be', async () => {
    const { edge, asked } = anEdge(() =>
      anAnswer({ 'cache-control': 'max-age=60', 'content-length': '99' }),
    );
    await edge.handle(aRequest());
    await edge.handle(aRequest());
    expect(asked).toHaveLength(2);
  });

  test('forgets what was used longest ago when the cache is full', async () => {
    const { edge, asked } = anEdge(
      () => anAnswer({ 'cache-control': 'max-age=60' }, 'x'.repeat(1000)),
      {
        maxCacheBytes: 5000,
      },
    );
    for (const path of ['/1', '/2', '/1', '/3']) await edge.handle(aRequest({ path }));
    asked.length = 0;
    for (const path of ['/1', '/2']) await edge.handle(aRequest({ path }));
    expect(asked.map(({ request }) => request.path)).toEqual(['/2']);
  });
});

describe('what the templates may not say', () => {
  const behaviour = visitorConfig['DefaultCacheBehavior'] as Record<string, unknown>;
  test.each<[string, Record<string, unknown>]>([
    ['DistributionConfig.OriginGroups', { OriginGroups: {} }],
    [
      'DistributionConfig.DefaultCacheBehavior.LambdaFunctionAssociations',
      { DefaultCacheBehavior: { ...behaviour, LambdaFunctionAssociations: [] } },
    ],
    [
      'DistributionConfig.CustomErrorResponses.0.ResponsePagePath',
      { CustomErrorResponses: [{ ErrorCode: 404, ErrorCachingMinTTL: 1, ResponsePagePath: '/x' }] },
    ],
    [
      'UseOriginCacheControlHeaders is not supported',
      {
        DefaultCacheBehavior: {
          ...behaviour,
          CachePolicyId: '83da9c7e-98b4-4e11-a168-04f0df8e2c65',
        },
      },
    ],
    [
      'is not in the templates: Nothing',
      { DefaultCacheBehavior: { ...behaviour, CachePolicyId: 'Nothing' } },
    ],
    [
      'Compress of *',
      {
        DefaultCacheBehavior: {
          ...behaviour,
          Compress: true,
          CachePolicyId: '658327ea-f89d-4fab-a63d-7e88639e58f6',
        },
      },
    ],
    [
      'names no origin: nowhere',
      { DefaultCacheBehavior: { ...behaviour, TargetOriginId: 'nowhere' } },
    ],
  ])('refuses %p', (message, change) => {
    const resources = aTemplate([
      aResource('Distribution', 'Visitor', { DistributionConfig: { ...visitorConfig, ...change } }),
    ]);
    expect(() => anEdge(() => anAnswer(), { resources })).toThrow(message);
    expect(() => anEdge(() => anAnswer(), { resources })).toThrow('Visitor');
  });

  test.each([
    ['a resource type', aResource('KeyValueStore', 'Store', {}), 'Store'],
    [
      'a header that it cannot make',
      aCachePolicy('Pages', {}, ['CloudFront-Viewer-JA3-Fingerprint']),
      'ja3',
    ],
    [
      'a key that is not RSA',
      aResource('PublicKey', 'MediaKey', { PublicKeyConfig: { EncodedKey: 'nonsense' } }),
      'EncodedKey',
    ],
    [
      'a host of two',
      aResource('DistributionTenant', 'Twin', {
        DistributionId: 'Visitor',
        Domains: ['*.sites.localhost'],
      }),
      'two distributions',
    ],
    [
      'a tenant of a plain distribution',
      aResource('DistributionTenant', 'Sites', { DistributionId: 'App', Domains: ['x.test'] }),
      'DistributionId',
    ],
  ])('refuses %s', (_what, resource, message) => {
    expect(() => anEdge(() => anAnswer(), { resources: aTemplate([resource]) })).toThrow(message);
  });

  test('fills tenant parameters into origin headers', async () => {
    const origins = (visitorConfig['Origins'] as Record<string, unknown>[]).map((origin) => ({
      ...origin,
      OriginCustomHeaders: [{ HeaderName: 'x-domain', HeaderValue: '{{domainId}}' }],
    }));
    const { edge, asked } = anEdge(() => anAnswer(), {
      resources: aTemplate([
        aResource('Distribution', 'Visitor', {
          DistributionConfig: { ...visitorConfig, Origins: origins },
        }),
        aResource('DistributionTenant', 'Sites', {
          DistributionId: 'Visitor',
          Domains: ['*.sites.localhost'],
          Parameters: [{ Name: 'domainId', Value: 'd-1' }],
        }),
      ]),
    });
    await edge.handle(aRequest());
    expect(asked[0]?.request.headers['x-domain']).toBe('d-1');
    expect(asked[0]?.origin).toMatchObject({ kind: 'function-url', oac: true });
  });
});
