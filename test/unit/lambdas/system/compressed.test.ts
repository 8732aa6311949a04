import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ApiRequest } from '../../../../lambdas/http/api-request.ts';
import { compressed } from '../../../../lambdas/system/compressed.ts';

const text = '<p>Ship it.</p>'.repeat(100);
const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-store' };
const requestHeaders = {
  accept: 'application/octet-stream, text/html,*/*',
  'accept-encoding': 'gzip',
};

async function served(
  headers: Record<string, string>,
  response: Partial<APIGatewayProxyResult> = {},
): Promise<APIGatewayProxyResult> {
  const binding = compressed({
    method: 'GET',
    route: '/',
    serve: async () => ({ statusCode: 200, headers: html, body: text, ...response }),
  });
  return binding.serve({ headers } as unknown as ApiRequest);
}

describe('a document', () => {
  test('is sent as gzip, with its other headers', async () => {
    const { headers, body, isBase64Encoded } = await served(requestHeaders);
    expect(headers).toEqual({ ...html, 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(isBase64Encoded).toBe(true);
    expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe(text);
  });

  test('is sent as Brotli to a browser that takes both', async () => {
    const { headers, body } = await served({
      ...requestHeaders,
      'accept-encoding': 'gzip, deflate, br',
    });
    expect(headers?.['content-encoding']).toBe('br');
    expect(brotliDecompressSync(Buffer.from(body, 'base64')).toString()).toBe(text);
  });

  test.each<[string, Record<string, string>]>([
    ['takes no encoding', { accept: requestHeaders.accept }],
    ['refuses gzip', { ...requestHeaders, 'accept-encoding': 'gzip;q=0' }],
  ])('stays text where the client %s, and names what it depends on', async (_, headers) => {
    expect(await served(headers)).toEqual({
      statusCode: 200,
      headers: { ...html, vary: 'accept-encoding' },
      body: text,
    });
  });

  test.each(['text/html,*/*', '*/*', 'text/html, application/octet-stream', ''])(
    'stays text where API Gateway would not decode base64: Accept is %j',
    async (accept) => {
      const same = { statusCode: 200, headers: html, body: text };
      expect(await served({ ...requestHeaders, accept })).toEqual(same);
    },
  );

  test.each<[string, Partial<APIGatewayProxyResult>]>([
    ['a short text', { body: '{"status":"ok"}' }],
    ['a picture', { headers: { 'content-type': 'image/png' } }],
    ['bytes', { isBase64Encoded: true }],
  ])('that is %s stays as it is', async (_, response) => {
    const same = { statusCode: 200, headers: html, body: text, ...response };
    expect(await served(requestHeaders, response)).toEqual(same);
  });
});
