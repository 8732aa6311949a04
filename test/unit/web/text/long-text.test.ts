import { expect, test } from '@jest/globals';
import { markdownMarkup } from '../../../../web/text/markdown.ts';

const aText = (count: number) =>
  Array.from({ length: count }, (_, number) => `## Tide ${number}\n\n- north\n- east`).join('\n\n');

const partsOf = (markup: string) => markup.split('<div class="part">').slice(1);
const blocksIn = (markup: string) => markup.match(/<(?:h2|ul|nav)[ >]/g)?.length ?? 0;

test('a long text is in parts, each of a few screens, with its contents first', () => {
  const parts = partsOf(markdownMarkup(aText(150)) ?? '');
  expect(parts).toHaveLength(8);
  for (const part of parts.slice(1)) expect(blocksIn(part)).toBeLessThanOrEqual(40);
  expect(parts[0]).toMatch(/^<nav class="contents"/);
  expect(parts.at(-1)).toContain('<h2 id="tide-149">Tide 149</h2>');
});

test('nothing of it is lost or in another order', () => {
  const headings = [...(markdownMarkup(aText(150)) ?? '').matchAll(/<h2 id="tide-(\d+)"/g)];
  expect(headings.map(([, number]) => Number(number))).toEqual(
    Array.from({ length: 150 }, (_, number) => number),
  );
});

test('a short text has no parts', () => {
  expect(partsOf(markdownMarkup(aText(50)) ?? '')).toEqual([]);
});
