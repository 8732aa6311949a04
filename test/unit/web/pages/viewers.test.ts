import { describe, expect, test } from '@jest/globals';
import { elementsOf } from '../../../fixtures/visits/markup.ts';
import { assets, aViewerInput, origin } from '../../../fixtures/visits/viewers.ts';
import type { Page } from '../../../../web/pages/parts/page.ts';
import { imagePage } from '../../../../web/pages/viewers/image-page.ts';
import { mediaPage } from '../../../../web/pages/viewers/media-page.ts';
import { pdfPage } from '../../../../web/pages/viewers/pdf-page.ts';
import { textMarkup } from '../../../../web/pages/viewers/text-markup.ts';
import { textPage } from '../../../../web/pages/viewers/text-page.ts';
import type { ViewerInput } from '../../../../web/pages/viewers/viewer-frame.ts';

const renderText = (
  input: ViewerInput,
  file: { content: string; isWhole: boolean; extension: string },
) => {
  const { type } = input.file;
  const { content, isWhole, extension } = file;
  const bytes = Buffer.from(content);
  return textPage(input, textMarkup({ path: `a.${extension}`, type, bytes, isWhole }));
};
const text = (extension: string, content: string) => (input: ViewerInput) =>
  renderText(input, { content, isWhole: true, extension });

const kinds: [ViewerInput['file']['type'], (input: ViewerInput) => Page][] = [
  ['pdf', pdfPage],
  ['image', imagePage],
  ['audio', mediaPage],
  ['video', mediaPage],
  ['code', text('ts', 'const a = "<script>alert(1)</script>";')],
  ['markdown', text('md', '# Hello\n<script>alert(1)</script> ![x](https://example.org/x.png)')],
];

function directives(csp: string): Record<string, string[]> {
  return Object.fromEntries(
    csp.split('; ').map((one) => {
      const [name = '', ...sources] = one.split(' ');
      return [name, sources];
    }),
  );
}

