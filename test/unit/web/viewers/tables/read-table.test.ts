import { describe, expect, test } from '@jest/globals';
import { decodeText } from '../../../../../web/viewers/tables/decode-table.ts';
import { findTable, separatorOf } from '../../../../../web/viewers/tables/find-table.ts';
import { readTable } from '../../../../../web/viewers/tables/read-table.ts';

const most = { rows: 100, columns: 10 };

test.each([
  ['a,b\nc,d', ','],
  ['a;b;c\n1,5;2;3', ';'],
  ['a\tb', '\t'],
  ['a|b|c', '|'],
  ['"a;b;c;d",e', ','],
  ['a, b and c;d\n1;2\n3;4', ';'],
  ['name|note\nx|a, b, c, d\ny|e', '|'],
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
      'quotes behind spaces, but not one that stands for itself',
      'a, "b, c" , d\ne, "f g,5',
      [
        ['a', 'b, c ', ' d'],
        ['e', ' "f g', '5'],
      ],
    ],
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

test.each<[string, string, ReturnType<typeof findTable>]>([
  [
    'a line that names the separator',
    'sep=|\r\na|b,c\r\n',
    { separator: '|', text: 'a|b,c\r\n', preamble: [] },
  ],
  [
    'lines before the table',
    'Tides of 2027\n\nNorth quay\nDay;Height\n1;2,5\n2;2,6\n',
    {
      separator: ';',
      text: 'Day;Height\n1;2,5\n2;2,6\n',
      preamble: ['Tides of 2027', 'North quay'],
    },
  ],
  [
    'names and values above it, behind an empty line',
    '"Account";"7";\n"Until";"May";\n\n"Day";"Sum";"For";"To";\n1;2;3;4;\n5;6;7;8;\n9;1;2;3;\n',
    {
      separator: ';',
      text: '"Day";"Sum";"For";"To";\n1;2;3;4;\n5;6;7;8;\n9;1;2;3;\n',
      preamble: ['Account 7', 'Until May'],
    },
  ],
  [
    'a head of fewer columns (R)',
    'a,b\n1,2,3\n4,5,6\n',
    { separator: ',', text: 'a,b\n1,2,3\n4,5,6\n', preamble: [] },
  ],
  ['one column', 'a\nb\n', { separator: ',', text: 'a\nb\n', preamble: [] }],
])('findTable finds the table after %s', (_, text, place) => {
  expect(findTable(text)).toEqual(place);
});

test.each<[string, number[], string]>([
  ['UTF-16 without its mark', [...Buffer.from('name;port', 'utf16le')], 'name;port'],
  ['UTF-16, high bytes first', [...Buffer.from('name;port', 'utf16le').swap16()], 'name;port'],
  ['Shift JIS', [0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x2c, 0x82, 0xa0], 'テスト,あ'],
  ['EUC-JP', [0xa5, 0xc6, 0xa5, 0xb9, 0xa5, 0xc8, 0x2c, 0xa4, 0xa2], 'テスト,あ'],
  ['Windows-1252', [0x63, 0x61, 0x66, 0xe9, 0x2c, 0xfc], 'café,ü'],
])('decodeText reads %s', (_, bytes, text) => {
  expect(decodeText(Uint8Array.from(bytes))).toBe(text);
});
