import { describe, expect, test } from '@jest/globals';
import { elementsOf, textOf } from '../../../fixtures/visits/markup.ts';
import { codeMarkup, highlightedChars } from '../../../../web/text/code-markup.ts';
import { textMarkup } from '../../../../web/pages/viewers/text-markup.ts';
import { languageOf } from '../../../../web/text/highlight.ts';
import { runWithTimeout } from '../../../../core/run-with-timeout.ts';

/** The text of a file without a name that says more, as its page shows it. */
function shownText(bytes: Buffer): string {
  const { markup } = textMarkup({ path: 'a', type: 'code', bytes, isWhole: true });
  return textOf(markup).trimEnd();
}

describe('code as markup', () => {
  test.each([
    ['signs that markup writes in another way', '<'],
    ['lines', 'a\n'],
    ['quotation marks', '"'],
    ['letters beyond ASCII', 'я'],
    ['characters of four bytes', '𝄞'],
  ])('of eight megabytes of %s the most that fits is shown', (_, text) => {
    const { markup, isNumbered, isCut } = codeMarkup(text.repeat(4_000_000), undefined);
    expect([isNumbered, isCut]).toEqual([false, true]);
    const bytes = Buffer.byteLength(JSON.stringify(markup));
    expect(bytes).toBeLessThanOrEqual(4_500_000);
    expect(bytes).toBeGreaterThan(2_900_000);
  });

  test('every line is its own element, also within a comment, and the text is the file', () => {
    const text = '/* one\n two */\nconst a = `x\n${1}`;\n';
    const { markup, isNumbered, isCut } = codeMarkup(text, 'typescript');
    expect([isNumbered, isCut]).toEqual([true, false]);
    expect(textOf(markup)).toBe(text);
    const found = elementsOf(markup);
    const lines = found.filter(({ attributes }) => attributes.class === 'line');
    expect(lines.map(({ attributes }) => attributes.id)).toEqual(['L1', 'L2', 'L3', 'L4']);
    const wordsOf = (kind: string) =>
      found.filter((one) => one.attributes.class === kind).map((one) => one.text);
    expect(wordsOf('hljs-comment')).toEqual(['/* one', ' two */']);
    expect(wordsOf('hljs-keyword')).toEqual(['const']);
    expect(found.find(({ tag }) => tag === 'a')?.attributes.href).toBe('#L1');
  });

  test.each([
    ['xml', '<script>alert(1)</script>\n<img src=x onerror="alert(1)">'],
    ['javascript', '"</span></code></pre><script>alert(1)</script>"'],
    ['markdown', '[x](javascript:alert(1)) <b>'],
    [undefined, '<script>alert(1)</script>&amp;"\''],
  ])('of %s escapes every tag of the file', (language, text) => {
    const { markup } = codeMarkup(text, language);
    const tags = elementsOf(markup).map(({ tag }) => tag);
    expect(tags.filter((tag) => tag !== 'span' && tag !== 'a')).toEqual([]);
    expect(textOf(markup).trimEnd()).toBe(text);
  });

  test('shows bidirectional control characters', () => {
    expect(codeMarkup('a\u202Eb\u0000c', undefined).markup).toContain('a\uFFFDb\uFFFDc');
  });

  test.each([
    [
      'above half a megabyte has no words told apart',
      'a = 1\n'.repeat(100_000).slice(0, highlightedChars + 6),
    ],
    ['of very many lines has none numbered', 'a\n'.repeat(30_000)],
  ])('%s', (_, text) => {
    const { markup, isCut } = codeMarkup(text, 'python');
    expect(markup).not.toContain('hljs-');
    expect(isCut).toBe(false);
  });

  test('comes in blocks of lines, which say the number of their first line where they have none', () => {
    const blocks = (count: number) => {
      const { markup } = codeMarkup('a\n'.repeat(count), 'python');
      expect(textOf(markup)).toBe('a\n'.repeat(count));
      return elementsOf(markup).filter(({ attributes }) =>
        /^(?:block|rest)/.test(String(attributes.class)),
      );
    };
    expect(blocks(250).map(({ attributes }) => attributes.class)).toEqual([
      'block',
      'block',
      'rest',
    ]);
    const many = blocks(20_700);
    expect(many).toHaveLength(42);
    expect(many[0]?.attributes['data-first']).toBe('1');
    expect(many.at(-1)?.attributes).toEqual({ class: 'rest many', 'data-first': '20501' });
  });

  test.each(['&', '"\\', '<', '\u0001', 'é', '中'])(
    'two megabytes of %j fit into an answer',
    (unit) => {
      const { markup } = codeMarkup(unit.repeat(2_000_000 / unit.length), 'javascript');
      expect(Buffer.byteLength(JSON.stringify(markup))).toBeLessThan(5_000_000);
    },
  );
});

describe('text of a file', () => {
  test.each([
    ['UTF-8', Buffer.from('é€\n')],
    ['UTF-8 with its mark', Buffer.from('\uFEFFé€\n')],
    ['UTF-16, little end first', Buffer.from('\uFEFFé€\n', 'utf16le')],
    ['UTF-16, big end first', Buffer.from('\uFEFFé€\n', 'utf16le').swap16()],
    ['lines as Windows ends them', Buffer.from('é€\r\n')],
  ])('in %s is read', (_, bytes) => {
    expect(shownText(bytes)).toBe('é€');
  });

  test('with invalid bytes shows where they are', () => {
    const bytes = Buffer.concat([Buffer.from('é'.repeat(10)), Buffer.from([0x61, 0xff, 0x62])]);
    expect(shownText(bytes)).toBe(`${'é'.repeat(10)}a\uFFFDb`);
    expect(shownText(Buffer.from([0x63, 0x61, 0x66, 0xe9]))).toBe('café');
  });
});

test.each([
  ['ts', true],
  ['py', true],
  ['yml', true],
  ['sql', true],
  ['dockerfile', true],
  ['ipynb', true],
  ['txt', false],
  ['constructor', false],
  ['', false],
])('the language of .%s is known: %j', (extension, isKnown) => {
  const language = languageOf(extension);
  const hasWords = language !== undefined && language !== 'plaintext';
  expect(hasWords).toBe(isKnown);
});

describe('work with a time limit', () => {
  test('returns its result', () => {
    expect(runWithTimeout(1000, () => 7)).toBe(7);
  });

  test('is stopped when it does not end, in a loop or in an expression', () => {
    expect(
      runWithTimeout(50, () => {
        for (;;);
      }),
    ).toBeUndefined();
    expect(runWithTimeout(50, () => /^(a+)+$/.test(`${'a'.repeat(64)}b`))).toBeUndefined();
  });

  test('that throws returns nothing', () => {
    expect(
      runWithTimeout(1000, () => {
        throw new Error('no');
      }),
    ).toBeUndefined();
  });
});

test('the colours of a terminal are left out of a log', () => {
  const bytes = Buffer.from('\u001B[1;31mred\u001B[0m line\u001B[K\n');
  const { markup } = textMarkup({ path: 'a.log', type: 'document', bytes, isWhole: true });
  expect(markup.replaceAll(/<[^>]*>/g, '')).toContain('red line');
  expect(markup).not.toContain('31m');
});
