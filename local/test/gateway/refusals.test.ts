import { describe, expect, test } from '@jest/globals';
import type { HttpRequest } from '../../http/http.ts';
import type { Resource } from '../../assembly/resource.ts';
import { aFunction, aMock, anApi, aRequest, aRestApi, bodyOf, envelope } from './an-api.ts';

describe('refusals', () => {
  const slow = aFunction('system', { timeoutInMillis: 50 });
  const withoutPermission = anApi().filter(({ type }) => type !== 'AWS::Lambda::Permission');
  type Case = [
    string,
    { resources?: Resource[]; request?: Partial<HttpRequest>; fails?: string },
    number,
    string,
    string,
  ];
  const missing = 'Missing Authentication Token';
  const internal = 'Internal server error';

  test.each<Case>([
    [
      'an unknown path',
      { request: { path: '/nowhere' } },
      403,
      missing,
      'MissingAuthenticationTokenException',
    ],
    [
      'a known path without the method',
      { request: { method: 'OPTIONS' } },
      403,
      missing,
      'MissingAuthenticationTokenException',
    ],
    [
      'an unknown path with an API key',
      { request: { path: '/nowhere', headers: { authorization: 'Bearer k' } } },
      403,
      'Invalid key=value pair (missing equal-sign) in Authorization header.',
      'IncompleteSignatureException',
    ],
    [
      'a function without permission',
      { resources: withoutPermission },
      500,
      internal,
      'InternalServerErrorException',
    ],
    ['a failed function', { fails: 'TypeError' }, 502, internal, 'InternalServerErrorException'],
    [
      'a function that timed out',
      { fails: 'Sandbox.Timedout' },
      502,
      internal,
      'InternalServerErrorException',
    ],
    [
      'a throttled function',
      { fails: 'TooManyRequestsException' },
      500,
      internal,
      'InternalServerErrorException',
    ],
    [
      'an event over 6 MB',
      { fails: 'RequestEntityTooLarge' },
      413,
      'Request Too Long',
      'BadRequestException',
    ],
    [
      'a slow function',
      {
        resources: anApi({ paths: { '/v1': { get: slow } } }),
        request: { path: '/v1' },
        fails: 'slow',
      },
      504,
      'Endpoint request timed out',
      'InternalServerErrorException',
    ],
    [
      'a media type that a mock does not take',
      {
        resources: anApi({ paths: { '/v1': { post: aMock() } } }),
        request: { method: 'POST', path: '/v1', headers: { 'content-type': 'text/plain' } },
      },
      415,
      'Unsupported Media Type',
      'BadRequestException',
    ],
  ])('answer %s', async (_name, { resources = anApi(), request = {}, fails }, ...expected) => {
    const [status, message, errorType] = expected;
    const api = aRestApi(resources, async () => {
      if (fails === 'slow') await new Promise((done) => setTimeout(done, 500));
      return { ok: false, errorType: fails ?? 'none', errorMessage: 'secret of the function' };
    });
    const response = await api.handle(aRequest(request));
    expect(response.status).toBe(status);
    expect(response.headers).toEqual({
      'content-type': 'application/json',
      'x-amzn-requestid': expect.any(String),
      'x-amzn-errortype': errorType,
      'x-amz-apigw-id': expect.any(String),
    });
    expect(bodyOf(response)).toBe(JSON.stringify({ message }));
    expect(api.lines.join('\n')).toContain(String(response.headers['x-amzn-requestid']));
  });

  test('answer a runner that rejects', async () => {
    const api = aRestApi(anApi(), () => Promise.reject(new Error('gone')));
    expect((await api.handle(aRequest())).status).toBe(502);
    expect(api.lines[0]).toContain('gone');
  });

  test('throttle a method by its own bucket', async () => {
    const settings = [
      { ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 2 },
    ];
    const resources = anApi().map((resource) =>
      resource.logicalId === 'Stage'
        ? { ...resource, properties: { ...resource.properties, MethodSettings: settings } }
        : resource,
    );
    const api = aRestApi(resources);
    const statuses: number[] = [];
    for (const path of ['/health', '/health', '/health', '/']) {
      statuses.push((await api.handle(aRequest({ path }))).status);
    }
    expect(statuses).toEqual([200, 200, 429, 200]);
    const response = await api.handle(aRequest());
    expect(bodyOf(response)).toBe('{"message":"Too Many Requests"}');
  });

  test.each([
    [
      'a body over 10 MB',
      { method: 'POST', path: '/v1/projects', body: Buffer.alloc(10_485_761) },
      413,
      'HTTP content length exceeded 10485760 bytes.',
    ],
    [
      'headers over 10,240 bytes',
      { headers: { cookie: 'c'.repeat(10_240) } },
      431,
      'HTTP header is larger than 10240 bytes.',
    ],
    [
      'a query over 10,240 bytes',
      { query: 'q'.repeat(10_240) },
      431,
      'HTTP header is larger than 10240 bytes.',
    ],
  ])(
    'answer %s in plain text, which no gateway response changes',
    async (_name, request, status, text) => {
      const refusals = { REQUEST_TOO_LARGE: envelope, DEFAULT_4XX: envelope };
      const api = aRestApi(anApi({ refusals }));
      const response = await api.handle(aRequest(request));
      expect({ ...response, body: bodyOf(response) }).toEqual({
        status,
        headers: { 'content-type': 'text; charset=utf-8' },
        body: text,
      });
      expect(api.events).toEqual([]);
    },
  );

  test('do not apply to a body of 10 MB and headers below the quota', async () => {
    const api = aRestApi();
    const body = Buffer.alloc(10_485_760);
    const headers = { cookie: 'c'.repeat(10_000) };
    const request = aRequest({ method: 'POST', path: '/v1/projects', body, headers });
    expect((await api.handle(request)).status).toBe(200);
  });
});
