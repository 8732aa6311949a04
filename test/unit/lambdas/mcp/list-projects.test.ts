import { describe, expect, test } from '@jest/globals';
import { fitting, maxPageBytes } from '../../../../lambdas/mcp/tools/list-projects.ts';

describe('a page of a list', () => {
  test.each(['"', '\\', '\u0001', 'ü', '💩', '\n'])(
    'stays under 25,000 tokens, as data and as text, with titles of nothing but %j',
    (character) => {
      const title = character.repeat(255 / character.length);
      const projects = fitting(
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

  test('ends before it is too long, and has one item at least', () => {
    const items = Array.from({ length: 50 }, (_, n) => ({ n, title: 'x'.repeat(1000) }));
    const page = fitting(items, 30_000);
    expect(page.length).toBeGreaterThan(20);
    expect(JSON.stringify(page).length).toBeLessThan(31_000);
    expect(fitting(items, 10)).toHaveLength(1);
    expect(fitting([], 10)).toEqual([]);
    expect(fitting(items.slice(0, 3), 30_000)).toHaveLength(3);
  });
});
