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
} from './edge-fixture.ts';

describe('routing', () => {
  test.each([
    'other.example',
    'sites.localhost',
    'a.b.sites.localhost',
    '.sites.localhost',
    '*.sites.localhost',
    '',
  ])('refuses the unknown host %p without repeating it', async (host) => {
    const { edge, originCalls } = anEdge(() => anAnswer());
    const response = await edge.handle(aRequest({ headers: { host } }));
    expect(response.status).toBe(403);
    if (host !== '') expect(text(response)).not.toContain(host);
    expect(originCalls).toHaveLength(0);
  });

  test('sends the app host to the API with its path, secret header and viewer address', async () => {
    const { edge, originCalls } = anEdge(() => anAnswer());
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
    expect(originCalls[0]?.origin).toMatchObject({ kind: 'rest-api', id: 'api' });
    const request = originCalls[0]?.request;
    expect(request?.path).toBe('/prod/v1');
    expect(request?.query).toBe('a=1&b=2');
    expect(request?.headers).toMatchObject({
      host: 'xyz.execute-api.us-east-1.amazonaws.com',
      cookie: 'c=1',
      authorization: 'Bearer x',
      'x-slipway-origin': 'secret',
      'x-forwarded-for': '10.0.0.1,192.0.2.7',
    });
    expect(request?.headers).not.toHaveProperty('x-real-ip');
    expect(request?.headers).not.toHaveProperty('cloudfront-viewer-address');
    expect(request?.headers).not.toHaveProperty('cloudfront-viewer-country');
    expect(request?.headers).not.toHaveProperty('connection');
    expect(response.headers['x-content-type-options']).toBe('nosniff');
    expect(word(response)).toBe('Miss from cloudfront');
  });

  test('forwards the body of a POST and its length', async () => {
    const { edge, originCalls } = anEdge(() => anAnswer());
    await edge.handle(
      api({
        method: 'POST',
        body: Buffer.from('{}'),
        headers: { 'content-type': 'application/json' },
      }),
    );
    expect(originCalls[0]?.request.body.toString()).toBe('{}');
    expect(originCalls[0]?.request.headers).toMatchObject({
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
    const { edge, originCalls } = anEdge(() => anAnswer());
    const response = await edge.handle(request);
    expect(response.status).toBe(status);
    expect(word(response)).toBe('Error from cloudfront');
    expect(originCalls).toHaveLength(0);
  });

  test('serves nothing for a disabled tenant or distribution', async () => {
    const off = [
      aResource('ConnectionGroup', 'Group', { Enabled: false }),
      aResource('Distribution', 'App', { DistributionConfig: { ...appConfig, Enabled: false } }),
    ];
    const { edge } = anEdge(() => anAnswer(), { resources: aTemplate(off) });
    expect((await edge.handle(aRequest())).status).toBe(403);
    expect((await edge.handle(api())).status).toBe(403);
  });

  test('answers 502 when the origin cannot be reached, and reports the cause only to the operator', async () => {
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
    const { edge, originCalls } = anEdge(() => anAnswer());
    const response = await edge.handle(aRequest({ method: 'POST' }));
    expect([response.status, text(response), response.headers['allow'], word(response)]).toEqual([
      405,
      'no',
      'GET, HEAD',
      'FunctionGeneratedResponse from cloudfront',
    ]);
    expect(originCalls).toHaveLength(0);
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
    const { edge, originCalls, reports } = anEdge(() => anAnswer(), {
      resources: aTemplate([broken]),
    });
    const response = await edge.handle(aRequest());
    expect(response.status).toBe(status);
    expect(text(response)).not.toContain('secret');
    expect([originCalls.length, reports.length]).toEqual([0, 1]);
  });
});
