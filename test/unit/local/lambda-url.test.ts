import { describe, expect, test } from '@jest/globals';
import type { HttpRequest } from '../../../local/http.ts';
import { callFunctionUrl, functionUrlAnswer, functionUrlEvent } from '../../../local/lambda-url.ts';

function aRequest(change: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'GET',
    path: '/a%20b',
    query: 'x=1&x=2&y=%20',
    headers: { host: 'fn.lambda-url.us-east-1.on.aws', cookie: 'a=1; b=2', 'user-agent': 'UA' },
    body: Buffer.alloc(0),
    viewer: { address: '127.0.0.1', port: 1 },
    ...change,
  };
}

describe('the event', () => {
  test('is payload format 2.0', () => {
    const event = functionUrlEvent(aRequest(), 'fn', new Date('2026-11-21T08:45:00.000Z'));
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: '$default',
      rawPath: '/a b',
      rawQueryString: 'x=1&x=2&y=%20',
      cookies: ['a=1', 'b=2'],
      headers: { 'user-agent': 'UA' },
      queryStringParameters: { x: '1,2', y: ' ' },
      requestContext: {
        domainPrefix: 'fn',
        http: {
          method: 'GET',
          path: '/a b',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'UA',
        },
        time: '21/Nov/2026:08:45:00 +0000',
        timeEpoch: 1795250700000,
      },
      isBase64Encoded: false,
    });
    expect(event).not.toHaveProperty('body');
  });

  test.each<[string, string, boolean, string]>([
    ['application/json', '{}', false, '{}'],
    ['text/plain; charset=utf-8', 'é', false, 'é'],
    ['image/png', 'png', true, 'cG5n'],
  ])('holds a body of type %s', (type, body, isBase64Encoded, expected) => {
    const request = aRequest({ headers: { 'content-type': type }, body: Buffer.from(body) });
    expect(functionUrlEvent(request, 'fn', new Date())).toMatchObject({
      body: expected,
      isBase64Encoded,
    });
  });
});

describe('the answer', () => {
  test('takes status, headers, cookies and body', () => {
    const answer = functionUrlAnswer({
      statusCode: 206,
      headers: { 'Content-Type': 'image/png', 'X-Count': 3 },
      cookies: ['a=1', 'b=2'],
      body: Buffer.from([0, 255]).toString('base64'),
      isBase64Encoded: true,
    });
    expect(answer).toEqual({
      status: 206,
      headers: { 'content-type': 'image/png', 'x-count': '3', 'set-cookie': ['a=1', 'b=2'] },
      body: Buffer.from([0, 255]),
    });
  });

  test('without a status is JSON', () => {
    expect(functionUrlAnswer({ a: 1 })).toMatchObject({
      status: 200,
      body: Buffer.from('{"a":1}'),
    });
  });

  test.each<[string, number]>([
    ['TooManyRequestsException', 429],
    ['TypeError', 502],
  ])('to a %s is %d', async (errorType, status) => {
    const answer = await callFunctionUrl(aRequest(), {
      functionName: 'fn',
      now: () => new Date(),
      invoke: async () => ({ ok: false, errorType, errorMessage: 'inside' }),
    });
    expect(answer.status).toBe(status);
    expect(String(Buffer.isBuffer(answer.body) && answer.body)).not.toContain('inside');
  });

  test('to nonsense is 502', () => {
    expect(functionUrlAnswer({ statusCode: 'x' }).status).toBe(502);
  });
});
