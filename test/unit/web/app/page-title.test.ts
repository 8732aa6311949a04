import { expect, test } from '@jest/globals';
import { linesOfPage, pageTitle } from '../../../../web/app/upload/page-title.ts';

const titleOf = (html: string) =>
  pageTitle({ files: [{ path: 'index.html', file: new File([html], 'index.html') }] } as never);

test.each<[string, string, string | undefined]>([
  ['a title', '<title>Harbour</title>', 'Harbour'],
  [
    'one with attributes, lines and references',
    '<TITLE lang="en">\n Tom &amp; Anna&#39;s &#x2013;\n fair </TITLE>',
    "Tom & Anna's – fair",
  ],
  ['a reference that is none', '<title>A &foo; B</title>', 'A &foo; B'],
  ['one in a comment', '<!-- <title>Old</title> --><title>New</title>', 'New'],
  ['none', '<h1>Harbour</h1>', undefined],
  ['an empty one', '<title> </title>', undefined],
  ['one that nobody chose', '<title>Vite + React</title>', undefined],
])('%s', async (_, html, expected) => {
  expect(await titleOf(html)).toBe(expected);
});

test('a long head of half-open comments and titles is read in time in proportion to its length', async () => {
  expect(await titleOf('<!--<title'.repeat(6000))).toBeUndefined();
});

test('the small picture of a page has its words, one line for each block, and no code', () => {
  const html =
    '<!-- <p>Old --><title>Tides</title><style>p{}</style><script>alert("<p>no")</script >\n<h1>Tides</h1><p>High &amp;\n low<br>today<svg><text>Mark</text></svg><img src=x alt=y><p>tomorrow';
  expect(linesOfPage(html)).toEqual(['Tides', 'High & low', 'today', 'tomorrow']);
  expect(linesOfPage('<script><p '.repeat(6000))).toEqual([]);
});
