import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  beginningOf,
  childrenOf,
  countOf,
  partsMatching,
  shownValue,
} from '../../../../../web/viewers/parts/json-parts.ts';

const text =
  '{ "a": [1, {"b\\"": "x\\u00fc\\\\"}, 12345678901234567890], "c": {}, "a": null, "d" : [] }';

/** All scalars of a text with the way to each, by opening every part. */
function leavesOf(json: string, start = 0, way = ''): string[] {
  return childrenOf(json, { start }).children.flatMap((part) => {
    const here = `${way}/${part.name}`;
    const isOpen = '{['.includes(json.charAt(part.start));
    return isOpen ? leavesOf(json, part.start, here) : [`${here} ${shownValue(json, part)}`];
  });
}

function leavesOfValue(value: unknown, way = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${way} ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, one]) => leavesOfValue(one, `${way}/${name}`));
}

test('a text of JSON is read in its own order, with all digits and names that occur twice', () => {
  expect(leavesOf(text)).toEqual([
    '/a/0 1',
    '/a/1/b" "xü\\\\"',
    '/a/2 12345678901234567890',
    '/a null',
  ]);
});

test('any JSON has the values in it that JSON.parse finds, however it is spaced', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const json = JSON.stringify([value], undefined, space);
      expect(leavesOf(json)).toEqual(leavesOfValue(JSON.parse(json)));
    }),
  );
});

test('a search finds values and names, with the way to each', () => {
  const found = (query: string) => partsMatching(text, query, 10).map(({ path }) => path);
  expect(found('xü')).toEqual(['a[1].b"']);
  expect(found('c')).toEqual(['c']);
  expect(found('678')).toEqual(['a[2]']);
  expect(found('zz')).toEqual([]);
  expect(partsMatching(`[${'1,'.repeat(50)}1]`, '1', 10)).toHaveLength(10);
});

test('a hundred thousand levels, and a million values, take little time', () => {
  const deep = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`;
  expect(partsMatching(deep, '1', 10)).toHaveLength(1);
  expect(childrenOf(deep, { start: 0 }).count).toBe(1);
  const wide = `[${'1,'.repeat(1_000_000)}1]`;
  const { children, count } = childrenOf(wide, { start: 0 });
  expect([children.length, count]).toEqual([20_000, 1_000_001]);
});

test('a closed part says how many values it has, and shows its own beginning alone', () => {
  expect([countOf(text, { start: 0 }), countOf(text, { start: 7 })]).toEqual([
    '4 entries',
    '3 items',
  ]);
  expect(beginningOf('[{"a": [1,\n2]}, 3]', { start: 1 })).toBe('{"a": [1, 2]}');
  expect(beginningOf(`["${'x'.repeat(200)}"]`, { start: 0 })).toBe(`["${'x'.repeat(78)} …`);
});
