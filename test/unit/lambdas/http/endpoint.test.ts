import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { CodedError } from '../../../../core/errors.ts';
import { commonHeaders } from '../../../../contract/common-headers.ts';
import { appPages } from '../../../../lambdas/http/app-pages.ts';
import { readApiRequest } from '../../../../lambdas/http/api-request.ts';
import type { Binding } from '../../../../lambdas/http/bind.ts';
import { allowAnyOrigin, endpoint } from '../../../../lambdas/http/endpoint.ts';
import { aSecretServer, secretArn } from '../../../fixtures/clouds/secrets.ts';
import { logger } from '../../../../lambdas/shared/logger.ts';

const secret = 'a-secret-that-only-cloudfront-knows';
const secrets = await aSecretServer({ 'origin-current': secret });
const environment = {
  ...secrets.environment,
  ORIGIN_SECRET_ARN: `${secretArn}#origin`,
  BRAND: 'Slipway',
};
beforeAll(() => {
  Object.assign(process.env, environment);
  logger.setLogLevel('SILENT');
});
afterAll(() => {
  for (const name of Object.keys(environment)) delete process.env[name];
  secrets.close();
});

function anEvent(headers: Record<string, string> = {}, resource = '/thing') {
  return {
    resource,
    httpMethod: 'GET',
    headers,
    pathParameters: null,
    queryStringParameters: null,
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId: 'request-1' },
  } as unknown as APIGatewayProxyEvent;
}

const context = { functionName: 'test', awsRequestId: 'lambda-1' } as Context;
const binding = (serve: Binding['serve']): Binding => ({ method: 'GET', route: '/thing', serve });
const serveOk = async () => ({ statusCode: 200, body: 'served' });
const ok = binding(serveOk);
const call = async (bindings: Binding[], event: APIGatewayProxyEvent) => {
  const answer = await endpoint(bindings)(event, context);
  return { status: answer.statusCode, body: answer.body, headers: answer.headers };
};

describe('the origin', () => {
  test.each([
    ['no secret', {}],
    ['a wrong one', { 'x-slipway-origin': 'guess' }],
    ['an empty one', { 'x-slipway-origin': '' }],
    ['one that is longer', { 'x-slipway-origin': `${secret}x` }],
  ])('with %s gets 403 and nothing is served', async (_, headers) => {
    const serve = jest.fn<Binding['serve']>();
    const { status, body } = await call([binding(serve)], anEvent(headers));
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ status: 'error', code: 'FORBIDDEN' });
    expect(serve).not.toHaveBeenCalled();
  });

  test('with the secret is served, in any case of the header', async () => {
    for (const name of ['x-slipway-origin', 'X-Slipway-Origin']) {
      expect((await call([ok], anEvent({ [name]: secret }))).status).toBe(200);
    }
  });
});

describe('errors', () => {
  const fail = (error: unknown) =>
    call(
      [
        binding(async () => {
          throw error;
        }),
      ],
      anEvent({ 'x-slipway-origin': secret }),
    );

  test('an unexpected error becomes a fixed text with the request id', async () => {
    const cause = new Error('arn:aws:dynamodb table secret-table');
    for (const error of [cause, new TypeError('x is not a function', { cause }), 'text']) {
      const { status, body } = await fail(error);
      expect(status).toBe(500);
      expect(JSON.parse(body)).toEqual({
        status: 'error',
        error: 'Something went wrong on our side.',
        code: 'INTERNAL',
        nextStep: expect.any(String),
        requestId: 'request-1',
      });
    }
  });

  test('the cause of an expected error is not sent', async () => {
    const cause = new Error('secret-table');
    const error = new CodedError('UPLOAD_FAILED', { error: 'No.', requestId: 'r' }, { cause });
    expect((await fail(error)).body).not.toContain('secret-table');
  });

  test('retryAfterSeconds is also the header Retry-After', async () => {
    const error = new CodedError('RATE_LIMITED', { error: 'Slow.', retryAfterSeconds: 7 });
    const { status, headers, body } = await fail(error);
    expect(status).toBe(429);
    expect(headers).toMatchObject({ 'retry-after': '7' });
    expect(JSON.parse(body).retryAfterSeconds).toBe(7);
  });

  test.each([
    ['a browser', 'text/html,*/*;q=0.8', {}, 'text/html'],
    ['a program', 'application/json', {}, 'application/json'],
    ['a browser at an operation', 'text/html', { isOperation: true }, 'application/json'],
    ['a browser of another origin', 'text/html', { allowsAnyOrigin: true }, 'application/json'],
  ])('%s learns in its format that storage gives no answer', async (_, accept, more, type) => {
    const lost = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    const failing = { ...binding(() => Promise.reject(lost)), ...more };
    const event = anEvent({ 'x-slipway-origin': secret, accept });
    const answer = await endpoint([failing], appPages)(event, context);
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringContaining(type),
      'retry-after': '5',
    });
    expect(answer.body).toContain('Our storage gives no answer');
  });

  test('a bug is 500 for browsers too, and no page', async () => {
    const failing = binding(() => Promise.reject(new TypeError('x is undefined')));
    const event = anEvent({ 'x-slipway-origin': secret, accept: 'text/html' });
    const answer = await endpoint([failing], appPages)(event, context);
    expect(answer.statusCode).toBe(500);
    expect(answer.headers).not.toHaveProperty('retry-after');
    expect(JSON.parse(answer.body).code).toBe('INTERNAL');
  });

  test('an unknown route is a coded 404', async () => {
    const event = anEvent({ 'x-slipway-origin': secret }, '/other');
    expect(JSON.parse((await call([ok], event)).body).code).toBe('NOT_FOUND');
  });
});

