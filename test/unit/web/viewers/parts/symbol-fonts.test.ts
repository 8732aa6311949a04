import { expect, test } from '@jest/globals';
import { isSymbolFont, symbolsIn } from '../../../../../web/viewers/parts/symbol-fonts.ts';

test.each([
  ['\uF0B7', 'Symbol', '•'],
  ['\uF0A7', 'Wingdings', '▪'],
  ['§', 'Wingdings', '▪'],
  ['\uF0D8', 'Wingdings', '➢'],
  ['\uF0FC', 'wingdings', '✓'],
  ['\uF0FE', 'Wingdings', '☑'],
  ['\uF0A8', 'Wingdings', '□'],
  ['à', 'Wingdings', '→'],
  ['J', 'Wingdings', '☺'],
  ['P', 'Wingdings 2', '✓'],
  ['}', 'Wingdings 3', '▶'],
  ['\uF061', 'Symbol', 'α'],
  ['abc', 'Symbol', 'αβχ'],
  ['a', 'Webdings', '✔'],
  ['Tide \uF0B7', undefined, 'Tide •'],
  ['\uF0A7', 'Arial', '▪'],
  ['§ 5', 'Arial', '§ 5'],
])('%j in %s is %j', (text, font, expected) => expect(symbolsIn(text, font)).toBe(expected));

test('a code that a font has nothing for stays as it is', () => {
  expect(symbolsIn('\uF020 ', 'Wingdings')).toBe('\uF020 ');
  expect(['Symbol', 'WEBDINGS', 'Courier New', undefined].map(isSymbolFont)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
