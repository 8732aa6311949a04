import { constants, brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import {
  chooseEncoding,
  encodeBody,
  maxThoroughBytes,
  minEncodedBytes,
} from '../../../../../core/visit/protocol/content-coding.ts';

const html = 'text/html; charset=utf-8';

describe('RFC 9110 §12.5.3: what a client takes', () => {
  test.each([
    ['br, gzip', 'br'],
    ['gzip, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.8,gzip;q=0.80', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000 , *', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1', 'br'],
    ['*, br;q=0.5', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['identity;q=0.5, br;q=0.5', 'br'],
    ['identity, br;q=0.9', undefined],
    ['identity;q=1, *;q=0', undefined],
    ['br;q=0, gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['deflate', undefined],
    ['identity', undefined],
    ['', undefined],
    [' , ,', undefined],
    ['br;q=2', undefined],
    ['br;q=-1, gzip;q=x', undefined],
    ['br;q=0.1234', undefined],
    ['brotli', undefined],
  ])('%j gets %s', (field, coding) => {
    expect(chooseEncoding(field, html, 5000)).toBe(coding);
  });
});

describe('what is sent packed', () => {
  test.each([
    [html],
    ['text/css; charset=utf-8'],
    ['text/javascript; charset=utf-8'],
    ['text/plain; charset=utf-8'],
    ['application/json; charset=utf-8'],
    ['application/ld+json; charset=utf-8'],
    ['application/manifest+json; charset=utf-8'],
    ['application/xml; charset=utf-8'],
    ['application/rss+xml; charset=utf-8'],
    ['image/svg+xml; charset=utf-8'],
    ['application/wasm'],
    ['font/ttf'],
    ['font/otf'],
    ['model/gltf+json'],
    ['image/x-icon'],
  ])('%s is', (type) => {
    expect(chooseEncoding('br', type, minEncodedBytes)).toBe('br');
    expect(chooseEncoding('br', type, minEncodedBytes - 1)).toBeUndefined();
  });

  test.each([
    'font/woff2',
    'font/woff',
    'image/png',
    'image/jpeg',
    'video/mp4',
    'application/zip',
    'application/pdf',
    'application/octet-stream',
    'model/gltf-binary',
  ])('%s is not', (type) => {
    expect(chooseEncoding('br', type, 100_000)).toBeUndefined();
  });
});

/** Each request that the edge cannot answer compresses its body again. */
test.each([
  ['of 256 KiB', maxThoroughBytes, { gzip: 6, brotli: 5 }],
  ['above it, at the quickest level', maxThoroughBytes + 1, { gzip: 1, brotli: 1 }],
])('a body %s is compressed in some milliseconds', async (_, size, levels) => {
  const words = Array.from({ length: size / 4 }, (__, at) => (at * 7919) % 4999).join(' ');
  const body = Buffer.from(words).subarray(0, size);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: levels.brotli,
    [constants.BROTLI_PARAM_SIZE_HINT]: size,
  };
  expect(await encodeBody(body, 'gzip')).toEqual(gzipSync(body, { level: levels.gzip }));
  expect(await encodeBody(body, 'br')).toEqual(brotliCompressSync(body, { params }));
});
