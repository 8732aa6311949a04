import { describe, expect, test } from '@jest/globals';
import { rowOrder, rowsAsText } from '../../../../../web/viewers/tables/row-order.ts';
import { type Cell, type Sheet, textOf } from '../../../../../web/viewers/tables/sheet.ts';

function aSheet(rows: Cell[][], headRows = 1): Sheet {
  return { name: 'Ships', rows, headRows, headColumns: 0, merges: [], isCut: false };
}

function sorted(cells: Cell[], isDescending = false): string[] {
  const sheet = aSheet([['Length'], ...cells.map((cell) => [cell])]);
  const order = rowOrder(sheet, { query: '', column: 0, isDescending });
  return order.map((row) => {
    return textOf(sheet.rows[row]?.[0]);
  });
}

describe('sorting', () => {
  test.each([
    ['numbers by their value', ['10', '9', '-1'], ['-1', '9', '10']],
    ['thousands', ['1,000', '999', '2.5'], ['2.5', '999', '1,000']],
    ['numbers with a decimal comma', ['10,5', '9,75'], ['9,75', '10,5']],
    ['numbers with both marks', ['1.234,5', '1.2'], ['1.2', '1.234,5']],
    ['percentages', ['50 %', '7 %'], ['7 %', '50 %']],
    ['texts as people count', ['Quay 10', 'quay 9'], ['quay 9', 'Quay 10']],
    ['numbers before texts, nothing last', ['', 'b', '3', 'a'], ['3', 'a', 'b', '']],
  ])('%s', (_, cells, expected) => expect(sorted(cells)).toEqual(expected));

  test('numbers of a spreadsheet with what else is one', () =>
    expect(sorted([10, 'b', '11', 9.5, { text: '8 %', value: 0.08 }])).toEqual([
      '8 %',
      '9.5',
      '10',
      '11',
      'b',
    ]));

  test('dates by their value, not their text', () =>
    expect(
      sorted([
        { text: '02/01/2027', value: 46_424 },
        { text: '12/31/2026', value: 46_387 },
      ]),
    ).toEqual(['12/31/2026', '02/01/2027']));

  test('empty cells are last in the other direction too, and equal rows keep their order', () => {
    expect(sorted(['', '1', '2'], true)).toEqual(['2', '1', '']);
    const sheet = aSheet([['a'], ['x', '1'], ['x', '2'], ['a', '3']]);
    expect(rowOrder(sheet, { query: '', column: 0 })).toEqual([3, 1, 2]);
  });
});

test('a search keeps the rows that have the text in any cell', () => {
  const sheet = aSheet([['Ship'], ['Tern', 'late'], ['Gull'], ['GULL II']]);
  expect(rowOrder(sheet, { query: ' gull' })).toEqual([2, 3]);
  expect(rowOrder(sheet, { query: 'LATE' })).toEqual([1]);
  expect(rowOrder(sheet, { query: 'ship' })).toEqual([]);
});

test('rows are copied as text, with quotes where a cell has several lines', () => {
  const sheet = aSheet([['Ship', 'Note'], ['Tern', 'a\n"b"'], ['Gull']]);
  expect(rowsAsText(sheet, [2, 1])).toBe('Ship\tNote\nGull\nTern\t"a\n""b"""');
});
