import { describe, expect, jest, test } from '@jest/globals';
import MarkdownItCallable from 'markdown-it';
import { elementsOf, textOf } from '../../../fixtures/visits/markup.ts';
import { readVaultMarks } from '../../../../web/text/markdown/vault-marks.ts';
import { markdownChars, markdownMarkup } from '../../../../web/text/markdown.ts';

const elements = (text: string) => elementsOf(markdownMarkup(text) ?? '');
const named = (text: string, ...tags: string[]) =>
  elements(text).filter(({ tag }) => tags.includes(tag));

describe('HTML in Markdown', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<iframe src="https://example.org"></iframe>',
    'a <b onmouseover="x()">b</b>',
    '<a href="javascript:alert(1)">x</a>',
    '<style>*{display:none}</style>',
    '<!-- a --><form action="https://example.org"><input>',
    '```"><script>alert(1)</script>\n<script>alert(1)</script>\n```',
    '```html\n<script>alert("1")</script>\n```',
    '| <script>a</script> |\n|---|\n| <img src=x> |',
    '![<img src=x onerror=1>](https://example.org/"onerror="alert(1))',
    '[x](https://example.org/"onclick="alert(1) "\\"onclick=alert(1)")',
    '# <script>alert(1)</script>',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '<https://example.org/"onclick=alert(1)>',
  ])('%j runs, styles and loads nothing', (text) => {
    const found = elements(text);
    const ours = 'h1 p a b pre code span div table thead tbody tr th td em strong'.split(' ');
    expect(found.map(({ tag }) => tag).filter((tag) => !ours.includes(tag))).toEqual([]);
    const names = found.flatMap(({ attributes }) => Object.keys(attributes));
    expect(names.filter((name) => /^on|^style$|^src$/.test(name))).toEqual([]);
  });
});

describe('a link', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '&#106;avascript:alert(1)',
    'javascript&colon;alert(1)',
    '\u0001javascript:alert(1)',
    'java&#x0A;script:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'file:///etc/passwd',
    'blob:https://example.org/1',
    'view-source:https://example.org',
  ])('to %j is not a link', (address) => {
    const links = named(`[x](<${address}>) <${address}>`, 'a');
    // As a browser reads them.
    const protocols = links.map(
      ({ attributes }) => new URL(attributes.href ?? '', 'https://site.test').protocol,
    );
    expect(protocols.filter((one) => one !== 'https:' && one !== 'mailto:')).toEqual([]);
  });

  test.each([
    ['[x](https://example.org/a?b=1&c)', 'https://example.org/a?b=1&c'],
    ['see https://example.org now', 'https://example.org'],
    ['[x](mailto:a@example.org)', 'mailto:a@example.org'],
    ['[x](#berths)', '#berths'],
    ['[x](other.md)', 'other.md'],
  ])('in %j is a link with nofollow', (text, href) => {
    const [link] = named(text, 'a');
    expect(link?.attributes).toEqual({ href, rel: 'nofollow noopener' });
  });
});

describe('a picture', () => {
  test('from another host is a link, so that nothing is loaded', () => {
    for (const address of ['https://example.org/x.png', '//example.org/x.png']) {
      const text = `![A *ship*](${address})`;
      expect(named(text, 'img')).toEqual([]);
      expect(named(text, 'a')[0]?.attributes.href).toBe(address);
      expect(textOf(markdownMarkup(text) ?? '')).toContain('ship');
    }
  });

  test('with a relative path shows its alternative text', () => {
    const text = '![The bow](img/bow.png)';
    expect(named(text, 'img', 'a')).toEqual([]);
    expect(named(text, 'span')).toMatchObject([{ text: 'The bow' }]);
  });

  test('that is embedded is shown', () => {
    const src = 'data:image/png;base64,iVBORw0KGgo=';
    expect(named(`![dot](${src})`, 'img')).toMatchObject([{ attributes: { src, alt: 'dot' } }]);
  });
});

test('headings have anchors, each its own', () => {
  const headings = named('# The *Berths*!\n## Été 1\n## The Berths\n## ***', 'h1', 'h2');
  const ids = headings.map(({ attributes }) => attributes.id);
  expect(ids).toEqual(['the-berths', 'été-1', 'the-berths-1', 'section']);
});

test('tables are aligned by class', () => {
  const cells = named('| a | b |\n|---|--:|\n| 1 | 2 |', 'td');
  expect(cells.map(({ attributes }) => attributes)).toEqual([{}, { class: 'to-right' }]);
});

test('code in a known language is highlighted, in an unknown one it is plain', () => {
  const text = '```ts\nconst a = 1;\n```\n\n```brainfog\n<b>\n```';
  expect(named(text, 'span')[0]).toMatchObject({ text: 'const' });
  expect(named(text, 'pre')[1]?.text).toBe('<b>\n');
});

test.each([
  ['longer than is set', 'a'.repeat(markdownChars + 1)],
  ['that becomes too much', '<'.repeat(520_000)],
])('a text %s is shown unchanged', (_, text) => {
  expect(markdownMarkup(text) === undefined).toBe(true);
});

test.each([
  ['brackets', '['.repeat(60_000)],
  ['quotes', '>'.repeat(60_000)],
  ['emphasis', '*a '.repeat(60_000)],
  ['backticks', Array.from({ length: 500 }, (_, n) => '`'.repeat(n)).join(' ')],
  ['links', '[a]('.repeat(40_000)],
  ['addresses', 'http://'.repeat(40_000)],
])('unlimited %s take limited time', (_, text) => {
  const startedAt = Date.now();
  markdownMarkup(text);
  expect(Date.now() - startedAt).toBeLessThan(15_000);
});

test('quotes deeper than the parser reads are shown as source, and lose no text', () => {
  expect(markdownMarkup(`${'> '.repeat(90)}deep`)).toContain('deep');
  expect(markdownMarkup(`${'> '.repeat(400)}deep`)).toBeUndefined();
});

describe('notes of a vault', () => {
  test.each([
    ['An ==**old** quay== here', '<p>An <mark><strong>old</strong> quay</mark> here</p>'],
    ['Seen %%by me%% today', '<p>Seen  today</p>'],
    ['One\n\n%%\nhidden\n\n# Not\n%%\n\nTwo', '<p>One</p>\n<p>Two</p>'],
    ['`==x== %%y%%`', '<p><code>==x== %%y%%</code></p>'],
  ])('%s', (text, markup) => {
    expect(markdownMarkup(text)?.trim()).toBe(markup);
  });

  test.each([
    'a==b and c==d',
    'a == b and c == d',
    '50%% of 60%% here',
    '%%\nnot closed',
    '%%time\nx',
  ])('no word is lost: %s', (text) => {
    expect(markdownMarkup(text)?.trim()).toBe(`<p>${text}</p>`);
  });

  test('marks that do not end are words', () => {
    expect(markdownMarkup('==a '.repeat(500))).toBeDefined();
    expect(markdownMarkup('%%\n'.repeat(500))).toBeDefined();
  });
});

test.each(['%%a\n', '%%a\n\n', '> %%a\n', 'a\n%%b\n'])(
  'comments %j that nothing ends are looked through once',
  (line) => {
    const md = new MarkdownItCallable();
    readVaultMarks(md);
    const looked = jest.spyOn(md.block.State.prototype, 'getLines');
    md.render(line.repeat(1000));
    const looks = looked.mock.calls.length;
    looked.mockRestore();
    expect(looks).toBeLessThan(20_000);
  },
);
