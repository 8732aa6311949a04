import { guessEncoding } from '../../../core/content/guess-encoding.ts';
import { decodeText } from './decode-table.ts';
import { findTable } from './find-table.ts';
import { readTable } from './read-table.ts';
import { type TableLimits, tableLimits, type TableRequest, type Workbook } from './sheet.ts';

/** Rows of a long text that are shown before all of it is read: several windows. */
const startRows = 100;
/** A text of fewer characters is read at once: reading its start first would save nothing. */
const longCharacters = 1024 * 1024;

/** Reads CSV and TSV: one table, whose first row says what the columns are. */
export function readDelimited(
  { name, bytes, isCut, encoding: chosen }: TableRequest,
  showStart: (start: Workbook) => void = () => undefined,
): Workbook {
  const encoding = chosen ?? guessEncoding(bytes);
  const found = findTable(
    decodeText(bytes, isCut, encoding),
    /\.tsv$/i.test(name) ? '\t' : undefined,
  );
  const workbookOf = (most: TableLimits) => {
    const { rows, cut } = readTable(found.text, found.separator, most);
    const sheet = {
      name,
      // The last row of a part of a file may be incomplete.
      rows: isCut && !cut ? rows.slice(0, -1) : rows,
      headRows: 1,
      headColumns: 0,
      merges: [],
      isCut: isCut || cut,
    };
    const told = chosen === undefined && encoding === 'utf-8' ? undefined : encoding;
    return { sheets: [sheet], isLettered: false, preamble: found.preamble, encoding: told };
  };
  if (found.text.length >= longCharacters)
    showStart(workbookOf({ ...tableLimits, rows: startRows }));
  return workbookOf(tableLimits);
}
