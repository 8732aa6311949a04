/** The start of a table, and how much of it there is. */
export interface Table {
  rows: string[][];
  /** Whether the text had more rows or columns than were read. */
  cut: boolean;
}

/**
 * Reads delimited text (RFC 4180), at most `most.rows`, `most.columns` and `most.cells`.
 *
 * Forgiving: a quote inside an unquoted field stands for itself, and a quoted field that never
 * closes ends with the text.
 */
export function readTable(
  text: string,
  separator: string,
  most: { rows: number; columns: number; cells?: number },
): Table {
  const table: Table = { rows: [], cut: false };
  const { cells = Number.POSITIVE_INFINITY } = most;
  let count = 0;
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (table.rows.length === most.rows || count > cells) return { ...table, cut: true };
    const { field, end } = readField(text, at, separator);
    if (row.length < most.columns) row.push(field);
    else table.cut = true;
    at = end;
    if (text[at] === separator) {
      at += 1;
      if (at < text.length) continue;
      row.push('');
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    table.rows.push(row);
    count += row.length;
    row = [];
  }
  return table;
}

function readField(text: string, start: number, separator: string) {
  const quote = quoteAt(text, start, separator);
  if (quote !== undefined) return readQuoted(text, quote, separator);
  const end = fieldEnd(text, start, separator);
  return { field: text.slice(start, end), end };
}

const spacedQuote = / +"[^"\r\n]*" *([^]?)/y;

/** Where a quoted field begins. Some programs write spaces before it; other quotes behind spaces stand for themselves. */
function quoteAt(text: string, start: number, separator: string): number | undefined {
  if (text[start] !== ' ') return text[start] === '"' ? start : undefined;
  spacedQuote.lastIndex = start;
  const [field, next = ''] = spacedQuote.exec(text) ?? [];
  const isEnded = next === '' || next === separator || isLineEnd(next);
  return field !== undefined && isEnded ? start + field.indexOf('"') : undefined;
}

function readQuoted(text: string, start: number, separator: string) {
  let field = '';
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { field: field + text.slice(at), end: text.length };
    field += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      const end = fieldEnd(text, quote + 1, separator);
      return { field: field + text.slice(quote + 1, end), end };
    }
    field += '"';
    at = quote + 2;
  }
}

function fieldEnd(text: string, start: number, separator: string): number {
  let end = start;
  while (end < text.length && text[end] !== separator && !isLineEnd(text[end])) end += 1;
  return end;
}

function isLineEnd(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}
