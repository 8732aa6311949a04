import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { HttpRequest, Resource } from '../../../../local/http/http.ts';
import { movableClock } from '../../../../local/time/clock.ts';
import { createRestApi } from '../../../../local/gateway/create-rest-api.ts';
import { createFunction } from '../../../../local/lambda/create-function.ts';
import {
  aMethod,
  anApi,
  aRequest,
  aResource,
  aRestApi,
  bodyOf,
  functionArn,
  lambdaIntegration,
  ok,
} from './an-api.ts';

const gatewayResponse = (type: string, more: Record<string, unknown> = {}): Resource =>
  aResource('GatewayResponse', `Response${type}`, { ResponseType: type, ...more });
const envelope = {
  ResponseTemplates: {
    'application/json':
      '{"status":"error","error":$context.error.messageString,"type":"$context.error.responseType","requestId":"$context.requestId"}',
  },
};

describe('the event', () => {
  test('is the one of a REST API, as captured from the service', async () => {
    const api = aRestApi();
    await api.handle(
      aRequest({
        method: 'PUT',
        path: '/v1/projects/space%20value/',
        query: 'repeat=one&repeat=two&literalPlus=a+b&empty=',
        headers: {
          host: 'localhost:8787',
          'user-agent': 'curl/8.7.1',
          accept: '*/*',
          'content-type': 'application/json',
          'content-length': '7',
          connection: 'keep-alive',
          'x-forwarded-for': '198.51.100.7',
          'cloudfront-viewer-address': '198.51.100.7:4711',
          'x-slipway-origin': 'secret',
        },
        body: Buffer.from('{"a":1}'),
      }),
    );
    const { functionName, event } = api.events[0] ?? {};
    const headers = {
      Host: 'api.execute-api.us-east-1.amazonaws.com',
      'User-Agent': 'curl/8.7.1',
      accept: '*/*',
      'content-type': 'application/json',
      'CloudFront-Viewer-Address': '198.51.100.7:4711',
      'x-slipway-origin': 'secret',
      'X-Amzn-Trace-Id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
      'X-Forwarded-For': '198.51.100.7, 203.0.113.9',
      'X-Forwarded-Port': '443',
      'X-Forwarded-Proto': 'https',
    };
    expect(functionName).toBe('system');
    expect(event).toEqual({
      resource: '/v1/projects/{projectId}',
      path: '/v1/projects/space%20value/',
      httpMethod: 'PUT',
      headers,
      multiValueHeaders: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, [value]]),
      ),
      queryStringParameters: { repeat: 'two', literalPlus: 'a b', empty: '' },
      multiValueQueryStringParameters: {
        repeat: ['one', 'two'],
        literalPlus: ['a b'],
        empty: [''],
      },
      pathParameters: { projectId: 'space%20value' },
      stageVariables: null,
      requestContext: {
        accountId: '000000000000',
        apiId: 'api',
        deploymentId: 'Deployment',
        domainName: 'api.execute-api.us-east-1.amazonaws.com',
        domainPrefix: 'api',
        extendedRequestId: expect.stringMatching(/^[\w-]{15}=$/),
        httpMethod: 'PUT',
        identity: expect.objectContaining({
          sourceIp: '203.0.113.9',
          userAgent: 'curl/8.7.1',
          user: null,
        }),
        path: '/live/v1/projects/space%20value/',
        protocol: 'HTTP/1.1',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        requestTime: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        requestTimeEpoch: expect.any(Number),
        resourceId: 'project',
        resourcePath: '/v1/projects/{projectId}',
        stage: 'live',
      },
      body: '{"a":1}',
      isBase64Encoded: false,
    });
  });

  test('has null for what a request does not have', async () => {
    const api = aRestApi();
    await api.handle(aRequest());
    expect(api.events[0]?.event).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      body: null,
      isBase64Encoded: false,
    });
  });

  test('tells the cloud’s time', async () => {
    const api = aRestApi();
    api.clock.advance(Date.UTC(2030, 0, 31, 12) - Date.now());
    await api.handle(aRequest());
    expect(api.events[0]?.event).toMatchObject({
      requestContext: { requestTime: expect.stringMatching(/^31\/Jan\/2030:12:00:0\d \+0000$/) },
    });
  });

  test.each([
    ['multipart/form-data; boundary=b', true],
    ['image/png', false],
  ])('carries a body of type %s as base64: %s', async (type, binary) => {
    const api = aRestApi();
    const body = Buffer.from([0x89, 0x50, 0xff]);
    const headers = { 'content-type': type };
    await api.handle(aRequest({ method: 'POST', path: '/v1/projects', headers, body }));
    expect(api.events[0]?.event).toMatchObject({
      body: binary ? 'iVD/' : '\uFFFDP\uFFFD',
      isBase64Encoded: binary,
    });
  });

  test('keeps the trace root that the edge sent', async () => {
    const api = aRestApi();
    const root = 'Root=1-6a5145a8-536f3e792f6be9b44c1f46fa';
    await api.handle(aRequest({ headers: { 'x-amzn-trace-id': `${root};Parent=x` } }));
    expect(api.events[0]?.event).toMatchObject({ headers: { 'X-Amzn-Trace-Id': root } });
  });
});

