import { decodeText } from './decode-table.ts';
import { findTable } from './find-table.ts';
import { readTable } from './read-table.ts';
import { tableLimits, type TableRequest, type Workbook } from './sheet.ts';

/** Reads CSV and TSV: one table, whose first row says what the columns are. */
export function readDelimited({ name, bytes, isCut }: TableRequest): Workbook {
  const found = findTable(decodeText(bytes, isCut), /\.tsv$/i.test(name) ? '\t' : undefined);
  const { rows, cut } = readTable(found.text, found.separator, tableLimits);
  const sheet = {
    name,
    // The last row of a part of a file may be incomplete.
    rows: isCut && !cut ? rows.slice(0, -1) : rows,
    headRows: 1,
    headColumns: 0,
    merges: [],
    isCut: isCut || cut,
  };
  return { sheets: [sheet], isLettered: false, preamble: found.preamble };
}
