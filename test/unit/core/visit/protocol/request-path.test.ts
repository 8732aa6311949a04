import { expect, test } from '@jest/globals';
import {
  readNamelessPath,
  readRequestPath,
  toUrlPath,
} from '../../../../../core/visit/protocol/request-path.ts';

test.each([
  ['/', { path: '', folder: true }],
  ['/a%20b/c.html', { path: 'a b/c.html', folder: false }],
  ['/docs/', { path: 'docs', folder: true }],
  ['/e%CC%81', { path: 'é', folder: false }],
  ['/...', { path: '...', folder: false }],
  ['//', { path: '', folder: true }],
  ['//contact', { path: 'contact', folder: false }],
  ['/a///b//', { path: 'a/b', folder: true }],
])('%s is read as %j (habit 9)', (raw, expected) => {
  expect(readRequestPath(raw)).toEqual(expected);
});

test.each([
  'a',
  '/.',
  '/..',
  '/a/../b',
  '/%2e%2e/a',
  '/a/%2e%2e/',
  '/..%2fa',
  '/a%5cb',
  '/a%00',
  '/%',
])('%s cannot name a published file', (raw) => {
  expect(readRequestPath(raw)).toBeUndefined();
});

test('every segment of a file path is encoded in its URL', () => {
  expect(toUrlPath('a b/100%.txt')).toBe('/a%20b/100%25.txt');
});

test.each([
  ['/package/%40scope%2Fname', ['package', '@scope\udc2fname']],
  ['/tag/caf%E9', ['tag', 'caf\udce9']],
  ['/search/100%', ['search', '100%']],
  ['/a%5Cb', ['a\\b']],
  ['/a%00b', ['a\0b']],
])('%s names no file, and is read for the rules of a site', (raw, segments) => {
  expect(readRequestPath(raw)).toBeUndefined();
  expect(readNamelessPath(raw)?.path.split('/')).toEqual(segments);
});

test.each(['a', '/..', '/a/../b%2F', '/%2e%2e/100%', '/a/.'])('%s is not read', (raw) => {
  expect(readNamelessPath(raw)).toBeUndefined();
});
