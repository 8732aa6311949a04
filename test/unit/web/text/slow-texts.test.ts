import { expect, test } from '@jest/globals';
import { codeMarkup } from '../../../../web/text/code-markup.ts';
import { markdownMarkup } from '../../../../web/text/markdown.ts';
import { notebookText } from '../../../../web/text/notebook-text.ts';
import { mailMarkup } from '../../../../web/text/records/mail-markup.ts';

const breaks = '\n'.repeat(500_000);

/** Formulas that define a command of 1,500 letters and use it 190 times. */
function longCommands(count: number): string {
  return `$\\def\\a{${'x'.repeat(1500)}}${'\\a'.repeat(190)}$\n\n`.repeat(count);
}

test('formulas are set until their markup has a million and a half characters', () => {
  const set =
    (markdownMarkup(`$${'x'.repeat(1900)}$\n\n`.repeat(250), 0) ?? '').split('<math').length - 1;
  expect(set).toBeGreaterThan(20);
  expect(set).toBeLessThan(249);
}, 20_000);

/** A text of a notebook with its pictures in their places. */
function attached(source: string) {
  const picture = { 'image/png': 'A'.repeat(1_000_000) };
  const { markdown, withPictures } = notebookText(source, { a: picture });
  return withPictures(markdown, { pictureChars: 3_000_000 });
}

/** Each takes minutes or hours where a reader needs the square of its length in steps, or more. */
test.each([
  ['formulas of white space', () => markdownMarkup(`a $$${' \t'.repeat(950)}b\n`.repeat(200))],
  ['front matter of many lines', () => markdownMarkup(`+++\n${'a = 1\n'.repeat(3300)}+++\n`)],
  ['formulas of long commands', () => markdownMarkup(longCommands(200))],
  ['an environment without an end', () => notebookText(`\\begin{align}${breaks}`, {})],
  [
    'lines within many templates',
    () => codeMarkup('`${'.repeat(800) + '\n'.repeat(19_000), 'javascript'),
  ],
  ['many references to a picture', () => attached('attachment:a '.repeat(70_000))],
  ['many pictures', () => attached('![](attachment:a) '.repeat(2000))],
  ['many of them', () => notebookText('\n\\begin{align}n'.repeat(50_000), {})],
  [
    'a field of tabs',
    () => mailMarkup(`From: a@b.c\nTo:${'\t'.repeat(1_000_000)}\u2028x\n\nhello`),
  ],
  [
    'parts between marks that no line has',
    () =>
      mailMarkup(
        `From: a@b.c\nTo: b\nContent-Type: multipart/mixed; boundary="b${'a'.repeat(200_000)}"\n\n${'\n'.repeat(200_000)}${'a'.repeat(1000)}`,
      ),
  ],
])(
  '%s are set in one pass',
  (_, read) => {
    expect(read()).toBeDefined();
  },
  20_000,
);

test.each([
  ['an attribute', (at: number) => `<b id="${at}</b>">`],
  ['a comment', (at: number) => `<b id="${at}"><!--</b>-->`],
  ['an object', (at: number) => `<b id="${at}"><object></b></object>`],
  ['a text box', (at: number) => `<b id="${at}"><textarea></b></textarea>`],
])('formats that only seem to end, in %s, are counted in each paragraph', (_, format) => {
  const formats = Array.from({ length: 400 }, (_none, at) => format(at)).join('');
  expect(
    markdownMarkup(`<div><p>${formats}</p>${'<p>x</p>'.repeat(8000)}</div>\n`),
  ).toBeUndefined();
});
