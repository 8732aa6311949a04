import type { CellStyle } from './cell-styles.ts';
import { isNumber } from './row-order.ts';
import { type Cell, type Merge, type Sheet, textOf, widthOf } from './sheet.ts';

/** The rest of a longer cell is not laid out. A spreadsheet allows 32,767 characters. */
export const mostCellCharacters = 5000;
export const mostTitleCharacters = 1000;
/** Rows by which the width of a column is chosen. */
const sampledRows = 500;

/** The widths of the columns of a long table in characters: those of the texts in its first rows. */
export function columnWidths({ rows }: Pick<Sheet, 'rows'>, isLettered: boolean): number[] {
  const sample = rows.slice(0, sampledRows);
  const widths = Array.from({ length: widthOf({ rows }) }, (_, column) => {
    const longest = sample.reduce((most, row) => Math.max(most, textOf(row[column]).length), 4);
    return Math.min(longest, 40) + 5;
  });
  return isLettered ? [7, ...widths] : widths;
}

/**
 * Gives a table columns of these widths. Only a table with a width of its own has a fixed layout (CSS 2.2,
 * section 17.5.2.1): in any other, a browser makes columns as narrow as their longest letter.
 */
export function setColumns(table: HTMLTableElement, widths: readonly number[]): void {
  const group = document.createElement('colgroup');
  group.append(...widths.map(columnOf));
  table.prepend(group);
  table.style.width = `${widths.reduce((sum, width) => sum + width, 0)}ch`;
}

/** A row in place of those out of view, above or below. */
export function space(): HTMLTableRowElement {
  const row = document.createElement('tr');
  row.className = 'space';
  row.setAttribute('aria-hidden', 'true');
  return row;
}

function columnOf(characters: number): HTMLTableColElement {
  const column = document.createElement('col');
  column.style.width = `${characters}ch`;
  return column;
}

/** The number of a row, as in a spreadsheet. */
export function rowNumber(index: number): HTMLTableCellElement {
  const cell = document.createElement('th');
  cell.scope = 'row';
  cell.textContent = String(index + 1);
  return cell;
}

/** A cell with its text, or the start of a long one. */
export function cellOf(value: Cell | undefined): HTMLTableCellElement {
  const cell = document.createElement('td');
  const text = textOf(value);
  cell.textContent = shortened(text, mostCellCharacters);
  if (text.length > 30) cell.title = shortened(text, mostTitleCharacters);
  if (isNumeric(value)) cell.className = 'number';
  return cell;
}

/** Gives a cell the colours and the weight that the spreadsheet gives it. */
export function dress(cell: HTMLTableCellElement, style: CellStyle | undefined): void {
  if (style === undefined) return;
  const { style: css, classList } = cell;
  if (style.isBold === true) css.fontWeight = '600';
  if (style.isItalic === true) css.fontStyle = 'italic';
  if (style.isStruck === true) css.textDecoration = 'line-through';
  if (style.color !== undefined) css.color = style.color;
  if (style.fill !== undefined) css.background = style.fill;
  if (style.align !== undefined) css.textAlign = style.align;
  classList.toggle('bordered', style.hasBorder === true);
}

/** Laying out a cell of a megabyte takes a browser seconds. Copying takes the whole text. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)} …`;
}

/** Whether a cell is a number, and stands at the right. */
export function isNumeric(value: Cell | undefined): boolean {
  return typeof value !== 'string' ? value !== undefined : isNumber(value);
}

/** Makes a cell as large as those that it stands for. */
export function span(cell: HTMLTableCellElement, { rows, columns }: Merge): void {
  cell.rowSpan = rows;
  cell.colSpan = columns;
  cell.classList.add('merged');
}

/** The name of a column: A to Z, then AA. */
export function letters(column: number): string {
  const last = String.fromCodePoint(65 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}
