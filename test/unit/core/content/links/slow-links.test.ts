import { expect, test } from '@jest/globals';
import { checkLinks } from '../../../../../core/content/links/check-links.ts';
import { collectLinks } from '../../../../../core/content/links/collect-links.ts';
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

test('a base is as long as its address, not as it is written', () => {
  const letters = `/${'字'.repeat(2000)}/`;
  const page = `<base href="${letters}"><a href="x">`;
  expect(readPage(page, 'index.html').links.map(({ path }) => path)).toEqual(['/x']);
});

test('pages are read for their links until the time of an upload is over', async () => {
  const upload = async (limitMs?: number) => {
    const bytes = Buffer.from(`<a href="x">${'<b>'.repeat(10_000)}`);
    async function* pages() {
      for (const path of ['a.html', 'b.html']) yield { path, size: bytes.length, content: [bytes] };
    }
    const linked = collectLinks('site', pages(), limitMs);
    let passed = 0;
    for await (const { content } of linked.files) for await (const _ of content) passed += 1;
    return [passed, linked.found().pages.size];
  };
  expect(await upload()).toEqual([2, 2]);
  expect(await upload(Number.MIN_VALUE)).toEqual([2, 0]);
});

test('an address that no visitor can ask for is no link', () => {
  const linkOf = (length: number) => `<a href="/${'a'.repeat(length - 1)}">x</a>`;
  const { links } = readPage(linkOf(8193) + linkOf(8192), 'index.html');
  expect(links.map(({ path }) => path.length)).toEqual([8192]);
});
