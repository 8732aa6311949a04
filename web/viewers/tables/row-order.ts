import { type Cell, type Sheet, textOf } from './sheet.ts';

/** What somebody wants to see of a sheet, and in which order. */
export interface TableChoice {
  /** Rows that have this text in a cell, in upper or lower case; empty: all rows. */
  query: string;
  column?: number | undefined;
  isDescending?: boolean | undefined;
}

/**
 * The rows below the head that a choice selects, by their index, in their order.
 *
 * Numbers come before texts, and empty cells last in both directions. Rows that are equal keep their
 * order.
 */
export function rowOrder(sheet: Sheet, choice: TableChoice): number[] {
  const wanted = choice.query.trim().toLowerCase();
  const order: number[] = [];
  for (let row = sheet.headRows; row < sheet.rows.length; row += 1) {
    if (wanted === '' || includesText(sheet.rows[row] ?? [], wanted)) order.push(row);
  }
  if (choice.column === undefined) return order;
  const { column } = choice;
  const keys = new Map(order.map((row) => [row, sortKey(sheet.rows[row]?.[column])] as const));
  const way = choice.isDescending === true ? -1 : 1;
  return order.sort((a, b) => compare(keys.get(a), keys.get(b), way));
}

function includesText(row: readonly Cell[], wanted: string): boolean {
  return row.some((cell) => textOf(cell).toLowerCase().includes(wanted));
}

type Key = number | string | undefined;

const inOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;

function compare(a: Key, b: Key, way: 1 | -1): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a === 'number' && typeof b === 'number') return way * (a - b);
  if (typeof a === 'string' && typeof b === 'string') return way * inOrder(a, b);
  return way * (typeof a === 'number' ? -1 : 1);
}

function sortKey(cell: Cell | undefined): Key {
  if (typeof cell === 'object') return cell.value;
  if (typeof cell === 'number') return cell;
  if (cell === undefined || cell.trim() === '') return undefined;
  return isNumber(cell) ? numberIn(cell) : cell;
}

/** Whether a text is a number, with separators and perhaps a percent sign. */
export function isNumber(field: string): boolean {
  return /^[-+]?[\d.,' ]{0,40}\d\s?%?$/.test(field);
}

/** Reads `1,234.5` and `1.234,5`; a lone comma before three digits separates thousands. */
function numberIn(text: string): number | string {
  const bare = text.replaceAll(/[' %]/g, '');
  const decimal = /[.,](?=\d*$)/.exec(bare)?.[0];
  const isThousands = decimal !== undefined && isGrouped(bare, decimal);
  const plain =
    decimal === undefined || isThousands
      ? bare.replaceAll(/[.,]/g, '')
      : bare.replaceAll(decimal === ',' ? '.' : ',', '').replace(decimal, '.');
  const number = Number(plain);
  return Number.isNaN(number) ? text : number;
}

function isGrouped(bare: string, mark: string): boolean {
  const groups = bare.replace(/^[-+]/, '').split(mark);
  if (groups.length < 2 || !groups.slice(1).every((group) => /^\d{3}$/.test(group))) return false;
  return mark === ',' || groups.length > 2;
}

/** The rows as text for a spreadsheet: fields separated by tabs. */
export function rowsAsText(sheet: Sheet, order: readonly number[]): string {
  const head = Array.from({ length: sheet.headRows }, (_, row) => row);
  return [...head, ...order]
    .map((row) => (sheet.rows[row] ?? []).map((cell) => quoted(textOf(cell))).join('\t'))
    .join('\n');
}

function quoted(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
