import { describe, expect, test } from '@jest/globals';
import { html, isolatedName, trusted } from '../../../../../web/pages/parts/html.ts';

describe('html', () => {
  test.each([
    ['a tag', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['a closing tag', '</style><script>', '&lt;/style&gt;&lt;script&gt;'],
    ['a double quote', '" onclick="x', '&quot; onclick=&quot;x'],
    ['a single quote', "' onclick='x", '&#39; onclick=&#39;x'],
    ['an entity', '&lt;', '&amp;lt;'],
  ])('escapes %s', (_, text, escaped) => {
    expect(html`<a title="${text}">${text}</a>`.toString()).toBe(
      `<a title="${escaped}">${escaped}</a>`,
    );
  });

  test('keeps the result of html, alone and in lists', () => {
    const items = ['a<', 'b'].map((text) => html`<li>${text}</li>`);
    expect(html`<ul>${items}</ul>${html`<br>`}`.toString()).toBe(
      '<ul><li>a&lt;</li><li>b</li></ul><br>',
    );
  });

  test('escapes strings in a list', () => {
    const forged = ['<b>'] as unknown as ReturnType<typeof html>[];
    expect(html`${forged}`.toString()).toBe('&lt;b&gt;');
  });

  test('writes nothing for false and undefined, and writes zero', () => {
    expect(html`[${false}${undefined}${0}]`.toString()).toBe('[0]');
  });

  test('keeps trusted constants unchanged', () => {
    expect(html`<style>${trusted('a>b{}')}</style>`.toString()).toBe('<style>a>b{}</style>');
  });
});

describe('named', () => {
  test.each([
    ['a right-to-left override', 'gnp\u202Eexe', 'gnp\uFFFDexe'],
    ['an isolate', 'a\u2066b', 'a\uFFFDb'],
    ['a line separator', 'a\u2028b', 'a\uFFFDb'],
    ['a paragraph separator', 'a\u2029b', 'a\uFFFDb'],
    ['an escape', 'a\u001Bb', 'a\uFFFDb'],
    ['a zero width space', 'a\u200Bb', 'a\uFFFDb'],
  ])('makes %s visible', (_, name, shown) => {
    expect(isolatedName(name).toString()).toBe(`<bdi>${shown}</bdi>`);
    expect(html`<a title="${name}">`.toString()).toBe(`<a title="${shown}">`);
  });

  test.each(['תמונה.png', 'Übersicht (2).pdf', '図面.pdf', '👩‍🔧.txt'])(
    'leaves %s as it is',
    (name) => {
      expect(isolatedName(name).toString()).toBe(`<bdi>${name}</bdi>`);
    },
  );

  test('escapes inside the isolation', () => {
    expect(isolatedName('</bdi><b>').toString()).toBe('<bdi>&lt;/bdi&gt;&lt;b&gt;</bdi>');
  });
});
