import { describe, expect, test } from '@jest/globals';
import { aRequest, aRestApi } from './an-api.ts';

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
        resourceId: expect.stringMatching(/^[0-9a-f]{10}$/),
        resourcePath: '/v1/projects/{projectId}',
        stage: 'live',
      },
      body: '{"a":1}',
      isBase64Encoded: false,
    });
  });

  test('has null for missing values', async () => {
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

  test('has the cloud’s time', async () => {
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
