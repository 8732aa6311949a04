import { describe, expect, test } from '@jest/globals';
import { matchesPath, normalizedPath } from '../../edge/host-routing.ts';

describe('path pattern', () => {
  test.each([
    ['*', '/', true],
    ['/v1/*', '/v1/a/b', true],
    ['/v1/*', '/v1', false],
    ['v1/*', '/v1/', true],
    ['/V1/*', '/v1/a', false],
    ['*.jpg', '/a/b.jpg', true],
    ['*.jpg', '/a/b.jpg2', false],
    ['/a??.css', '/ab1.css', true],
    ['/a?.css', '/a.css', false],
    ['/a*b*c', '/axxbyybzc', true],
    ['/a.c', '/abc', false],
    [`/${'*a'.repeat(30)}`, `/${'a'.repeat(29)}b`, false],
  ])('%p and %p: %p', (pattern, path, expected) => {
    expect(matchesPath(pattern, path)).toBe(expected);
  });
});

test.each([
  ['/', '/'],
  ['/a/', '/a/'],
  ['/%5Fslipway/%6d', '/_slipway/m'],
  ['/a/../_slipway//x', '/_slipway/x'],
  ['/a/%2e%2E/./b', '/b'],
  ['/..', '/'],
  ['/a%2Fb%20c+', '/a%2Fb%20c+'],
])('the behaviour of %s is that of %s', (path, expected) => {
  expect(normalizedPath(path)).toBe(expected);
});
