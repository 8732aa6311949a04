import { expect, test } from '@jest/globals';
import { chosenTitle } from '../../../../core/content/page-title.ts';
import { runWithTimeout } from '../../../../core/run-with-timeout.ts';
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
  ['one with a control character', '<title>A&#1;B</title>', undefined],
  ['one that turns the text around it', '<title>A&#x202E;gpj.exe</title>', undefined],
  ['half of a character', '<title>A&#xD800;B</title>', 'A&#xD800;B'],
  ['one in another encoding', '<title>Caf\uFFFD</title>', undefined],
  ['one that would be cut in a character', `<title>${'a'.repeat(254)}😀</title>`, 'a'.repeat(254)],
  ['spaces, and half of what is cut', `<title>${' '.repeat(2039)}😀</title>`, undefined],
  ['one that would end in a space', `<title>${'a'.repeat(254)} b</title>`, 'a'.repeat(254)],
])('%s', async (_, html, expected) => {
  expect(await titleOf(html)).toBe(expected);
});

test.each(['<!--<title', '<title', '<title ', '<title>'])(
  'a long head of half-open %j is read in time in proportion to its length',
  (open) => {
    // Where each of them is read to the end of the page, this takes most of a minute.
    const read = (html: string) => runWithTimeout(5000, () => [chosenTitle(html)]);
    expect(read(open.repeat(60_000))).toEqual([undefined]);
    expect(read(`${open.repeat(60_000)}>`)).toEqual([undefined]);
    expect(read(`${open.repeat(100)}--><title>Tides</title>`)).toEqual(['Tides']);
  },
);

test('the small picture of a page has its words, one line for each block, and no code', () => {
  const html =
    '<!-- <p>Old --><title>Tides</title><style>p{}</style><script>alert("<p>no")</script >\n<h1>Tides</h1><p>High &amp;\n low<br>today<svg><text>Mark</text></svg><img src=x alt=y><p>tomorrow';
  expect(linesOfPage(html)).toEqual(['Tides', 'High & low', 'today', 'tomorrow']);
  expect(linesOfPage('<script><p '.repeat(6000))).toEqual([]);
});
