import { describe, expect, test } from '@jest/globals';
import { aMock, anApi, aRequest, aRestApi, bodyOf, ok } from './an-api.ts';

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

  test('that declares base64 but is not, and must be decoded, is a configuration error', async () => {
    const api = aRestApi(anApi(), () => ok({ body: 'not base64!', isBase64Encoded: true }));
    const response = await api.handle(aRequest({ headers: { accept: 'multipart/form-data' } }));
    expect(response.status).toBe(500);
  });
});

describe('mock integrations', () => {
  test('answer a preflight', async () => {
    const preflight = aMock({
      statusCode: '204',
      responseParameters: {
        'method.response.header.Access-Control-Allow-Origin': "'*'",
        'method.response.header.Access-Control-Allow-Methods': "'GET,POST'",
      },
    });
    const api = aRestApi(anApi({ paths: { '/health': { options: preflight } } }));
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

  test('answer a fixed text, and HEAD without it', async () => {
    const text = aMock({
      statusCode: '503',
      responseTemplates: { 'application/json': '{"a":1}' },
    });
    const api = aRestApi(anApi({ paths: { '/v1': { get: text, head: text } } }));
    const response = await api.handle(aRequest({ path: '/v1' }));
    expect([response.status, response.headers['content-type'], bodyOf(response)]).toEqual([
      503,
      'application/json',
      '{"a":1}',
    ]);
    const head = await api.handle(aRequest({ method: 'HEAD', path: '/v1' }));
    expect([head.status, bodyOf(head)]).toEqual([503, '']);
  });
});
