import { expect, test } from '@jest/globals';
import {
  joinPortions,
  type Portion,
  portionCells,
  sendInPortions,
} from '../../../../../web/viewers/tables/portions.ts';
import { readDelimited } from '../../../../../web/viewers/tables/read-delimited.ts';
import type { Cell, Sheet, Workbook } from '../../../../../web/viewers/tables/sheet.ts';

function aSheet(name: string, rows: Cell[][]): Sheet {
  return { name, rows, headRows: 1, headColumns: 0, merges: [], isCut: false };
}

const rowsOf = (count: number, width: number): Cell[][] =>
  Array.from({ length: count }, (_, row) =>
    Array.from({ length: width }, (__, column) => row * width + column),
  );

const workbook: Workbook = {
  sheets: [
    aSheet('Ships', rowsOf(9000, 10)),
    aSheet('Nothing', []),
    aSheet('Gaps', [[], ...rowsOf(3, 256), []]),
  ],
  isLettered: true,
  preamble: [],
};

const cellsIn = ({ rows }: Portion) => rows.reduce((sum, { length }) => sum + length, 0);

test('a file is sent in portions, none of them large, and is the same afterwards', () => {
  const portions: Portion[] = [];
  const rest = sendInPortions(workbook, (portion) => void portions.push(portion));
  expect(rest.sheets.map(({ rows }) => rows)).toEqual([[], [], []]);
  expect(portions.map(({ sheet }) => sheet)).toEqual([0, 0, 0, 0, 0, 2]);
  expect(Math.max(...portions.map(cellsIn))).toBe(portionCells);
  expect(joinPortions(rest, portions)).toEqual(workbook);
});

const csvOf = (rows: number) =>
  `id,name\n${Array.from({ length: rows }, (_, row) => `${row},quay ${row} ${'-'.repeat(30)}`).join('\n')}\n`;

function read(text: string, isCut = false) {
  const starts: Workbook[] = [];
  const bytes = new TextEncoder().encode(text);
  const whole = readDelimited({ name: 'quays.csv', bytes, isCut }, (start) => starts.push(start));
  return { starts, whole };
}

test('of a long text the first rows are sent before all of it is read', () => {
  const { starts, whole } = read(csvOf(40_000));
  expect(whole.sheets[0]?.rows).toHaveLength(40_001);
  expect(starts).toHaveLength(1);
  expect(starts[0]?.sheets[0]?.rows).toEqual(whole.sheets[0]?.rows.slice(0, 100));
});

test('a short text is sent at once', () => {
  const { starts, whole } = read(csvOf(1000));
  expect(starts).toEqual([]);
  expect(whole.sheets[0]?.rows).toHaveLength(1001);
});

test.each([
  ['Where\nQuay', 'utf8', undefined, undefined, 'Quay'],
  ['Wo\nÜbermorgen', 'latin1', undefined, 'windows-1252', 'Übermorgen'],
  ['Wo\nÜbermorgen', 'latin1', 'windows-1251', 'windows-1251', 'Ьbermorgen'],
  ['Wo\nÜbermorgen', 'utf8', 'utf-8', 'utf-8', 'Übermorgen'],
] as const)('%j in %s is read in %s, and names %s', (text, written, chosen, named, cell) => {
  const bytes = new Uint8Array(Buffer.from(text, written));
  const workbook = readDelimited({ name: 'a.csv', bytes, isCut: false, encoding: chosen });
  expect(workbook).toMatchObject({ encoding: named, sheets: [{ rows: { 1: [cell] } }] });
});
