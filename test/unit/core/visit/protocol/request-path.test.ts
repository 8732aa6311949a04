import { expect, test } from '@jest/globals';
import { readRequestPath, toUrlPath } from '../../../../../core/visit/protocol/request-path.ts';

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
