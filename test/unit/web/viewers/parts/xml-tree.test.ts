import { expect, test } from '@jest/globals';
import { parseXml } from '../../../../../web/viewers/parts/xml-tree.ts';

test('elements are at most 128 deep', () => {
  const deep = (depth: number) => () => parseXml('<a>'.repeat(depth) + '</a>'.repeat(depth));
  expect(deep(127)).not.toThrow();
  expect(deep(128)).toThrow('nested too deeply');
});