describe.each(kinds)('the page of a file of type %s', (type, page) => {
  const render = (changes: Partial<ViewerInput> = {}, file: Partial<ViewerInput['file']> = {}) =>
    page(aViewerInput(changes, { type, ...file }));

  test('runs only our scripts, from their own path, and none inline', () => {
    const { html, csp } = render();
    const policy = directives(csp);
    expect(policy).toMatchObject({
      'default-src': ["'none'"],
      'script-src': [`${origin}/_slipway/assets/`],
      'worker-src': [`${origin}/_slipway/assets/`],
      'connect-src': ["'self'"],
      // A recording that the browser refuses is rewritten by our script.
      'media-src': page === mediaPage ? ["'self'", 'blob:'] : ["'self'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
    });
    expect(csp).not.toMatch(/unsafe|\*/);
    const scripts = elementsOf(html).filter(({ tag }) => tag === 'script');
    for (const { attributes, text: inline } of scripts) {
      expect(Object.values(assets)).toContain(attributes.src);
      expect(attributes.type).toBe('module');
      expect(inline).toBe('');
    }
  });

  test('names the file, and offers a download under its name', () => {
    const found = elementsOf(render({}, { name: 'plan', href: '/plan' }).html);
    expect(found.filter(({ tag }) => tag === 'h1')[0]?.text).toBe('plan');
    expect(found.find(({ attributes }) => 'download' in attributes)?.attributes).toMatchObject({
      href: '/plan',
      download: 'plan',
    });
    expect(found.some(({ attributes }) => attributes.href === '/_slipway/report')).toBe(true);
  });

  test('offers no download if the owner turned it off', () => {
    const { html } = render({ isSavable: false });
    expect(elementsOf(html).filter(({ attributes }) => 'download' in attributes)).toEqual([]);
  });

  test('loads nothing from another host', () => {
    const loaded = elementsOf(render().html).filter(({ tag }) => tag !== 'a');
    const addresses = loaded.flatMap(({ attributes }) =>
      ['src', 'href', 'data-file', 'poster', 'srcset'].map((name) => attributes[name] ?? ''),
    );
    expect(addresses.filter((one) => /^(?:[a-z]+:)?\/\//.test(one))).toEqual([]);
  });

  test.each([
    '"><script>alert(1)</script>',
    "' onload='alert(1)",
    'javascript:alert(1)',
    'a\u202Eb',
  ])('a file called %j is text', (name) => {
    const { html } = render({ title: name }, { name, href: `/${encodeURIComponent(name)}` });
    const found = elementsOf(html);
    const attributes = found.flatMap((one) => Object.keys(one.attributes));
    expect(attributes.filter((one) => /^on|^style$/.test(one))).toEqual([]);
    expect(found.filter(({ tag, text }) => tag === 'script' && text !== '')).toEqual([]);
    expect(found.some((one) => /^\s*javascript:/i.test(one.attributes.href ?? ''))).toBe(false);
  });

  test('a temporary one shows its expiry, and has noindex', () => {
    const { html } = render({ temporary: { expiresAt: '2030-01-02T03:04:05.000Z' } });
    expect(html).toContain('<time datetime="2030-01-02T03:04:05.000Z">');
    expect(html).toContain('<meta name="robots" content="noindex">');
  });
});

describe('without a script', () => {
  const named = (page: Page, tag: string) => elementsOf(page.html).filter((one) => one.tag === tag);

  test('a picture is shown, with its name', () => {
    const page = imagePage(aViewerInput({}, { type: 'image', name: 'bow.svg', href: '/bow.svg' }));
    expect(named(page, 'img')).toMatchObject([{ attributes: { src: '/bow.svg', alt: 'bow.svg' } }]);
    expect(page.html).not.toMatch(/<(?:object|embed|iframe)/);
  });

  test('a drawing is shown too; with a script it waits until its parts are counted', () => {
    const contentType = 'image/svg+xml; charset=utf-8';
    const file = { type: 'image', name: 'bow.svg', href: '/bow.svg', contentType } as const;
    const { html } = imagePage(aViewerInput({}, file));
    expect(html).toContain('<noscript><img src="/bow.svg" alt="bow.svg"');
    expect(html.match(/<img src/g)).toHaveLength(1);
    expect(html).toContain('<img data-drawing="/bow.svg" alt="bow.svg"');
  });

  test.each(['audio', 'video'] as const)('%s plays under the browser’s controls', (type) => {
    const [player] = named(mediaPage(aViewerInput({}, { type, href: '/a' })), type);
    expect(player?.attributes).toMatchObject({ controls: '', preload: 'metadata', src: '/a' });
  });

  test('a document has a link to it', () => {
    expect(pdfPage(aViewerInput()).html).toMatch(/<noscript>.*href="\/plan\.pdf"/s);
  });

  test('code has its lines, and all tools are hidden until the script runs', () => {
    const page = text('ts', 'const a = 1;\n')(aViewerInput({}, { type: 'code' }));
    expect(page.html).toContain('<span class="line" id="L1">');
    expect(page.html).toMatch(/class="tools"[^>]* hidden/);
  });
});

test('truncated code says so, with a link to the whole file', () => {
  const page = renderText(aViewerInput({}, { type: 'code', href: '/big.js' }), {
    content: 'a\n',
    isWhole: false,
    extension: 'js',
  });
  expect(page.html).toMatch(/only the beginning.*href="\/big\.js"/);
});

test('truncated Markdown is shown as source', () => {
  const file = { content: '# a\n', isWhole: false, extension: 'md' };
  expect(renderText(aViewerInput({}, { type: 'markdown' }), file).html).not.toContain(
    'class="prose"',
  );
});

test.each([
  ['markdown', 'a.md', 'too long to be laid out. It is shown as it is written.'],
  ['python', 'a.ipynb', 'damaged, or too long. It is shown as it is written.'],
] as const)('a %s that is shown as its source says why', (type, name, reason) => {
  const input = aViewerInput({}, { name, type });
  const extension = name.slice(2);
  const shown = (content: string, isWhole: boolean) =>
    renderText(input, { content, isWhole, extension }).html;
  expect(shown('{', false)).toContain(reason);
  const set = name === 'a.md' ? '# a' : '{"nbformat":4,"metadata":{},"cells":[]}';
  expect(shown(set, true)).not.toContain('as it is written');
});
