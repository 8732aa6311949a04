import { describe, expect, test } from '@jest/globals';
import { operations } from '../../../contract/operations.ts';
import { openApiDocument } from '../../../contract/openapi/openapi-document.ts';
import { ask, baseUrl, file, isLocal, published } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

describe('GET /health', () => {
  test('answers 200 {status, service}', async () => {
    const answer = await ask(`${baseUrl}/health`);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ status: 'ok', service: 'slipway' });
  });
});

describe('GET /v1', () => {
  test('answers 200 {status, version, docs}, and the docs link works', async () => {
    const answer = await ask(`${baseUrl}/v1`);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      status: expect.any(String),
      version: expect.any(String),
      docs: expect.stringMatching(/^https?:\/\//),
    });
    const docs = await ask(answer.json.docs.replace(/#.*/, ''));
    expect(docs.status).toBe(200);
  });
});

describe('GET /openapi.json', () => {
  test('describes exactly the operations of the contract, at this address', async () => {
    const answer = await ask(`${baseUrl}/openapi.json`);
    expect(answer.status).toBe(200);
    const brand = answer.json.info.title;
    expect(answer.json).toEqual(openApiDocument({ brand, baseUrl }, operations));
  });
});

describe('GET /.well-known/security.txt', () => {
  // An installation names whom it likes, or nobody.
  const local = isLocal ? test : test.skip;

  local('says whom to tell of a weakness (RFC 9116), to pages of every site', async () => {
    const answer = await ask(`${baseUrl}/.well-known/security.txt`);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    const fields = new URLSearchParams(
      answer.text.trim().replaceAll(': ', '=').replaceAll('\r\n', '&'),
    );
    expect(fields.get('Contact')).toBe('mailto:security@slipway.example');
    expect(fields.get('Canonical')).toBe(`${baseUrl}/.well-known/security.txt`);
    expect(Date.parse(fields.get('Expires') ?? '')).toBeGreaterThan(Date.now());
    expect((await ask(`${baseUrl}/.well-known/security.txt/`)).text).toBe(answer.text);
  });

  test('a site serves its own file, and 404 if it has none', async () => {
    const own = await published([
      file('index.html'),
      file('.well-known/security.txt', 'Contact: me'),
    ]);
    expect((await ask(`${own}/.well-known/security.txt`)).text).toBe('Contact: me');
    const none = await published([file('index.html')]);
    expect((await ask(`${none}/.well-known/security.txt`)).status).toBe(404);
  });
});

describe('every response', () => {
  test.each(['/health', '/v1'])('%s is JSON with no-store', async (path) => {
    const { headers } = await ask(baseUrl + path);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/\S/),
    });
  });
});

describe('unknown paths', () => {
  test.each([
    ['GET', '/v1/nothing'],
    ['GET', '/nothing'],
    ['GET', '/v1/%2e%2e/health'],
    ['GET', '/v1/projects/temp/../../../etc/passwd'],
  ])('%s %s answers 404 with an error code', async (method, path) => {
    expectRefusal(await ask(baseUrl + path, { method }), 404, 'NOT_FOUND');
  });
});

describe('GET /', () => {
  test('is a page with a strict content security policy', async () => {
    const { status, headers, text } = await ask(`${baseUrl}/`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(text).toContain('/v1/projects/temp');
  });
});
