import { describe, expect, test } from '@jest/globals';
import { decodeText, readTable, separatorOf } from '../../../../../web/viewers/parts/read-table.ts';

const most = { rows: 100, columns: 10 };

test.each([
  ['a,b\nc,d', ','],
  ['a;b;c\n1,5;2;3', ';'],
  ['a\tb', '\t'],
  ['a|b|c', '|'],
  ['"a;b;c;d",e', ','],
  ['one column', ','],
  ['', ','],
])('the separator of %j is %j', (text, separator) => {
  expect(separatorOf(text)).toBe(separator);
});

describe('readTable', () => {
  test.each<[string, string, string[][]]>([
    [
      'rows of either line end',
      'a,b\r\nc,d\ne,f\rg,h',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
        ['g', 'h'],
      ],
    ],
    ['no row behind the last line end', 'a\n', [['a']]],
    [
      'empty fields',
      ',a,\n,',
      [
        ['', 'a', ''],
        ['', ''],
      ],
    ],
    ['an empty last field at the end', 'a,', [['a', '']]],
    ['quotes, separators and line ends in quotes', '"a ""b"", c\nd",e', [['a "b", c\nd', 'e']]],
    ['a quote inside a field', 'a "b" c,d', [['a "b" c', 'd']]],
    ['something behind a closing quote', '"a"b,c', [['ab', 'c']]],
    ['a quote that never closes', '"a,b\nc', [['a,b\nc']]],
    ['nothing', '', []],
  ])('reads %s', (_, text, rows) => {
    expect(readTable(text, ',', most)).toEqual({ rows, cut: false });
  });

  test('stops at its limits of rows and columns, and says so', () => {
    expect(readTable('1\n2\n3', ',', { rows: 2, columns: 2 })).toEqual({
      rows: [['1'], ['2']],
      cut: true,
    });
    expect(readTable('1,2,3\n4', ',', { rows: 2, columns: 2 })).toEqual({
      rows: [['1', '2'], ['4']],
      cut: true,
    });
    expect(readTable('1\n2\n', ',', { rows: 2, columns: 1 }).cut).toBe(false);
  });

  test('takes linear time for every text', () => {
    const started = performance.now();
    readTable('"'.repeat(1_000_000), ',', most);
    readTable(','.repeat(1_000_000), ',', most);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

test.each([
  ['UTF-8', Buffer.from('Übersee'), 'Übersee'],
  ['UTF-8 with its mark', Buffer.from('\uFEFFÜbersee'), 'Übersee'],
  ['UTF-16', Buffer.from('\uFEFFÜbersee', 'utf16le'), 'Übersee'],
  ['Windows-1252', Buffer.from([0xdc, 0x62]), 'Üb'],
])('text in %s is read', (_, bytes, text) => {
  expect(decodeText(bytes)).toBe(text);
});

test('a character cut at the end does not change the encoding', () => {
  expect(decodeText(Buffer.from('Übersee ü').subarray(0, -1), true)).toBe('Übersee ');
});