describe('the answer of a function', () => {
  test('becomes the HTTP answer with the ids of the service', async () => {
    const api = aRestApi(anApi(), () =>
      ok({
        statusCode: 201,
        headers: { 'Cache-Control': 'no-store', 'X-One': 'a', 'X-Two': 'a', 'X-Flag': true },
        multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'], 'x-one': ['b'], 'x-two': ['a'] },
        body: '{"é":1}',
      }),
    );
    const response = await api.handle(aRequest());
    expect({ ...response, body: bodyOf(response) }).toEqual({
      status: 201,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-one': ['a', 'b'],
        'x-two': 'a',
        'x-flag': 'true',
        'set-cookie': ['a=1', 'b=2'],
        'x-amzn-requestid': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'x-amz-apigw-id': expect.stringMatching(/=$/),
        'x-amzn-trace-id': expect.stringMatching(/^Root=/),
      },
      body: '{"é":1}',
    });
  });

  test.each([
    'Authorization',
    'Connection',
    'Content-Length',
    'Content-MD5',
    'Date',
    'Expect',
    'Host',
    'Max-Forwards',
    'Proxy-Authenticate',
    'Server',
    'Trailer',
    'Upgrade',
    'User-Agent',
    'WWW-Authenticate',
  ])('cannot set %s, which is sent under another name', async (name) => {
    const api = aRestApi(anApi(), () => ok({ statusCode: 401, headers: { [name]: 'value' } }));
    const { headers } = await api.handle(aRequest());
    expect(headers[`x-amzn-remapped-${name.toLowerCase()}`]).toBe('value');
    expect(headers[name.toLowerCase()]).toBeUndefined();
  });

  test('loses Transfer-Encoding', async () => {
    const api = aRestApi(anApi(), () => ok({ headers: { 'Transfer-Encoding': 'chunked' } }));
    const { headers, status } = await api.handle(aRequest());
    expect(status).toBe(200);
    expect(Object.keys(headers).filter((name) => name.includes('transfer'))).toEqual([]);
  });

  test.each([
    ['multipart/form-data', 'PNG!'],
    ['multipart/form-data;q=1, image/png', 'PNG!'],
    ['image/png', 'UE5HIQ=='],
    ['*/*', 'UE5HIQ=='],
    [undefined, 'UE5HIQ=='],
  ])('is decoded from base64 only as the Accept header decides: %s', async (accept, expected) => {
    const api = aRestApi(anApi(), () =>
      ok({ headers: { 'content-type': 'image/png' }, body: 'UE5HIQ==', isBase64Encoded: true }),
    );
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const response = await api.handle(aRequest({ headers }));
    expect(bodyOf(response)).toBe(expected);
  });

  test('to HEAD has no body', async () => {
    const api = aRestApi(anApi(), () => ok({ body: 'text' }));
    const response = await api.handle(aRequest({ method: 'HEAD', path: '/v1/projects/p' }));
    expect([response.status, bodyOf(response)]).toEqual([200, '']);
  });

  test.each([
    ['nothing', null],
    ['a text', 'hello'],
    ['a list', []],
    ['an unknown field', { statusCode: 200, cookies: ['a=1'] }],
    ['a body that is no text', { statusCode: 200, body: { a: 1 } }],
    ['a header that is a number', { statusCode: 200, headers: { 'x-count': 1 } }],
    ['a status that is no number', { statusCode: 'ok' }],
    ['a status out of range', { statusCode: 42 }],
  ])('that is %s is a bad gateway', async (_name, payload) => {
    const response = await aRestApi(anApi(), () => ok(payload)).handle(aRequest());
    expect([response.status, bodyOf(response)]).toEqual([
      502,
      '{"message":"Internal server error"}',
    ]);
  });

  test('that says base64 and is none, where it has to be decoded, is a configuration error', async () => {
    const api = aRestApi(anApi(), () => ok({ body: 'not base64!', isBase64Encoded: true }));
    const response = await api.handle(aRequest({ headers: { accept: 'multipart/form-data' } }));
    expect(response.status).toBe(500);
  });
});

