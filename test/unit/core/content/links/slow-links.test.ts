import { describe, expect, test } from '@jest/globals';
import { checkLinks, maxSteps } from '../../../../../core/content/links/check-links.ts';
import { collectLinks } from '../../../../../core/content/links/collect-links.ts';
import { refersToTopFolder } from '../../../../../core/content/top-folder.ts';
import { readSiteRules } from '../../../../../core/site-rules/collect-site-rules.ts';
import { readPage } from '../../../../../core/content/links/page-links.ts';

const site = { type: 'html', home: 'index.html', rules: undefined, spa: 'auto' } as const;
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

/** Time differs between machines, so this counts the letters of what is looked up. */
function stepsOf(work: () => unknown): number {
  let steps = 0;
  const maps = Object.getPrototypeOf(files);
  const { get } = maps;
  const encode = globalThis.encodeURIComponent;
  maps.get = function counted(key: unknown) {
    steps += String(key).length;
    return get.call(this, key);
  };
  globalThis.encodeURIComponent = (text) => {
    steps += String(text).length;
    return encode(text);
  };
  work();
  maps.get = get;
  globalThis.encodeURIComponent = encode;
  return steps;
}

describe('a small site takes a bounded number of steps', () => {
  const linesOf = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join('\n');
  const page = (base: string) =>
    `<base href="${base}">${linesOf(2000, (at) => `<a href="${at}">x</a>`)}`;

  test.each([
    [
      'rules that show files which are not there',
      1000,
      linesOf(100, (n) => `/:a${n}/* /${n}/:splat 200`),
    ],
    ['rules with short targets', 3, linesOf(9000, (n) => `/* /${n} 200`)],
    ['rules of many segments', 900, linesOf(100, (n) => `${'/a'.repeat(600)}/*/${n} /b`)],
    ['rules that lead to themselves', 400, linesOf(9000, () => '/* /:splat 301!')],
    ['nothing but folders', 32, ''],
    ['no rules', 1000, ''],
  ])('with %s', (_, folders, redirects) => {
    const { rules } = readSiteRules(new Map([['_redirects', redirects]]));
    const { links } = readPage(page(`${'/a'.repeat(folders)}/`), 'index.html');
    expect(links).toHaveLength(2000);
    const found = links.map((link) => ({ ...link, file: 'index.html' }));
    expect(stepsOf(() => checkLinks({ ...site, rules }, files, { links: found }))).toBeLessThan(
      maxSteps + 200_000,
    );
  });
});

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

test('no more pages are read than 50,000 references are on, of which many may be equal', async () => {
  const bytes = Buffer.from('<a href="x">'.repeat(2000));
  async function* pages() {
    for (let at = 0; at < 30; at += 1)
      yield { path: `${at}.html`, size: bytes.length, content: [bytes] };
  }
  const linked = collectLinks('site', pages(), 60_000);
  for await (const { content } of linked.files) for await (const _ of content);
  expect(linked.found().pages.size).toBe(25);
}, 60_000);

test('an address that no visitor can ask for is no link', () => {
  const linkOf = (length: number) => `<a href="/${'a'.repeat(length - 1)}">x</a>`;
  const { links } = readPage(linkOf(8193) + linkOf(8192), 'index.html');
  expect(links.map(({ path }) => path.length)).toEqual([8192]);
});

test('pages that tell whether a top folder stays have one time together', async () => {
  const pages: Record<string, string> = {
    'index.html': 'word '.repeat(400_000),
    'home.html': '<script src="/site/main.js"></script>',
  };
  const folder = {
    topFolder: 'site/',
    files: ['index.html', 'home.html', 'main.js'].map((path) => ({ path, size: 1 })),
    look: async (path: string) => Buffer.from(pages[path] ?? ''),
  };
  expect(await refersToTopFolder(folder)).toBe(true);
  expect(await refersToTopFolder(folder, 1)).toBe(false);
});

test.each(['<svg>', '<svg><title>', '<svg><title></svg>', '<math><mi>'])(
  'a page is read up to its 500 open %s',
  (open) => {
    const link = '<a href="/a.html">x</a>';
    expect(readPage(`${open.repeat(100)}${link}`, 'index.html').links).toHaveLength(1);
    expect(readPage(`${open.repeat(50_000)}${link}`, 'index.html').links).toEqual([]);
  },
);
