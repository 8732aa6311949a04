import { describe, expect, test } from '@jest/globals';
import { elementsOf, textOf } from '../../../fixtures/visits/markup.ts';
import { markdownMarkup } from '../../../../web/text/markdown.ts';

const markup = (text: string) => markdownMarkup(text) ?? '';
const elements = (text: string) => elementsOf(markup(text));
const named = (text: string, ...tags: string[]) =>
  elements(text).filter(({ tag }) => tags.includes(tag));

describe('HTML that GitHub shows', () => {
  test('is shown: centred paragraphs, folded parts, keys, no comments', () => {
    const text = [
      '<!-- a remark -->',
      '<h1 align="center">Tern</h1>',
      '<details><summary>More</summary>',
      '',
      'Press <kbd>F1</kbd>, H<sub>2</sub>O',
      '',
      '</details>',
    ].join('\n');
    expect(named(text, 'h1')[0]?.attributes).toMatchObject({ align: 'center', id: 'tern' });
    expect(named(text, 'kbd')[0]?.path).toEqual(['details', 'p', 'kbd']);
    expect(markup(text)).not.toContain('remark');
  });

  test('a badge in a link stays one link, with its words', () => {
    const links = named(
      '[![build](https://example.org/b.svg)](https://example.org/ci)',
      'a',
      'img',
    );
    expect(links.map(({ tag, text }) => [tag, text])).toEqual([['a', 'build']]);
  });

  test('an anchor of its author is reached under its name', () => {
    expect(named('<a name="use"></a>\n\n[x](#use)', 'a')[0]?.attributes).toEqual({ id: 'use' });
  });

  test('a table has its frame, which scrolls', () => {
    const [table] = named('<table><tr><td>1</td></tr></table>', 'table');
    expect(table?.path).toEqual(['div', 'table']);
  });

  test('a head without words is a cell, and code that may scroll is reached by keyboard', () => {
    const cells = elements('| | knots |\n|-|-|\n| wind | 12 |').map(({ tag }) => tag);
    expect(cells.filter((tag) => /^t[dh]$/.test(tag))).toEqual(['td', 'th', 'td', 'td']);
    const [code] = named('```\nmoor\n```', 'pre');
    expect(code?.attributes).toEqual({ tabindex: '0', role: 'group', 'aria-label': 'Code' });
  });
});

test('task lists have boxes', () => {
  const boxes = named('- [x] moor\n- [ ] paint\n- [a] other', 'input');
  expect(boxes.map(({ attributes }) => attributes)).toEqual([
    { type: 'checkbox', disabled: '', checked: '', 'aria-label': 'Done' },
    { type: 'checkbox', disabled: '', 'aria-label': 'To do' },
  ]);
  expect(textOf(markup('- [x] moor'))).toBe('\nmoor\n\n');
});

test('footnotes lead to the foot and back', () => {
  const text = 'Deep[^1].\n\n[^1]: Nine metres.';
  const [there, back] = named(text, 'a');
  expect([there?.attributes.href, back?.attributes.href]).toEqual(['#fn1', '#fnref1']);
  const ids = elementsOf(markup(text)).flatMap(({ attributes }) => attributes.id ?? []);
  expect(ids).toEqual(['fnref1', 'fn1']);
});

test('alerts say what they are', () => {
  const text = '> [!WARNING]\n> Low bridge.\n\n> [!OTHER]\n> no alert';
  const found = elementsOf(markup(text));
  expect(found.find(({ attributes }) => attributes.class === 'alert alert-warning')?.text).toMatch(
    /^\s*Warning\s*Low bridge\.\s*$/,
  );
  expect(found.filter(({ tag }) => tag === 'blockquote')).toHaveLength(1);
});

test.each([
  ['> [!info] The quay\n> is closed', 'note', 'The quay', 'is closed'],
  ['> [!tip]- Folded\n> inside', 'tip', 'Folded', 'inside'],
  ['> [!BUG]+\n> inside', 'caution', 'Bug', 'inside'],
  ['> [!faq] Only a title', 'important', 'Only a title', ''],
])('the callout %j is of the kind %s', (text, kind, title, inside) => {
  const found = elementsOf(markup(text));
  const box = found.find(({ attributes }) => attributes.class === `alert alert-${kind}`);
  expect(box?.text.replaceAll(/\s+/g, ' ').trim()).toBe(`${title} ${inside}`.trim());
  const isFolded = /\][+-]/.test(text);
  expect(found.some(({ tag }) => tag === 'summary')).toBe(isFolded);
  expect('open' in (box?.attributes ?? {})).toBe(text.includes(']+'));
});

