import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import type { HttpRequest } from '../../http/http.ts';
import {
  callFunctionUrl,
  functionUrlAnswer,
  functionUrlEvent,
} from '../../functions/lambda-url.ts';

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

const unused = () => Promise.reject(new Error('another way of calling'));
const options = {
  functionName: 'fn',
  invokeMode: 'BUFFERED' as const,
  now: () => new Date(),
  invoke: unused,
  stream: unused,
};

describe('the answer', () => {
  test('has status, headers, cookies and body', () => {
    const result = {
      statusCode: 206,
      headers: { 'Content-Type': 'image/png', 'X-Count': 3 },
      cookies: ['a=1', 'b=2'],
      body: Buffer.from([0, 255]).toString('base64'),
      isBase64Encoded: true,
    };
    const answer = functionUrlAnswer(result, 'GET');
    expect(answer).toEqual({
      status: 206,
      headers: {
        'content-type': 'image/png',
        'content-length': '2',
        'x-count': '3',
        'set-cookie': ['a=1', 'b=2'],
      },
      body: Buffer.from([0, 255]),
    });
  });

  test('without a status is JSON', () => {
    expect(functionUrlAnswer({ a: 1 }, 'GET')).toMatchObject({
      status: 200,
      body: Buffer.from('{"a":1}'),
    });
  });

  test.each<[string, number]>([
    ['TooManyRequestsException', 429],
    ['TypeError', 502],
  ])('to a %s is %d', async (errorType, status) => {
    const answer = await callFunctionUrl(aRequest(), {
      ...options,
      invoke: async () => ({ ok: false, errorType, errorMessage: 'inside' }),
    });
    expect(answer.status).toBe(status);
    expect(String(Buffer.isBuffer(answer.body) && answer.body)).not.toContain('inside');
  });

  test('has the length of its body; the length that the function names gets another name', () => {
    const result = { statusCode: 200, headers: { 'Content-Length': '7' }, body: 'abc' };
    expect(functionUrlAnswer(result, 'GET').headers).toMatchObject({
      'content-length': '3',
      'x-amzn-remapped-content-length': '7',
    });
  });

  test.each([
    'Authorization',
    'Connection',
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
  ])('sends %s of the function under another name', (name) => {
    const { headers } = functionUrlAnswer({ statusCode: 401, headers: { [name]: 'value' } }, 'GET');
    expect(headers[`x-amzn-remapped-${name.toLowerCase()}`]).toBe('value');
    expect(headers[name.toLowerCase()]).toBeUndefined();
  });

  test('drops Transfer-Encoding', () => {
    const result = { statusCode: 200, headers: { 'transfer-encoding': 'chunked' } };
    expect(functionUrlAnswer(result, 'GET').headers).not.toHaveProperty('transfer-encoding');
  });

  test('to HEAD has no length', () => {
    const result = { statusCode: 200, headers: { 'content-length': '7' } };
    const { headers } = functionUrlAnswer(result, 'HEAD');
    expect(headers).toMatchObject({ 'x-amzn-remapped-content-length': '7' });
    expect(headers).not.toHaveProperty('content-length');
  });

  test('to nonsense is 502', () => {
    expect(functionUrlAnswer({ statusCode: 'x' }, 'GET').status).toBe(502);
  });
});

describe('a streamed answer', () => {
  const integration = 'application/vnd.awslambda.http-integration-response';
  const zeros = '\0'.repeat(8);

  async function answerTo(chunks: (string | Error)[], contentType = integration) {
    const body = Readable.from(
      (async function* () {
        for (const chunk of chunks) {
          if (chunk instanceof Error) throw chunk;
          yield Buffer.from(chunk);
        }
      })(),
      { objectMode: false },
    );
    const answer = await callFunctionUrl(aRequest(), {
      ...options,
      invokeMode: 'RESPONSE_STREAM',
      stream: async () => ({ ok: true, contentType, body }),
    });
    return { ...answer, source: body, stream: answer.body as Readable };
  }

  const head = JSON.stringify({
    statusCode: 206,
    headers: { 'Content-Type': 'text/plain' },
    cookies: ['a=1'],
  });

  test('renames the headers that the service sends itself, as other answers do', async () => {
    const headers = { Server: 'mine', 'WWW-Authenticate': 'Basic', 'X-Own': '1' };
    const answer = await answerTo([JSON.stringify({ statusCode: 401, headers }), zeros, 'body']);
    expect(answer.headers).toMatchObject({
      'x-amzn-remapped-server': 'mine',
      'x-amzn-remapped-www-authenticate': 'Basic',
      'x-own': '1',
    });
    expect(answer.headers).not.toHaveProperty('server');
  });

  test.each([
    ['in one piece', [`${head}${zeros}first second`]],
    ['in pieces', [head, zeros, 'first ', 'second']],
    [
      'cut anywhere',
      [head.slice(0, 5), `${head.slice(5)}\0\0`, `${zeros.slice(2)}fir`, 'st second'],
    ],
  ])('has status and headers before its body, %s', async (_name, chunks) => {
    const { status, headers, stream } = await answerTo(chunks);
    expect({ status, headers }).toEqual({
      status: 206,
      headers: { 'content-type': 'text/plain', 'set-cookie': ['a=1'] },
    });
    expect(await text(stream)).toBe('first second');
  });

  test('may be empty', async () => {
    const { status, stream } = await answerTo([head, zeros]);
    expect(status).toBe(206);
    expect(await text(stream)).toBe('');
  });

  test('without a prelude has the content type of the stream', async () => {
    const { status, headers, stream } = await answerTo(['abc'], 'text/csv');
    expect({ status, headers }).toEqual({ status: 200, headers: { 'content-type': 'text/csv' } });
    expect(await text(stream)).toBe('abc');
  });

  test('is aborted when its function fails', async () => {
    const { stream } = await answerTo([head, zeros, 'half', new Error('storage')]);
    await expect(buffer(stream)).rejects.toThrow('storage');
  });

  test('that is discarded unread releases its function', async () => {
    const { stream, source } = await answerTo([head, zeros, 'x'.repeat(100_000)]);
    stream.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    expect(source.destroyed).toBe(true);
  });

  test.each([
    ['no head', ['abc']],
    ['no byte at all', []],
    ['a head that is no JSON', ['{', zeros]],
    ['a head without an end', ['x'.repeat(70_000), zeros]],
    ['a status that is none', ['{"statusCode":"200"}', zeros]],
    ['a field that nobody reads', ['{"statusCode":200,"body":"x"}', zeros]],
    ['a length', ['{"statusCode":200,"headers":{"Content-Length":"3"}}', zeros, 'abc']],
    ['a failure in its head', ['{"status', new Error('storage')]],
  ])('with %s is 502', async (_name, chunks) => {
    const { status, source } = await answerTo(chunks);
    expect(status).toBe(502);
    expect(source.destroyed).toBe(true);
  });

  test.each<[string, number]>([
    ['TooManyRequestsException', 429],
    ['TypeError', 502],
  ])('that never started, to a %s, is %d', async (errorType, status) => {
    const answer = await callFunctionUrl(aRequest(), {
      ...options,
      invokeMode: 'RESPONSE_STREAM',
      stream: async () => ({ ok: false, errorType, errorMessage: 'inside' }),
    });
    expect(answer.status).toBe(status);
  });
});
