import type { SheetStyles } from './cell-styles.ts';
import type { Drawings } from './sheet-drawings.ts';

/**
 * The text of a cell; or a number that is shown as it is; or another text with the number by which it
 * is sorted, such as a date.
 */
export type Cell = string | number | { text: string; value: number };

/** Cells that are shown as one; row and column are those of the first. */
export interface Merge {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** One table of a file, within {@link tableLimits}. */
export interface Sheet {
  name: string;
  rows: Cell[][];
  /** Rows at the top that stay in view; they are not sorted. */
  headRows: number;
  /** Columns at the left that stay in view. */
  headColumns: number;
  merges: Merge[];
  /** Whether the file has more rows or columns than these. */
  isCut: boolean;
  /** How its cells look, where any of them is not plain. */
  styles?: SheetStyles | undefined;
  /** Charts and pictures, which are not shown. */
  drawings?: Drawings | undefined;
}

/** All tables of a file. */
export interface Workbook {
  sheets: Sheet[];
  /** Whether rows and columns have numbers and letters; otherwise the first row says what the columns are. */
  isLettered: boolean;
  /** The encoding of a text that is not UTF-8, or that somebody chose. */
  encoding?: string | undefined;
  /** Lines before the only table. */
  preamble: string[];
}

/** What a page shows of a file. */
export const tableLimits = { rows: 200_000, columns: 256, cells: 2_000_000 } as const;

/** Limits of what is read of a table. */
export type TableLimits = { readonly [limit in keyof typeof tableLimits]: number };

/** A file that a worker is to read. */
export interface TableRequest {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Whether the bytes are only the start of the file. */
  isCut: boolean;
  /** The encoding that somebody chose for a text. */
  encoding?: string | undefined;
  /** The address of SQLite as WebAssembly, for a database. */
  sqlite?: string | undefined;
}

export function textOf(cell: Cell | undefined): string {
  return typeof cell === 'object' ? cell.text : String(cell ?? '');
}

/** The number of columns of the widest row. */
export function widthOf({ rows }: Pick<Sheet, 'rows'>): number {
  return rows.reduce((most, row) => Math.max(most, row.length), 0);
}
