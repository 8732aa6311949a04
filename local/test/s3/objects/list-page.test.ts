import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { compareUtf8, listPage, sortedKeys } from '../../../s3/objects/list-page.ts';

const aKey = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é', '\uffee', '😀'), maxLength: 6 });
const aKeySet = fc.uniqueArray(aKey, { maxLength: 40 });
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('sorted keys', () => {
  test('orders texts by their UTF-8 bytes', () => {
    fc.assert(
      fc.property(aKey, aKey, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(byBytes(a, b));
      }),
    );
  });

  test('stays in order while keys are added and removed', () => {
    fc.assert(
      fc.property(aKeySet, aKeySet, aKeySet, (initial, added, removed) => {
        const keys = sortedKeys(initial);
        for (const key of added) keys.add(key);
        for (const key of removed) keys.remove(key);
        const expected = new Set([...initial, ...added].filter((key) => !removed.includes(key)));
        expect([...keys.from('')]).toEqual([...expected].sort(byBytes));
      }),
    );
  });
});

describe('pages', () => {
  test('together have every key once and in order', () => {
    const aQuery = fc.record({
      prefix: fc.constantFrom('', 'a', 'a/', 'é'),
      maxKeys: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(aKeySet, aQuery, (all, query) => {
        const seen: string[] = [];
        let after: string | undefined;
        do {
          const page = listPage(sortedKeys(all), { ...query, after });
          expect(page.keys.length).toBeLessThanOrEqual(query.maxKeys);
          seen.push(...page.keys);
          after = page.next;
        } while (after !== undefined);
        const expected = all.filter((key) => key.startsWith(query.prefix)).sort(byBytes);
        expect(seen).toEqual(expected);
      }),
    );
  });

  test('makes twenty pages of 20,000 keys quickly', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `content/${i % 100}/${i}`);
    const keys = sortedKeys(names);
    let count = 0;
    let after: string | undefined;
    do {
      const page = listPage(keys, { prefix: 'content/', maxKeys: 1000, after });
      count += page.keys.length;
      after = page.next;
    } while (after !== undefined);
    expect(count).toBe(20_000);
  });
});
