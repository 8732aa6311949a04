import type { Cell, Workbook } from './sheet.ts';

/** A table of a data file, whose columns have names. */
export interface DataTable {
  name: string;
  columns: readonly string[];
  rows: Cell[][];
  isCut: boolean;
}

/** More text of a file than this is left out: data files can repeat texts that they have once. */
export const mostCharacters = 100_000_000;

/** The tables of a data file, each with the names of its columns above it. */
export function dataWorkbook(tables: readonly DataTable[]): Workbook {
  const sheets = tables.map(({ name, columns, rows, isCut }) => ({
    name,
    rows: [[...columns], ...rows],
    headRows: 1,
    headColumns: 0,
    merges: [],
    isCut,
  }));
  return { sheets, isLettered: false, preamble: [] };
}

/** A value of a database as a cell. Whole numbers keep all their digits, and bytes are only counted. */
export function dataCell(value: unknown): Cell {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  if (value instanceof Uint8Array) return bytesText(value);
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value, nested);
}

/** A `Date`, or milliseconds since 1970, as text that sorts as time does: `2026-11-29 17:04:57`, in UTC. */
export function timeText(value: unknown): string {
  const time = value instanceof Date ? value : new Date(Number(value));
  if (Number.isNaN(time.getTime())) return String(value);
  return time
    .toISOString()
    .replace('T', ' ')
    .replace(/(?:\.000)?Z$/, '');
}

function bytesText({ length }: Uint8Array): string {
  return `${length.toLocaleString('en-US')} ${length === 1 ? 'byte' : 'bytes'}`;
}

function nested(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return dataCell(value);
  return value instanceof Uint8Array ? bytesText(value) : value;
}
