import { expect, test } from '@jest/globals';
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
])('%s', (_, json, isTooMany) => {
  expect(hasTooManyValues(json)).toBe(isTooMany);
});

test('depth costs no stack', () => {
  let deep: unknown = 0;
  for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
  expect(hasTooManyValues(deep)).toBe(false);
});