describe('refusals', () => {
  const slow = { ...lambdaIntegration('system'), TimeoutInMillis: 50 };
  const withoutPermission = anApi().filter(({ type }) => type !== 'AWS::Lambda::Permission');
  const strictMock = {
    Type: 'MOCK',
    PassthroughBehavior: 'NEVER',
    RequestTemplates: { 'application/json': '{"statusCode":200}' },
    IntegrationResponses: [{ StatusCode: '200' }],
  };
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
        resources: [...anApi(), aMethod('v1', 'GET', slow)],
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
        resources: [...anApi(), aMethod('v1', 'POST', strictMock)],
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
      const api = aRestApi([
        ...anApi(),
        gatewayResponse('REQUEST_TOO_LARGE', envelope),
        gatewayResponse('DEFAULT_4XX', envelope),
      ]);
      const response = await api.handle(aRequest(request));
      expect({ ...response, body: bodyOf(response) }).toEqual({
        status,
        headers: { 'content-type': 'text; charset=utf-8' },
        body: text,
      });
      expect(api.events).toEqual([]);
    },
  );

  test('let pass a body of 10 MB and headers below the quota', async () => {
    const api = aRestApi();
    const body = Buffer.alloc(10_485_760);
    const headers = { cookie: 'c'.repeat(10_000) };
    const request = aRequest({ method: 'POST', path: '/v1/projects', body, headers });
    expect((await api.handle(request)).status).toBe(200);
  });
});

describe('gateway responses', () => {
  test('replace a refusal by status, headers and template', async () => {
    const api = aRestApi([
      ...anApi(),
      gatewayResponse('MISSING_AUTHENTICATION_TOKEN', {
        StatusCode: '404',
        ResponseParameters: {
          'gatewayresponse.header.Cache-Control': "'no-store'",
          'gatewayresponse.header.X-Request-Id': 'context.requestId',
          'gatewayresponse.header.X-Origin': 'method.request.header.Origin',
        },
        ...envelope,
      }),
    ]);
    const response = await api.handle(
      aRequest({ path: '/no"where', headers: { origin: 'https://a.example' } }),
    );
    const requestId = response.headers['x-amzn-requestid'];
    expect(response.status).toBe(404);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      'x-origin': 'https://a.example',
    });
    expect(JSON.parse(bodyOf(response))).toEqual({
      status: 'error',
      error: 'Missing Authentication Token',
      type: 'MISSING_AUTHENTICATION_TOKEN',
      requestId,
    });
  });

  test.each([
    ['its own before the default', ['THROTTLED', 'DEFAULT_4XX'], 'THROTTLED'],
    ['the default of its class', ['DEFAULT_4XX', 'DEFAULT_5XX'], 'DEFAULT_4XX'],
    ['the service’s when only another class has one', ['DEFAULT_5XX'], 'service'],
  ])('choose %s', async (_name, types, expected) => {
    const settings = [{ ThrottlingRateLimit: 0, ThrottlingBurstLimit: 0 }];
    const resources = anApi().map((resource) =>
      resource.logicalId === 'Stage'
        ? { ...resource, properties: { ...resource.properties, MethodSettings: settings } }
        : resource,
    );
    const responses = types.map((type) =>
      gatewayResponse(type, { ResponseTemplates: { 'application/json': type } }),
    );
    const response = await aRestApi([...resources, ...responses]).handle(aRequest());
    expect(response.status).toBe(429);
    expect(bodyOf(response)).toBe(
      expected === 'service' ? '{"message":"Too Many Requests"}' : expected,
    );
  });

  test('for a class keep the status of the refusal', async () => {
    const api = aRestApi([...anApi(), gatewayResponse('DEFAULT_5XX', envelope)], () => ok(null));
    const response = await api.handle(aRequest());
    expect(response.status).toBe(502);
    expect(JSON.parse(bodyOf(response))).toMatchObject({ type: 'DEFAULT_5XX' });
  });

  test.each([
    ['application/xml', 'application/xml', '<e/>'],
    ['text/html,application/xml', 'application/json', '{}'],
    [undefined, 'application/json', '{}'],
  ])('use the template for Accept %s', async (accept, type, body) => {
    const templates = { 'application/xml': '<e/>', 'application/json': '{}' };
    const api = aRestApi([
      ...anApi(),
      gatewayResponse('DEFAULT_4XX', { ResponseTemplates: templates }),
    ]);
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const response = await api.handle(aRequest({ path: '/nowhere', headers }));
    expect([response.headers['content-type'], bodyOf(response)]).toEqual([type, body]);
  });

  test('have no body for HEAD', async () => {
    expect(bodyOf(await aRestApi().handle(aRequest({ method: 'HEAD' })))).toBe('');
  });
});

