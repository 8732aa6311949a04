import { describe, expect, test } from '@jest/globals';
import {
  addressOf,
  decideAtAddress,
  readLargeFileAddress,
  toLargeFileAddress,
} from '../../../../core/visit/large-file-address.ts';
import { decideVisit } from '../../../../core/visit/decide-visit.ts';
import type { FileEntry, Manifest } from '../../../../core/visit/manifest.ts';
import type { VisitorRequest } from '../../../../core/visit/route-visit.ts';
import type { ServingRecord } from '../../../../core/visit/serving-record.ts';
import { encodeRules } from '../../../../core/site-rules/site-rules.ts';
import { aSite, aVisit } from '../../../fixtures/visits/a-site.ts';

const mebibyte = 1024 * 1024;
const site = aSite();
const packable = { size: 5 * mebibyte, hash: 'hash', brotliBytes: mebibyte };
const files: Manifest = new Map<string, FileEntry>([
  ['index.html', { size: 100, hash: 'index' }],
  ['small.txt', { size: 100, hash: 'small' }],
  ['film.mp4', { size: 5 * mebibyte, hash: 'film' }],
  ['app.wasm', packable],
]);
const br = { acceptEncoding: 'gzip, br' };

/** The address to which a request for a path is redirected. */
function addressFor(path: string, more: Partial<VisitorRequest> = {}, at = site): string {
  const decision = decideVisit(at, files, aVisit({ path, ...more }));
  if (decision.kind !== 'large-file') throw new Error(`it is ${decision.kind}`);
  return toLargeFileAddress(addressOf(at, decision.file, path));
}

/** What is decided at an address. */
function at(raw: string, more: Partial<VisitorRequest> = {}, on: ServingRecord = site) {
  const address = readLargeFileAddress(raw);
  if (address === undefined) throw new Error('it is no address');
  return decideAtAddress(on, files, aVisit({ path: address.path, ...more }), address);
}

test('an address names the object and ends with the path, and nothing else is one', () => {
  const raw = addressFor('/film.mp4');
  expect(raw).toMatch(/^\/_slipway\/files\/0b7e4c1a-[0-9a-f-]{27}\/a1\/[0-9a-f]{32}\/film\.mp4$/);
  expect(readLargeFileAddress(raw)).toMatchObject({ isIsolated: false, path: '/film.mp4' });
  for (const other of ['/', '/_slipway/files/', raw.replace('/a1/', '/A1/'), raw.slice(0, -9)])
    expect(readLargeFileAddress(other)).toBeUndefined();
});

describe('at its address', () => {
  test.each<[string, Partial<VisitorRequest>]>([
    ['a plain request', {}],
    ['a range', { conditions: { range: 'bytes=0-9' } }],
    ['a range that the file does not have', { conditions: { range: 'bytes=9999999-' } }],
    ['a condition', { conditions: { ifNoneMatch: '*', ifMatch: '"x"' } }],
    // To revalidate a range, the edge leaves the range out.
    ['a browser that unpacks, without its range', br],
  ])('%s is left to storage', (_, asked) => {
    const { kind } = at(addressFor('/film.mp4', { conditions: { range: 'bytes=0-' } }), asked);
    expect(kind).toBe('left-to-storage');
  });

  test('of a file that is small when it is packed, a range is left to storage too', () => {
    const raw = addressFor('/app.wasm', { ...br, conditions: { range: 'bytes=0-9' } });
    expect(at(raw, br).kind).toBe('left-to-storage');
  });

  test.each<[string, string]>([
    ['of another object', addressFor('/film.mp4').replace(/[0-9a-f]{32}/, '0'.repeat(32))],
    ['of another project', addressFor('/film.mp4').replace('0b7e4c1a', '1b7e4c1a')],
    ['of a small file', addressFor('/film.mp4').replace('film.mp4', 'small.txt')],
    ['of the home page', addressFor('/film.mp4').replace('film.mp4', '')],
    ['of a site that does not isolate it', addressFor('/film.mp4').replace('files', 'isolated')],
  ])('the address %s leads to the own path', (_, raw) => {
    for (const range of [undefined, 'bytes=9999999-'])
      expect(at(raw, { conditions: { range } }).kind).toBe('to-own-path');
  });

  test('a file that does not exist is missing', () => {
    expect(at(addressFor('/film.mp4').replace('film.mp4', 'other.mp4')).kind).toBe('missing');
  });
});

describe('the packed form', () => {
  const large = new Map(files).set('app.wasm', {
    ...packable,
    size: 60 * mebibyte,
    brotliBytes: 5 * mebibyte,
  });
  const address = () => {
    const decision = decideVisit(site, large, aVisit({ path: '/app.wasm', ...br }));
    if (decision.kind !== 'large-file') throw new Error(`it is ${decision.kind}`);
    return addressOf(site, decision.file, '/app.wasm');
  };

  test('is an object of its own, for who unpacks it', () => {
    expect(address().object).toMatch(/\.br$/);
    const decided = decideAtAddress(site, large, aVisit({ path: '/app.wasm', ...br }), address());
    expect(decided).toMatchObject({ kind: 'left-to-storage', file: { isBrotli: true } });
    const plain = decideAtAddress(site, large, aVisit({ path: '/app.wasm' }), address());
    expect(plain.kind).toBe('to-own-path');
  });
});

test('the file of a site that isolates its pages has an address whose responses do so', () => {
  const set: [string, string][] = [['cross-origin-embedder-policy', 'require-corp']];
  const rules = encodeRules({ redirects: [], headers: [{ line: 1, path: '/*', set, unset: [] }] });
  const isolated = aSite({ rules });
  const raw = addressFor('/film.mp4', {}, isolated);
  expect(raw).toMatch(/^\/_slipway\/isolated\//);
  expect(at(raw, {}, isolated).kind).toBe('left-to-storage');
  expect(at(raw.replace('isolated', 'files'), {}, isolated).kind).toBe('to-own-path');
});
