import { describe, expect, test } from '@jest/globals';
import { elementsOf, textOf } from '../../../fixtures/visits/markup.ts';
import { notebookMarkup } from '../../../../web/text/notebook.ts';

const notebook = (...cells: object[]) => JSON.stringify({ nbformat: 4, cells });
const markup = (...cells: object[]) => notebookMarkup(notebook(...cells)) ?? '';
const code = (...outputs: object[]) => ({ cell_type: 'code', source: 'import x', outputs });
const data = (data: object) => ({ output_type: 'display_data', data });
const png = 'iVBORw0KGgo=';

test('texts are set, code is coloured, outputs are shown as they were saved', () => {
  const found = elementsOf(
    markup(
      { cell_type: 'markdown', source: ['# Tides\n', '$h$'] },
      code(
        { output_type: 'stream', text: ['one\n', '\u001B[31mtwo\u001B[0m'] },
        data({ 'image/png': png, 'text/plain': '<Figure>' }),
        data({ 'text/html': '<table><tr><td>9</td></tr></table>' }),
        { output_type: 'error', traceback: ['Trace', '\u001B[0;31mValueError\u001B[0m'] },
      ),
    ),
  );
  expect(found.find(({ tag }) => tag === 'h1')?.text).toBe('Tides');
  expect(found.some(({ tag }) => tag === 'math')).toBe(true);
  expect(found.find(({ attributes }) => attributes.class === 'hljs-keyword')?.text).toBe('import');
  const outputs = found.filter(({ tag }) => ['img', 'td', 'pre'].includes(tag));
  expect(outputs.map(({ tag, text, attributes }) => attributes.src ?? `${tag}: ${text}`)).toEqual([
    'pre: import x',
    'pre: one\ntwo',
    `data:image/png;base64,${png}`,
    'td: 9',
    'pre: Trace\nValueError',
  ]);
});

test.each([
  ['a script', data({ 'text/html': '<script>alert(1)</script><div id=x></div>' })],
  ['an application', data({ 'application/javascript': 'alert(1)' })],
])('%s is not run, and says that it is not shown', (_, output) => {
  const shown = markup(code(output));
  expect(shown).not.toContain('alert');
  expect(textOf(shown)).toContain('is interactive and is not shown');
});

test('a hostile notebook stays text', () => {
  const html = '<img src=x onerror=alert(1)><style>*{}</style><a href="javascript:x">a</a>';
  const shown = markup(
    { cell_type: 'markdown', source: html },
    { cell_type: html, source: html },
    code(data({ 'text/html': html }), data({ 'image/png': '"><script>' }), { output_type: html }),
  );
  const found = elementsOf(shown);
  const attributes = found.flatMap((one) => Object.keys(one.attributes));
  expect(attributes.filter((one) => /^on|^style$|^src$/.test(one))).toEqual([]);
  expect(found.filter(({ tag }) => ['script', 'style', 'img'].includes(tag))).toEqual([]);
  expect(found.map((one) => one.attributes.href ?? '').filter((href) => href !== '')).toEqual([]);
});

test('what is no notebook is none, and a large one is cut with a remark', () => {
  for (const text of ['', '{', '[]', '{}', '{"cells":3}'])
    expect(notebookMarkup(text)).toBeUndefined();
  const large = markup(
    ...Array.from({ length: 4 }, () => code(data({ 'image/png': 'A'.repeat(1_000_000) }))),
  );
  expect(large.length).toBeLessThan(3_100_000);
  expect(textOf(large)).toContain('too large to show here');
});

test.each([
  ['short', 'done\n', undefined],
  ['of many lines', 'done\n'.repeat(30), '0'],
  ['of a long line', 'x'.repeat(50), '0'],
])('an output that is %s can be reached by keyboard if it may scroll', (_, text, tabindex) => {
  const found = elementsOf(markup(code({ output_type: 'stream', text })));
  const output = found.find(({ attributes }) => attributes.class === 'output');
  expect(output?.attributes.tabindex).toBe(tabindex);
});

describe('what nbformat 2 to 4 allows', () => {
  const png = 'iVBORw0KGgo=';

  test('a picture that a cell has attached is shown, by its written or its encoded name', () => {
    const attachments = {
      'tide table.png': { 'image/png': png },
      'b.jpg': { 'image/jpeg': [png] },
    };
    const source =
      '![Tide](attachment:tide%20table.png)\n<img src="attachment:b.jpg">\n![gone](attachment:c.png)';
    const markup =
      notebookMarkup(
        JSON.stringify({ nbformat: 4, cells: [{ cell_type: 'markdown', source, attachments }] }),
      ) ?? '';
    expect(markup).toContain(`src="data:image/png;base64,${png}"`);
    expect(markup).toContain(`src="data:image/jpeg;base64,${png}"`);
    expect(markup).not.toContain('base64,attachment');
  });

  test.each([
    ['alone', '\\begin{align}\na &= b\n\\end{align}'],
    ['below a text', 'So it is\n\\begin{equation*}\na = b\n\\end{equation*}\nthen.'],
    ['in the old form', '\\begin{eqnarray}\na &=& b\n\\end{eqnarray}'],
    ['between dollars', '$$\n\\begin{align}\na &= b\n\\end{align}\n$$'],
  ])('a formula %s is set', (_, source) => {
    const markup =
      notebookMarkup(JSON.stringify({ cells: [{ cell_type: 'markdown', source }] })) ?? '';
    expect(markup).toContain('<math');
    expect(markup).not.toContain('begin{');
  });

  test('a formula in code stays code', () => {
    const source = '```\n\\begin{align}\na\n\\end{align}\n```';
    const markup =
      notebookMarkup(JSON.stringify({ cells: [{ cell_type: 'markdown', source }] })) ?? '';
    expect(markup).not.toContain('<math');
  });

  test('all worksheets, headings with their levels, cells of HTML, and results of JSON are shown', () => {
    const sheet = (...cells: unknown[]) => ({ cells });
    const worksheets = [
      sheet({ cell_type: 'heading', level: 3, source: 'North quay' }),
      sheet(
        { cell_type: 'html', source: '<p>East<script>x()</script></p>' },
        {
          cell_type: 'code',
          input: '1',
          outputs: [{ output_type: 'pyout', data: { 'application/json': { tide: 2 } } }],
        },
      ),
    ];
    const markup = notebookMarkup(JSON.stringify({ nbformat: 2, worksheets })) ?? '';
    expect(markup).toMatch(/<h3[^>]*>North quay/);
    expect(markup).toContain('<p>East');
    expect(markup).not.toContain('<script');
    expect(markup).toContain('tide');
  });
});

test('a bar of progress is shown as it was at the end', () => {
  const text = 'a 10%\ra 50%\ra 99%\r\nb\rdone\n';
  expect(textOf(markup(code({ output_type: 'stream', text })))).toBe('import xa 99%\ndone\n');
});

test('formulas between brackets are set, but not in code', () => {
  const source = 'Mass \\\\(m_1\\\\) and\n\\\\[E = m\\\\]\n```\n\\\\(x\\\\)\n```\n';
  const found = elementsOf(markup({ cell_type: 'markdown', source }));
  expect(found.filter(({ tag }) => tag === 'math')).toHaveLength(2);
  expect(found.find(({ tag }) => tag === 'pre')?.text).toBe('\\\\(x\\\\)\n');
});