describe('mock integrations', () => {
  const preflight = {
    Type: 'MOCK',
    RequestTemplates: { 'application/json': '{ statusCode: 204 }' },
    IntegrationResponses: [
      {
        StatusCode: '204',
        ResponseParameters: {
          'method.response.header.Access-Control-Allow-Origin': "'*'",
          'method.response.header.Access-Control-Allow-Methods': "'GET,POST'",
        },
      },
    ],
  };

  test('answer a preflight as CDK writes it', async () => {
    const api = aRestApi([...anApi(), aMethod('health', 'OPTIONS', preflight)]);
    const response = await api.handle(aRequest({ method: 'OPTIONS' }));
    expect({ ...response, body: bodyOf(response) }).toEqual({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET,POST',
        'x-amzn-requestid': expect.any(String),
        'x-amz-apigw-id': expect.any(String),
      },
      body: '',
    });
    expect(api.events).toEqual([]);
  });

  test('select the answer by the status of the request template', async () => {
    const chosen = {
      Type: 'MOCK',
      RequestTemplates: { 'application/json': '{"statusCode": 418}' },
      IntegrationResponses: [
        { StatusCode: '200' },
        {
          StatusCode: '503',
          SelectionPattern: '4\\d\\d',
          ResponseTemplates: { 'application/json': '{"a":1}' },
        },
      ],
    };
    const response = await aRestApi([...anApi(), aMethod('v1', 'GET', chosen)]).handle(
      aRequest({ path: '/v1' }),
    );
    expect([response.status, response.headers['content-type'], bodyOf(response)]).toEqual([
      503,
      'application/json',
      '{"a":1}',
    ]);
  });

  test.each([
    ['no answer', { RequestTemplates: { 'application/json': '{"statusCode":200}' } }],
    ['no template', { IntegrationResponses: [{ StatusCode: '200' }] }],
  ])('with %s are a configuration error', async (_name, more) => {
    const api = aRestApi([...anApi(), aMethod('v1', 'GET', { Type: 'MOCK', ...more })]);
    expect((await api.handle(aRequest({ path: '/v1' }))).status).toBe(500);
  });
});

test('runs a real bundle from the request to the answer, and refuses an event over 6 MB', async () => {
  const codeDir = await mkdtemp(join(tmpdir(), 'slipway-gateway-'));
  await writeFile(
    join(codeDir, 'index.mjs'),
    `export const handler = async (event) => ({
      statusCode: 200,
      body: JSON.stringify({ bytes: Buffer.from(event.body ?? '', 'base64').length, id: event.requestContext.requestId }),
    });`,
  );
  const clock = movableClock();
  const log = () => undefined;
  const fn = createFunction({
    name: 'system',
    arn: functionArn('system'),
    codeDir,
    handler: 'index.handler',
    environment: {},
    timeoutSeconds: 10,
    memoryMb: 256,
    clock,
    log,
  });
  const api = createRestApi({
    resources: anApi(),
    clock,
    log,
    invoke: (_name, event) => fn.invoke(event),
  });
  const upload = (bytes: number): HttpRequest =>
    aRequest({
      method: 'POST',
      path: '/v1/projects',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: Buffer.alloc(bytes),
    });

  const fits = await api.handle(upload(4_500_000));
  const tooLong = await api.handle(upload(4_800_000));
  await fn.close();
  await rm(codeDir, { recursive: true });

  expect(JSON.parse(bodyOf(fits))).toEqual({
    bytes: 4_500_000,
    id: fits.headers['x-amzn-requestid'],
  });
  expect([tooLong.status, bodyOf(tooLong)]).toEqual([413, '{"message":"Request Too Long"}']);
});
