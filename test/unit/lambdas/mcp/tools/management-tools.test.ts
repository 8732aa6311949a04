import { describe, expect, test } from '@jest/globals';
import { takeFitting, maxPageBytes } from '../../../../../lambdas/mcp/tools/management-tools.ts';

describe('a page of a list', () => {
  test.each(['"', '\\', '\u0001', 'ü', '💩', '\n'])(
    'stays under 25,000 tokens, as data and as text, with titles of nothing but %j',
    (character) => {
      const title = character.repeat(255 / character.length);
      const projects = takeFitting(
        Array.from({ length: 50 }, () => ({ title, url: 'https://example.org/'.repeat(10) })),
        maxPageBytes,
      );
      const structuredContent = { projects, nextCursor: '50' };
      const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
      const bytes = Buffer.byteLength(JSON.stringify({ content, structuredContent }));
      expect(bytes).toBeLessThan(90_000);
      expect(projects.length).toBeGreaterThan(10);
    },
  );

  test('ends below its maximum length, and has at least one item', () => {
    const items = Array.from({ length: 50 }, (_, n) => ({ n, title: 'x'.repeat(1000) }));
    const page = takeFitting(items, 30_000);
    expect(page.length).toBeGreaterThan(20);
    expect(JSON.stringify(page).length).toBeLessThan(31_000);
    expect(takeFitting(items, 10)).toHaveLength(1);
    expect(takeFitting([], 10)).toEqual([]);
    expect(takeFitting(items.slice(0, 3), 30_000)).toHaveLength(3);
  });
});
