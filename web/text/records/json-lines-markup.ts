import { parseRecord } from '../../../core/json.ts';
import { mostShown, tableMarkup } from './record-table.ts';

const mostLines = 20_000;

/** JSON Lines as a table whose columns are the names in its objects; `undefined` if a line is no object. */
export function jsonLinesMarkup(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0 || lines.length > mostLines) return undefined;
  const rows: Record<string, unknown>[] = [];
  for (const line of lines) {
    const row = parseRecord(line);
    if (row === undefined) return undefined;
    rows.push(row);
  }
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  // Each line may have names of its own: a table of all would have as many cells as lines times names.
  const columns = names.slice(0, mostShown.columns);
  return tableMarkup(
    names,
    rows.map((row) => columns.map((name) => valueText(row[name]))),
  );
}

/** A value as somebody reads it: texts without quotes. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