describe('a route for pages of other origins', () => {
  const cors = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringMatching(/Retry-After.*WWW-Authenticate/),
  };
  const fromEdge = { 'x-slipway-origin': secret };
  const open = (serve: Binding['serve']) => [
    allowAnyOrigin(binding(serve)),
    { method: 'POST', route: '/thing', serve },
    { method: 'GET', route: '/other', serve },
  ];
  const refuse = (thrown: Error) => open(() => Promise.reject(thrown));

  test.each<[number, Binding[], string, Record<string, string>]>([
    [200, open(serveOk), 'GET', fromEdge],
    [200, open(serveOk), 'HEAD', fromEdge],
    [200, open(serveOk), 'POST', fromEdge],
    [204, open(serveOk), 'OPTIONS', fromEdge],
    [405, open(serveOk), 'PUT', fromEdge],
    [401, refuse(new CodedError('API_KEY_MISSING', { error: 'No key.' })), 'GET', fromEdge],
    [429, refuse(limited()), 'GET', fromEdge],
    [500, refuse(new Error('broken')), 'GET', fromEdge],
    [403, open(serveOk), 'GET', {}],
  ])('returns %i with CORS headers, without credentials', async (...row) => {
    const [status, bindings, httpMethod, headers] = row;
    const answer = await call(bindings, { ...anEvent(headers), httpMethod });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(cors);
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('opens no other route', async () => {
    const answer = await call(open(serveOk), anEvent(fromEdge, '/other'));
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.headers ?? {}).join()).not.toContain('access-control');
  });
});

describe('HEAD', () => {
  test.each<[string, Binding['serve']]>([
    ['a text', async () => ({ statusCode: 200, body: 'x', headers: { etag: '"a"' } })],
    ['bytes', async () => ({ statusCode: 200, body: 'eA==', isBase64Encoded: true })],
    ['an error', () => Promise.reject(limited())],
  ])('is the GET of %s without its body', async (_, serve) => {
    const event = anEvent({ 'x-slipway-origin': secret });
    const get = await endpoint([binding(serve)])(event, context);
    const head = await endpoint([binding(serve)])({ ...event, httpMethod: 'HEAD' }, context);
    expect(head).toEqual({ ...get, body: '', isBase64Encoded: false });
  });
});

function limited(): CodedError {
  return new CodedError('RATE_LIMITED', { error: 'Slow.', retryAfterSeconds: 7 });
}

test('the caller’s IP address comes from our edge function', () => {
  const headers = {
    'X-Slipway-Viewer': '2001:db8::1',
    'x-forwarded-for': '203.0.113.9',
    cookie: 'a=b; __Host-slipway-browser=known',
  };
  expect(readApiRequest(anEvent(headers), context).caller).toEqual({
    address: '2001:db8::1',
    requestId: 'request-1',
    limits: [],
    agent: { userAgent: '', country: '', browserToken: 'known' },
  });
});

test.each([
  ['the tightest', [limit(30, 9, 3600), limit(3, 1), limit(5, 1, 900)], ['5', '1', '900']],
  ['the only one', [limit(30, 9)], ['30', '9', '60']],
])('the rate limit headers show %s, on refusals too', async (_, limits, expected) => {
  const refuse = binding(async ({ caller }) => {
    caller.limits.push(...limits);
    throw new CodedError('NOT_FOUND', { error: 'No.' });
  });
  const { status, headers } = await call([refuse], anEvent({ 'x-slipway-origin': secret }));
  const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
  expect([status, names.map((name) => headers?.[name])]).toEqual([404, expected]);
});

test('a request that no limit applies to has no rate limit headers', async () => {
  const { headers } = await call([ok], anEvent({ 'x-slipway-origin': secret }));
  expect(headers).toEqual(commonHeaders);
});

function limit(limit: number, remaining: number, resetSeconds = 60) {
  return { limit, remaining, resetSeconds };
}

test('every value of a repeated parameter is read', () => {
  const event = {
    ...anEvent(),
    queryStringParameters: { scope: 'b', state: ' +%' },
    multiValueQueryStringParameters: { scope: ['a', 'b'], state: [' +%'] },
  };
  const { query, queryParameters } = readApiRequest(event, context);
  expect(query).toEqual({ scope: 'b', state: ' +%' });
  expect([...queryParameters]).toEqual([
    ['scope', 'a'],
    ['scope', 'b'],
    ['state', ' +%'],
  ]);
  expect([...readApiRequest(anEvent(), context).queryParameters]).toEqual([]);
});
