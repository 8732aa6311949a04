import { describe, expect, test } from '@jest/globals';
import { fitting } from '../../../../lambdas/mcp/tools/list-projects.ts';

describe('a page of a list', () => {
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
