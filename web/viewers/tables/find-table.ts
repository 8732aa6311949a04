import { readTable } from './read-table.ts';

/** Where the table of a text is. */
export interface TablePlace {
  separator: string;
  /** The text from its first row on. */
  text: string;
  /** Lines before the table: what it is, who made it and when. */
  preamble: string[];
}

const separators = [',', ';', '\t', '|'] as const;
const sample = { rows: 60, columns: 100 };
const mostPreambleRows = 20;

/**
 * Finds the table in delimited text: by a line `sep=;`, which Excel reads and writes, otherwise by
 * the separator that gives most rows the same number of fields. Rows before those that have one
 * field only are a preamble, and so are shorter rows that an empty line separates from the table.
 */
export function findTable(text: string, known?: string): TablePlace {
  const [line = '', named = ''] = /^sep=(.)(?:\r\n|\r|\n|$)/i.exec(text) ?? [];
  const whole = text.slice(line.length);
  const separator = named || (known ?? separatorOf(whole));
  const { rows } = readTable(whole, separator, sample);
  const { width } = shapeOf(rows);
  const first = width > 1 ? firstOf(rows, width) : 0;
  if (first < 1 || first > mostPreambleRows) return { separator, text: whole, preamble: [] };
  const preamble = rows.slice(0, first).map((row) => row.join(' ').trim());
  return {
    separator,
    text: afterRows(whole, first),
    preamble: preamble.filter((field) => field.trim() !== ''),
  };
}

/** Banks and instruments write names and values above a table, with an empty line between. */
function firstOf(rows: readonly string[][], width: number): number {
  const first = rows.findIndex((row) => row.length > 1);
  const full = rows.findIndex((row) => row.length === width);
  const gap = rows.slice(0, full).findLastIndex((row) => row.length === 1);
  const isShorter = rows.slice(0, full).every((row) => row.length < width);
  return isShorter && gap > first ? full : first;
}

/** Rows of a preamble have no quotes over several lines: those would be fields of a table. */
function afterRows(text: string, count: number): string {
  let rest = text;
  for (let row = 0; row < count; row += 1) rest = rest.replace(/^[^\r\n]*(?:\r\n|\r|\n)/, '');
  return rest;
}

/** The separator that most rows agree on; a comma where there is none. */
export function separatorOf(text: string): string {
  const shapes = separators.map((separator) => ({
    separator,
    ...shapeOf(readTable(text, separator, sample).rows),
  }));
  const tables = shapes.filter(({ width }) => width > 1);
  const [best] = tables.sort((a, b) => b.share - a.share || b.width - a.width);
  return best?.separator ?? ',';
}

/** The number of fields that most rows with several fields have, and the share of all rows that have it. */
function shapeOf(rows: readonly string[][]): { width: number; share: number } {
  const counts = new Map<number, number>();
  for (const { length } of rows) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most === undefined
    ? { width: 1, share: 0 }
    : { width: most[0], share: most[1] / rows.length };
}
