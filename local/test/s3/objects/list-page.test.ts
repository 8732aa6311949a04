import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  compareUtf8,
  type ListMarker,
  listPage,
  sortedKeys,
} from '../../../s3/objects/list-page.ts';

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
  test('together have every key and common prefix once and in order', () => {
    const aQuery = fc.record({
      prefix: fc.constantFrom('', 'a', 'a/', 'é'),
      delimiter: fc.constantFrom('', '/', 'b', '//'),
      maxKeys: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(aKeySet, aQuery, (all, query) => {
        const seen: string[] = [];
        let after: ListMarker | undefined;
        do {
          const page = listPage(sortedKeys(all), { ...query, ...(after && { after }) });
          expect(page.keys.length + page.commonPrefixes.length).toBeLessThanOrEqual(query.maxKeys);
          seen.push(...[...page.keys, ...page.commonPrefixes].sort(byBytes));
          after = page.next;
        } while (after !== undefined);
        expect(seen).toEqual(entriesOf(all, query.prefix, query.delimiter));
      }),
    );
  });

  test('makes twenty pages of 20,000 keys quickly', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `content/${i % 100}/${i}`);
    const keys = sortedKeys(names);
    let count = 0;
    for (
      let after: ListMarker | undefined, first = true;
      first || after !== undefined;
      first = false
    ) {
      const page = listPage(keys, {
        prefix: 'content/',
        delimiter: '',
        maxKeys: 1000,
        ...(after && { after }),
      });
      count += page.keys.length;
      after = page.next;
    }
    expect(count).toBe(20_000);
    expect(
      listPage(keys, { prefix: 'content/', delimiter: '/', maxKeys: 1000 }).commonPrefixes,
    ).toHaveLength(100);
  });
});

function entriesOf(all: string[], prefix: string, delimiter: string): string[] {
  const entries = all
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      return at === -1 ? key : key.slice(0, at + delimiter.length);
    });
  return [...new Set(entries)].sort(byBytes);
}
