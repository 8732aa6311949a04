import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { answerAsset } from '../../../../lambdas/viewer-assets/viewer-assets.ts';
import { assetFolder } from '../../../../lambdas/viewer-assets/asset-folder.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'slipway-assets-'));
mkdirSync(path.join(dir, 'assets', 'pdf-data-1'), { recursive: true });
for (const [name, text] of [
  ['index.mjs', 'the function itself'],
  ['assets/pdf-A1.js', 'plain'],
  ['assets/pdf-A1.js.br', 'br bytes'],
  ['assets/pdf-A1.js.gz', 'gz bytes'],
  ['assets/pdf-data-1/font.wasm', 'wasm'],
  ['assets/frame-B2.html', 'a page'],
] as const) {
  writeFileSync(path.join(dir, name), text);
}
afterAll(() => rmSync(dir, { recursive: true }));

const folder = assetFolder(path.join(dir, 'assets'));
const ask = (name: string, rest: { method?: string; accept?: string; etag?: string } = {}) =>
  answerAsset(folder, {
    method: rest.method ?? 'GET',
    path: `/_slipway/assets/${name}`,
    acceptEncoding: rest.accept ?? '',
    ifNoneMatch: rest.etag,
  });
const textOf = (body: string | undefined) => Buffer.from(body ?? '', 'base64').toString();

describe('a file of viewer pages', () => {
  test('is cached for ever, with its type and a policy of its own', () => {
    expect(ask('pdf-A1.js')).toMatchObject({
      statusCode: 200,
      isBase64Encoded: true,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
      },
    });
    expect(ask('pdf-data-1/font.wasm').headers).toMatchObject({
      'content-type': 'application/wasm',
    });
  });

  test('that is a page has no origin and may ask for nothing', () => {
    expect(ask('frame-B2.html').headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'",
    });
  });

  test.each([
    ['br,gzip', 'br', 'br bytes'],
    ['gzip', 'gzip', 'gz bytes'],
    ['', undefined, 'plain'],
    ['deflate', undefined, 'plain'],
  ])('requested with %j is sent as %s, with an ETag of its own', (accept, encoding, text) => {
    const { headers, body } = ask('pdf-A1.js', { accept });
    expect(headers?.['content-encoding']).toBe(encoding);
    expect(headers?.etag).toBe(encoding === undefined ? '"pdf-A1.js"' : `"pdf-A1.js-${encoding}"`);
    expect(textOf(body)).toBe(text);
  });

  test('that the caller has is not sent again, and HEAD gets no body', () => {
    expect(ask('pdf-A1.js', { etag: '"pdf-A1.js"' })).toMatchObject({ statusCode: 304 });
    expect(ask('pdf-A1.js', { accept: 'br', etag: '"pdf-A1.js"' }).statusCode).toBe(200);
    const head = ask('pdf-A1.js', { method: 'HEAD' });
    expect(head).toMatchObject({ statusCode: 200 });
    expect(head.body).toBeUndefined();
  });
});

test.each([
  '',
  'pdf-A2.js',
  'pdf-A1.js.br',
  'pdf-A1.js/',
  'pdf-data-1',
  'pdf-data-1/',
  '../index.mjs',
  'pdf-data-1/../../index.mjs',
  '/etc/passwd',
  '__proto__',
  'constructor',
  'PDF-A1.JS',
])('no asset is named %j', (name) => {
  const { statusCode, headers, body } = ask(name);
  expect(statusCode).toBe(404);
  expect(headers?.['cache-control']).toBe('no-store');
  expect(body).not.toContain('function itself');
});
