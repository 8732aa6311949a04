import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasTooManyValues, maxJsonValues } from '../../../../lambdas/http/json-size.ts';

test.each<[string, unknown, boolean]>([
  ['a text', 'x', false],
  ['nothing', null, false],
  ['as many items as may be', Array.from({ length: maxJsonValues }, () => 0), false],
  ['one more', Array.from({ length: maxJsonValues + 1 }, () => 0), true],
  [
    'fields of items',
    { files: Array.from({ length: maxJsonValues / 2 }, () => ({ path: 'a' })) },
    true,
  ],
  [
    'names',
    Object.fromEntries(Array.from({ length: maxJsonValues + 1 }, (_, at) => [at, 0])),
    true,
  ],
  ['commas, brackets and quotes in texts', ['x,[{"\\'.repeat(maxJsonValues), '"'], false],
  ['empty items', Array.from({ length: maxJsonValues + 1 }, () => ({})), true],
  ['as many empty items as may be', Array.from({ length: maxJsonValues }, () => []), false],
])('%s', (_, json, isTooMany) => {
  expect(hasTooManyValues(Buffer.from(JSON.stringify(json)))).toBe(isTooMany);
  expect(hasTooManyValues(Buffer.from(JSON.stringify(json, undefined, 1)))).toBe(isTooMany);
});

test('of any JSON every field and item counts once', () => {
  const countOf = (json: unknown): number =>
    typeof json !== 'object' || json === null
      ? 0
      : Object.values(json).reduce<number>((sum, part) => sum + 1 + countOf(part), 0);
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
      const text = Buffer.from(JSON.stringify(json, undefined, indent));
      expect(hasTooManyValues(text, countOf(json))).toBe(false);
      expect(hasTooManyValues(text, Math.max(0, countOf(json) - 1))).toBe(countOf(json) > 0);
    }),
  );
});

test.each(['', '"', '"\\', '[', '}'])('%j, which is no JSON, ends', (text) => {
  expect(hasTooManyValues(Buffer.from(text))).toBe(false);
});
