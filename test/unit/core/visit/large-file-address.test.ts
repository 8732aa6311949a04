import { describe, expect, test } from '@jest/globals';
import type { Decision } from '../../../../core/visit/decide-visit.ts';
import {
  decideAtAddress,
  decideAtOwnPath,
  readLargeFileAddress,
  toLargeFileAddress,
} from '../../../../core/visit/large-file-address.ts';

const hash = 'MgokAE9kmpi2VTXn';
const other = 'AAAAAAAAAAAAAAAA';
const mebibyte = 1024 * 1024;

/** A decision about a file of this content and size. */
function about(kind: string, size = 5 * mebibyte): Decision {
  const file = { path: 'big.bin', contentType: 'text/plain', entry: { hash, size } };
  return { kind, file } as unknown as Decision;
}

test('an address is read as it was written, and nothing else is', () => {
  const address = { hash, path: '/a%20b/c.wasm' };
  expect(readLargeFileAddress(toLargeFileAddress(address))).toEqual(address);
  const tooShort = toLargeFileAddress({ hash: 'short', path: '/c.wasm' });
  for (const path of ['/', '/_slipway/files', tooShort])
    expect(readLargeFileAddress(path)).toBeUndefined();
});

test('at its own path, only a file that is too large for one response is redirected', () => {
  expect(decideAtOwnPath(about('media')).kind).toBe('to-large-file');
  expect(decideAtOwnPath(about('media', 500 * mebibyte)).kind).toBe('media');
  expect(decideAtOwnPath(about('file')).kind).toBe('file');
});

describe('at its address', () => {
  test.each<[string, string, string]>([
    ['media', hash, 'stream'],
    ['media', other, 'to-own-path'],
    ['file', hash, 'file'],
    ['file', other, 'to-own-path'],
    ['not-modified', hash, 'not-modified'],
    ['not-modified', other, 'to-own-path'],
    ['listing', hash, 'to-own-path'],
    ['single-file-page', hash, 'to-own-path'],
    ['locked', hash, 'locked'],
    ['missing', hash, 'missing'],
  ])('a decision of kind %s for the content %s is %s', (kind, asked, expected) => {
    expect(decideAtAddress(about(kind), asked).kind).toBe(expected);
  });

  test('a file that no stream can send leaves by a link', () => {
    expect(decideAtAddress(about('media', 500 * mebibyte), hash).kind).toBe('media');
  });
});
