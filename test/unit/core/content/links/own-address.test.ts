import { expect, jest, test } from '@jest/globals';
import { isElsewhere, resolveOwn } from '../../../../../core/content/links/own-address.ts';
import { readPage, readStyleSheet } from '../../../../../core/content/links/page-links.ts';

const base = 'https://site.invalid/docs/';

test.each([
  ['a.html', '/docs/a.html'],
  ['../b', '/b'],
  ['/c?d#e', '/c'],
  [' d ', '/docs/d'],
  ['e\tf', '/docs/ef'],
  ['a\\b', '/docs/a/b'],
  ['?q', '/docs/'],
  ['a:b/c'.replace(':', '%3A'), '/docs/a%3Ab/c'],
])('%j is an address of the same site', (text, path) => {
  expect(isElsewhere(text)).toBe(false);
  expect(resolveOwn(text, base)?.pathname).toBe(path);
});

test.each([
  'https://x/a',
  '//x/a',
  '\\\\x/a',
  '/\\x/a',
  '\\/x/a',
  '/\t/x/a',
  '\n//x/a',
  ' \u0001//x/a',
  'mailto:a@x',
  'ht\ntps://x',
])('%j is none, and its host is not read', (text) => {
  const parse = jest.spyOn(URL, 'parse');
  expect(isElsewhere(text)).toBe(true);
  expect(resolveOwn(text, base)).toBeUndefined();
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

test.each(['/.//x/a.png', '..//..//x/a.png', '/%2e//x/a.png', '/./\\x/a.png'])(
  '%j would be an address of another host when it is written again',
  (text) => expect(resolveOwn(text, base)).toBeUndefined(),
);

test('no link of a page or style sheet makes a host of what a stranger wrote', () => {
  const host = '\u0344'.repeat(30_000) + '\u0316'.repeat(30_000);
  const page = ['//', '\\\\', '/\\', 'https://']
    .map((start) => `<a href="${start}x${host}/">a</a><img srcset="${start}x${host}/ 2x">`)
    .join(`<a href="/&#9;/x${host}/">a</a>`);
  const parse = jest.spyOn(URL, 'parse');
  expect(readPage(`${page}<a href="b">b</a>`, 'a.html').links).toEqual([
    { path: '/b', kind: 'page' },
  ]);
  expect(readPage(`<base href="//x${host}/"><a href="b">b</a>`, 'a.html').links).toEqual([]);
  expect(readStyleSheet(`a { b: url(//x${host}/) }`, 'a.css')).toEqual([]);
  expect(parse).toHaveBeenCalledTimes(1);
  parse.mockRestore();
});
