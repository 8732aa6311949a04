import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { stylesheet } from '../../../../web/styles/stylesheet.ts';
import { everyPage } from '../pages/every-page.ts';
import { codeStyle } from '../../../../web/styles/prose-style.ts';

const [, light = '', dark = ''] = stylesheet.split(/:root\{/);

function tokens(block: string): Map<string, string> {
  return new Map(
    [...block.matchAll(/--([\w-]+):(#[0-9a-f]{3,6})/g)].map(([, k = '', v = '']) => [k, v]),
  );
}

/** WCAG 2.2, "relative luminance" and "contrast ratio". */
function luminance(hex: string): number {
  const long = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex;
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(long.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a = '#000', b = '#000'): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

const schemes = [
  ['light', tokens(light)],
  ['dark', new Map([...tokens(light), ...tokens(dark)])],
] as const;

describe.each(schemes)('%s colours', (_, colours) => {
  test.each([
    ['ink', 'paper', 4.5],
    ['ink', 'sheet', 4.5],
    ['ink', 'tide', 4.5],
    ['muted', 'paper', 4.5],
    ['muted', 'sheet', 4.5],
    ['muted', 'tide', 4.5],
    ['water', 'paper', 4.5],
    ['water', 'sheet', 4.5],
    ['lead', 'paper', 4.5],
    ['on-lead', 'lead', 4.5],
    ['on-dark', 'dark', 4.5],
    ['edge', 'sheet', 3],
    ['edge', 'paper', 3],
  ])('%s on %s has enough contrast', (text, ground, ratio) => {
    expect(colours.has(text) && colours.has(ground)).toBe(true);
    expect(contrast(colours.get(text), colours.get(ground))).toBeGreaterThanOrEqual(ratio);
  });
});

describe('words of code', () => {
  const [, words = '', darkWords = ''] = codeStyle.split(/:root\{/);
  test.each([
    ['light', words, light],
    ['dark', darkWords, dark],
  ])('have enough contrast on the %s sheet', (_, block, scheme) => {
    const colours = tokens(block);
    expect(colours.size).toBe(7);
    const ground = tokens(scheme).get('sheet');
    for (const colour of colours.values()) {
      expect(contrast(colour, ground)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

test('measures contrast as WCAG does', () => {
  expect(contrast('#fff', '#000')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#fff')).toBeCloseTo(4.48, 2);
});

test('is small, loads nothing and cannot end its own tag', () => {
  expect(Buffer.byteLength(stylesheet)).toBeLessThan(12_000);
  expect(stylesheet).not.toMatch(/url\(|@import|<\//);
});

test('closes every block', () => {
  expect(stylesheet.match(/\{/g)?.length).toBe(stylesheet.match(/\}/g)?.length);
});

test('uses only custom properties that it defines', () => {
  const defined = new Set([...stylesheet.matchAll(/--([\w-]+):/g)].map(([, name]) => name));
  for (const [, name] of stylesheet.matchAll(/var\(--([\w-]+)\)/g)) expect(defined).toContain(name);
});

test('styles no class that no page has, and no script sets', () => {
  const scripts = ['panels.ts', 'questions.ts', 'zone.ts'].map((name) =>
    readFileSync(`web/app/page-scripts/${name}`, 'utf8'),
  );
  const pages = everyPage.map(([, page]) => page.html.replace(/<style>[\s\S]*?<\/style>/, ''));
  const markup = [...pages, ...scripts].join();
  const dead = [...stylesheet.matchAll(/\.([a-z]+)(?=[\s.,:>+{)])/g)]
    .map(([, name = '']) => name)
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(markup));
  expect(dead).toEqual([]);
});