test('emoji have their short names, other colons stay', () => {
  expect(textOf(markup(':ship: at 10:30:15 :nonesuch: :)'))).toBe('🚢 at 10:30:15 :nonesuch: :)\n');
});

describe('front matter', () => {
  test('is folded away, not part of the text', () => {
    const text = '---\ntitle: Tern\ntags: [a]\n---\n# Tern\n';
    expect(named(text, 'details')[0]?.text).toContain('title: Tern');
    expect(named(text, 'h1', 'h2', 'hr').map(({ tag }) => tag)).toEqual(['h1']);
  });

  test('is no rule between two texts', () => {
    expect(named('---\n\nA\n\n---\n', 'hr', 'details').map(({ tag }) => tag)).toEqual(['hr', 'hr']);
  });
});

describe('formulas', () => {
  test('are set as MathML, in a line and as a block, without styles', () => {
    const text =
      'Euler: $e^{i\\pi}_a + 1$ costs $5 or $6.\n\n$$\n\\frac{a}{b}\n$$\n\n```math\nx^2\n```';
    const found = named(text, 'math');
    expect(found.map(({ attributes }) => attributes.display)).toEqual([
      undefined,
      'block',
      'block',
    ]);
    expect(textOf(markup(text))).toContain('costs $5 or $6.');
    const attributes = elementsOf(markup(text)).flatMap((one) => Object.keys(one.attributes));
    expect(attributes).not.toContain('style');
  });

  test.each([
    ['unknown words', '$\\nonesuch{$'],
    ['macros that grow', '$\\def\\a#1{#1#1#1#1}\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{x}}}}}}}}$'],
    ['a link that runs', '$\\href{javascript:alert(1)}{x}$'],
    ['foreign pictures', '$\\includegraphics{https://example.org/x.png}$'],
    ['HTML of the author', '<code class="math">\\style{x:url(//example.org)}{a}</code>'],
  ])('with %s are harmless', (_, text) => {
    const found = elementsOf(markup(text));
    const names = found.flatMap(({ attributes }) => Object.entries(attributes).flat());
    expect(names.filter((one) => /^(?:style|src)$|javascript/.test(one))).toEqual([]);
    expect(markup(text).length).toBeLessThan(100_000);
  });
});

test('a long text has a list of its contents, which leads to its headings', () => {
  const text = '# A\n## B *b*\n### C\n## D\n';
  const links = named(text, 'a').filter(({ path }) => path.includes('nav'));
  expect(links.map(({ attributes, text: words }) => [attributes.href, words])).toEqual([
    ['#a', 'A'],
    ['#b-b', 'B b'],
    ['#c', 'C'],
    ['#d', 'D'],
  ]);
  expect(named('# A\n## B\n', 'nav')).toEqual([]);
});

describe('the work is counted, not timed', () => {
  test.each([
    ['deep elements', '<div>'.repeat(50_000)],
    [
      'formats that every paragraph opens again',
      `${'<b><i><u>'.repeat(200)}${'<p>a'.repeat(50_000)}`,
    ],
    ['formats that are never nested right', '<a><b>x</a></b><p>'.repeat(20_000)],
    ['comments that never end', '<!--'.repeat(60_000)],
    ['quotes and lists in one another', '> - '.repeat(60_000)],
    ['footnotes', Array.from({ length: 20_000 }, (_, n) => `[^${n}] [^${n}]: a\n\n`).join('')],
    ['dollars', '$a'.repeat(200_000)],
    ['emoji', ':a'.repeat(200_000)],
    ['tables', `${'|a'.repeat(2000)}|\n${'|-'.repeat(2000)}|\n${'|\n'.repeat(60_000)}`],
  ])('of %s', (_, text) => {
    const startedAt = Date.now();
    const first = markdownMarkup(text);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(first === undefined || first.length < 3_000_001).toBe(true);
  });

  test('so that a slow processor shows prose too', () => {
    const text = '# A\n\nSome *words* and `code` in a [line](x.md).\n\n'.repeat(9000);
    expect(markdownMarkup(text, 1)).toBeDefined();
  });
});
