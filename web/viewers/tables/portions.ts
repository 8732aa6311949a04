import type { Cell, Workbook } from './sheet.ts';

/** Rows of a sheet, after those that were sent before. */
export interface Portion {
  sheet: number;
  rows: Cell[][];
}

/** What a worker sends of a file: its first rows alone, and later all rows in portions. */
export type TablePart = { start: Workbook } | Portion;

/**
 * About as many cells are sent at once. A page that takes over a million in one message answers
 * nobody meanwhile.
 */
export const portionCells = 20_000;

/** Sends the rows of a file in portions; returns all the rest of it. */
export function sendInPortions(workbook: Workbook, send: (portion: Portion) => void): Workbook {
  for (const portion of portionsOf(workbook)) send(portion);
  return { ...workbook, sheets: workbook.sheets.map((sheet) => ({ ...sheet, rows: [] })) };
}

function* portionsOf({ sheets }: Workbook): Generator<Portion> {
  for (const [sheet, { rows }] of sheets.entries()) {
    let first = 0;
    let cells = 0;
    for (const [row, { length }] of rows.entries()) {
      cells += length;
      if (cells < portionCells && row + 1 < rows.length) continue;
      yield { sheet, rows: rows.slice(first, row + 1) };
      first = row + 1;
      cells = 0;
    }
  }
}

/** A file that was sent in portions. */
export function joinPortions(workbook: Workbook, portions: readonly Portion[]): Workbook {
  const sheets = workbook.sheets.map((sheet) => ({ ...sheet, rows: [...sheet.rows] }));
  for (const { sheet, rows } of portions) {
    const joined = sheets[sheet]?.rows;
    for (const row of rows) joined?.push(row);
  }
  return { ...workbook, sheets };
}
