import { describe, expect, test } from '@jest/globals';
import {
  capturesOf,
  fillTemplate,
  isMatch,
  readPattern,
  readRulePath,
} from '../../../../core/site-rules/path-pattern.ts';

function match(pattern: string, path: string): Record<string, string> | undefined {
  const reading = readPattern(pattern);
  const requestPath = readRulePath(path);
  if ('fault' in reading || requestPath === undefined) throw new Error(`${pattern} or ${path}`);
  if (!isMatch(reading.pattern, requestPath)) return undefined;
  return Object.fromEntries(capturesOf(reading.pattern, requestPath));
}

describe('a pattern matches', () => {
  test.each<[string, string, Record<string, string>]>([
    ['/', '/', {}],
    ['/a', '/a', {}],
    ['/a', '/a/', {}],
    ['/a/', '/a', {}],
    ['/a b', '/a%20b', {}],
    ['/caf%C3%A9', '/cafe%CC%81', {}],
    ['/*', '/', { splat: '' }],
    ['/*', '/a/b', { splat: 'a/b' }],
    ['/*', '/a/b/', { splat: 'a/b/' }],
    ['/a/*', '/a', { splat: '' }],
    ['/a/*', '/a/', { splat: '' }],
    ['/a/*', '/a/b/c', { splat: 'b/c' }],
    ['/a/*/z', '/a/b/c/z', { splat: 'b/c' }],
    ['/a/*/z', '/a/z', { splat: '' }],
    ['/*.jpg', '/a/b.jpg', { splat: 'a/b' }],
    ['/img-*', '/img-1/2', { splat: '1/2' }],
    ['/:a/:b', '/x/y', { a: 'x', b: 'y' }],
    ['/post-:id.html', '/post-7.html', { id: '7' }],
    ['/:a/*', '/x/y/z', { a: 'x', splat: 'y/z' }],
    ['/*/:last', '/x/y/z', { splat: 'x/y', last: 'z' }],
    ['/a-*-b', '/a-x/y-b', { splat: 'x/y' }],
    ['/a*', '/a/', { splat: '' }],
  ])('%s matches %s', (pattern, path, captures) => {
    expect(match(pattern, path)).toEqual(captures);
  });

  test.each([
    ['/', '/a'],
    ['/a', '/A'],
    ['/a', '/a/b'],
    ['/a/*', '/ab'],
    ['/a/*', '/'],
    ['/*.jpg', '/a.png'],
    ['/a*a', '/a'],
    ['/:a', '/'],
    ['/:a', '/x/y'],
    ['/x:a', '/x'],
    ['/a/*/z', '/a/b'],
    ['/a/b/*', '/a'],
    ['/a-*-b', '/a-b'],
    ['/a-*-b', '/a-x/y'],
  ])('%s does not match %s', (pattern, path) => {
    expect(match(pattern, path)).toBeUndefined();
  });
});

test('the values of wildcards stay at their position, encoded', () => {
  const captures = new Map([
    ['splat', 'a b/%2f?#/é'],
    ['id', '7&x=1'],
  ]);
  const filled = '/new/a%20b/%252f%3F%23/%C3%A9?q=7%26x%3D1&r=:other';
  expect(fillTemplate('/new/:splat?q=:id&r=:other', captures, filled.length)).toBe(filled);
  expect(fillTemplate('/new/:splat?q=:id&r=:other', captures, filled.length - 1)).toBeUndefined();
});

test.each(['/*', '/a/*/a/a/a/b', '/*a', '/:x/*/:y/a'])(
  '%s compares every segment of a hostile path at most twice',
  (pattern) => {
    const reading = readPattern(pattern);
    if ('fault' in reading) throw new Error(reading.fault);
    const path = Array.from({ length: 4000 }, () => 'a');
    let reads = 0;
    const counted = new Proxy(path, {
      get(target, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    isMatch(reading.pattern, { segments: counted, slash: false });
    expect(reads).toBeLessThanOrEqual(2 * path.length);
  },
);
