import { expect, test } from '@jest/globals';
import { checkLinks } from '../../../../../core/content/links/check-links.ts';
import { readPage } from '../../../../../core/content/links/page-links.ts';

const site = { type: 'html', home: 'index.html', rules: undefined, spa: 'auto' } as never;
const files = new Map([['index.html', { size: 1, hash: 'h' }]]);

/** Where each folder above a missing address is written out, this takes the square of its length in steps. */
test.each([
  ['one address of many folders', 1, 240_000],
  ['many addresses of some folders', 60, 4000],
])(
  '%s is checked in one pass',
  (_, count, folders) => {
    const links = Array.from(
      { length: count },
      (_, at) => `<a href="/${at}${'/a'.repeat(folders)}">x</a>`,
    );
    const found = readPage(links.join(''), 'index.html').links;
    const named = found.map((link) => ({ ...link, file: 'index.html' }));
    expect(checkLinks(site, files, { links: named }).length).toBeLessThanOrEqual(50);
  },
  20_000,
);

test('a long base and many references are read in one pass', () => {
  const page = `<base href="/${'b'.repeat(250_000)}/"><img srcset="${'a, '.repeat(87_000)}">`;
  const { links } = readPage(page, 'index.html');
  expect(links).toHaveLength(2000);
  // A shorter base counts, this one does not.
  expect(new Set(links.map(({ path }) => path))).toEqual(new Set(['/a']));
}, 20_000);

test('an address that no visitor can ask for is no link', () => {
  const linkOf = (length: number) => `<a href="/${'a'.repeat(length - 1)}">x</a>`;
  const { links } = readPage(linkOf(8193) + linkOf(8192), 'index.html');
  expect(links.map(({ path }) => path.length)).toEqual([8192]);
});
