import { expect, test } from '@jest/globals';
import { markdownMarkup } from '../../../../web/text/markdown.ts';
import { notebookText } from '../../../../web/text/notebook-text.ts';
import { mailMarkup } from '../../../../web/text/records/mail-markup.ts';

const breaks = '\n'.repeat(500_000);

/** Each takes minutes or hours where a reader needs the square of its length in steps, or more. */
test.each([
  ['formulas of white space', () => markdownMarkup(`a $$${' \t'.repeat(950)}b\n`.repeat(200))],
  ['an environment without an end', () => notebookText(`\\begin{align}${breaks}`, {})],
  ['many of them', () => notebookText('\n\\begin{align}n'.repeat(50_000), {})],
  [
    'a field of tabs',
    () => mailMarkup(`From: a@b.c\nTo:${'\t'.repeat(1_000_000)}\u2028x\n\nhello`),
  ],
])(
  '%s are set in one pass',
  (_, read) => {
    expect(read()).toBeDefined();
  },
  20_000,
);
