import { type CellObject, read, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { ViewerError } from '../parts/fetch-file.ts';
import { type ZipPart, officeLimits, relatedPaths, unpackZipParts } from '../parts/zip-parts.ts';
import { writeStoredZip } from '../parts/write-stored-zip.ts';
import { attributeOf, decodeXml } from '../parts/xml-tree.ts';
import { readStyles, stylesOfSheet } from './cell-styles.ts';
import { drawingsOfOds, drawingsOfWorksheet } from './sheet-drawings.ts';
import { formatNumber } from './number-format.ts';
import { firstRowCount, firstRows, largeBytes } from './first-rows.ts';
import { flatSpreadsheet } from './flat-spreadsheet.ts';
import { type Panes, panesOfOdsSettings, panesOfWorksheet } from './frozen-panes.ts';
import { readDelimited } from './read-delimited.ts';
import {
  type Cell,
  type Merge,
  type Sheet,
  tableLimits,
  type TableRequest,
  type Workbook,
} from './sheet.ts';

const mostSheets = 100;
const mostMerges = 10_000;
/** What a sheet took from other files is kept beside it, in tables that are no sheets (LibreOffice). */
const cachedSheet = /^'(?:file|https?):.*'#/;

/** The first bytes of the format that Office used before 2007, and still uses for encrypted files. */
const compound = [0xd0, 0xcf, 0x11, 0xe0];

const options = {
  type: 'array',
  dense: true,
  cellFormula: false,
  cellHTML: false,
  cellNF: true,
} as const;

/** Takes the first rows of a large file before all of it is read. */
type ShowStart = (start: Workbook) => void;

/**
 * Reads the sheets of an xlsx, xls or ods file: the values that were saved, as they are shown there.
 * No formula is computed. Throws ViewerError with an explanation if it cannot be read.
 */
export async function readSpreadsheet(
  request: TableRequest,
  showStart: ShowStart = () => undefined,
): Promise<Workbook> {
  const { bytes } = request;
  if (compound.every((byte, at) => bytes[at] === byte)) {
    if (bytes.length >= largeBytes) tryStart(showStart, () => readCompound(bytes, firstRowCount));
    return readCompound(bytes, tableLimits.rows);
  }
  if (isDbase(request)) return readCompound(bytes, tableLimits.rows);
  if (!isZip(bytes)) return readFlat(request, showStart);
  const parts = await unpackZipParts(bytes, officeLimits, isRead);
  const start = firstRows(parts);
  if (start !== undefined) tryStart(showStart, () => readParts(start));
  return readParts(parts);
}

/** A start that cannot be read is no fault of the file: all of it comes next. */
function tryStart(showStart: ShowStart, readStart: () => Workbook): void {
  try {
    const start = readStart();
    if (start.sheets.some(({ rows }) => rows.length > 0)) showStart(start);
  } catch {
    // Nothing to show yet.
  }
}

function readCompound(bytes: Uint8Array, sheetRows: number): Workbook {
  return workbookOf(readBook(bytes, sheetRows), () => undefined);
}

/** The first bytes of a local header, or of the end of an empty archive (APPNOTE 4.3.7, 4.3.16). */
function isZip([first, second]: Uint8Array): boolean {
  return first === 0x50 && second === 0x4b;
}

/** A table of dBase, with as many records as its header says (dBase III, "File Structure"): the library believes it. */
function isDbase({ name, bytes }: TableRequest): boolean {
  if (!/\.dbf$/i.test(name) || bytes.length < 32) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint16(8, true) + view.getUint32(4, true) * view.getUint16(10, true);
  return size <= bytes.length + 1;
}

function readFlat(request: TableRequest, showStart: ShowStart): Workbook {
  const flat = flatSpreadsheet(request.bytes);
  if (flat.kind === 'delimited') return readDelimited(request, showStart);
  if (flat.text.length > officeLimits.xmlBytes) {
    throw new ViewerError('The file is too large to show here.');
  }
  const book = readBook(new TextEncoder().encode(withFewRepeats(flat.text)), tableLimits.rows);
  return workbookOf(book, () => undefined, flat.text);
}

function readParts(zipped: readonly ZipPart[]): Workbook {
  const parts = zipped.map(withoutRepeats).map(withFormulas);
  const book = readBook(writeStoredZip(parts), tableLimits.rows);
  const content = parts.find(({ path }) => path === 'content.xml');
  return workbookOf(book, moreIn(parts, book), new TextDecoder().decode(content?.bytes));
}

/** The names of tables whose author hid them, which the library does not tell (`table:display`, ODF 1.3, part 3). */
function hiddenTables(content: string): ReadonlySet<string | undefined> {
  const styles = content.matchAll(/<style:style(\s[^<>]*)>\s*<style:table-properties(\s[^<>]*)>/g);
  const hiding = new Set<string | undefined>();
  for (const [, attributes = '', properties = ''] of styles) {
    const isHiding = attributeOf({ attributes: properties }, 'display') === 'false';
    if (isHiding) hiding.add(attributeOf({ attributes }, 'name'));
  }
  const names = new Set<string | undefined>();
  for (const [, attributes = ''] of content.matchAll(/<table:table(\s[^<>]*)>/g)) {
    const style = attributeOf({ attributes }, 'style-name');
    if (style !== undefined && hiding.has(style)) names.add(attributeOf({ attributes }, 'name'));
  }
  return names;
}

/**
 * Pictures, macros and what other programs keep in the file are not needed. A binary workbook has its
 * sheets in parts that end in `.bin` (MS-XLSB, section 2.1.7).
 */
function isRead(path: string): boolean {
  if (/^xl\/(?:\w+|worksheets\/\w+)\.bin$/i.test(path)) return !path.endsWith('vbaProject.bin');
  return /(?:\.rels|\.xml|mimetype)$/i.test(path) && !/^(?:Basic|Dialogs|customXml)\//.test(path);
}

function readBook(bytes: Uint8Array, sheetRows: number): WorkBook {
  try {
    return read(bytes, { ...options, sheetRows });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    throw new ViewerError(
      /password|encrypt/i.test(message)
        ? 'The file is protected by a password.'
        : 'The file is damaged, or its content does not match its name.',
    );
  }
}

const mostRepeats = { rows: 1000, columns: tableLimits.columns };

/**
 * A cell of ODF can stand for millions (`table:number-rows-repeated`, ODF 1.3, part 3, section
 * 19.679); room would be made for all of them.
 */
function withoutRepeats(part: ZipPart): ZipPart {
  if (part.path !== 'content.xml') return part;
  const shorter = withFewRepeats(new TextDecoder().decode(part.bytes));
  return { ...part, bytes: new TextEncoder().encode(shorter) };
}

/** A formula that no program has computed yet is shown as it is written: programs that only write files do not compute. */
function withFormulas(part: ZipPart): ZipPart {
  if (!/^xl\/worksheets\/[^/]+\.xml$/.test(part.path)) return part;
  const xml = new TextDecoder().decode(part.bytes);
  const shown = xml.replace(
    /<c(\s[^<>]*)><f(?:\s[^<>]*)?>([^<]+)<\/f>(?:<v\s*\/>|<v><\/v>)?<\/c>/g,
    (_, attributes: string, formula: string) =>
      `<c${attributes.replace(/\st="[^"]*"/, '')} t="str"><v>=${formula}</v></c>`,
  );
  return shown === xml ? part : { ...part, bytes: new TextEncoder().encode(shown) };
}

function withFewRepeats(xml: string): string {
  return xml.replace(
    /(number-(rows|columns)-repeated\s*=\s*["'])(\d+)/g,
    (_, start: string, kind: 'rows' | 'columns', count: string) =>
      start + String(Math.min(Number(count), mostRepeats[kind])),
  );
}

/** What the library does not tell of a sheet. */
type MoreOfSheet = (
  name: string,
  index: number,
) => (Partial<Panes> & Pick<Sheet, 'styles' | 'drawings'>) | undefined;

function moreIn(parts: readonly ZipPart[], book: WorkBook): MoreOfSheet {
  const bytesOf = (path: string) => parts.find((part) => part.path === path)?.bytes;
  const textOf = (path: string) => new TextDecoder().decode(bytesOf(path));
  const content = textOf('content.xml');
  if (content !== '') {
    const panes = panesOfOdsSettings(textOf('settings.xml'));
    const drawings = drawingsOfOds(content);
    return (name, index) => ({ ...panes.get(name), drawings: drawings[index] });
  }
  const styles = readStyles(textOf('xl/styles.xml'), textOf('xl/theme/theme1.xml'));
  const paths = relatedPaths(bytesOf('xl/_rels/workbook.xml.rels'), 'xl');
  return (_, index) => {
    const sheet: object = book.Workbook?.Sheets?.[index] ?? {};
    const id: unknown = Reflect.get(sheet, 'id');
    const path = typeof id === 'string' ? paths.get(id) : undefined;
    if (path === undefined) return undefined;
    const xml = textOf(path);
    const drawings = drawingsOfWorksheet(path, textOf);
    return { ...panesOfWorksheet(xml), styles: stylesOfSheet(xml, styles), drawings };
  };
}

/** @param openDocument the XML of a file of ODF, whose names the library leaves as they are written; else empty */
function workbookOf(book: WorkBook, moreOf: MoreOfSheet, openDocument = ''): Workbook {
  const sheets: Sheet[] = [];
  const hidden = hiddenTables(openDocument);
  let room = tableLimits.cells;
  for (const [index, written] of book.SheetNames.entries()) {
    const name = openDocument === '' ? written : decodeXml(written);
    const sheet = book.Sheets[written];
    const isLeftOut = hidden.has(name) || isHidden(book, index) || cachedSheet.test(name);
    if (isLeftOut || sheet === undefined) continue;
    if (sheets.length === mostSheets) break;
    const is1904 = book.Workbook?.WBProps?.date1904 === true;
    const { rows, isCut } = rowsOf(sheet, room, is1904);
    room -= rows.reduce((sum, row) => sum + row.length, 0);
    const more = { headRows: 0, headColumns: 0, ...moreOf(written, index) };
    sheets.push({ name, rows, ...more, merges: mergesOf(sheet, rows.length), isCut });
  }
  return { sheets, isLettered: true, preamble: [] };
}

function isHidden(book: WorkBook, index: number): boolean {
  return (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0;
}

/** Rows up to the last one with a text; the file may say that there are a million more. */
function rowsOf(sheet: WorkSheet, room: number, is1904: boolean): Pick<Sheet, 'rows' | 'isCut'> {
  const data: (CellObject | null)[][] = sheet['!data'] ?? [];
  const rows: Cell[][] = [];
  let isCut = data.length > tableLimits.rows;
  let count = 0;
  let filled = 0;
  for (let index = 0; index < Math.min(data.length, tableLimits.rows); index += 1) {
    const cells = data[index] ?? [];
    isCut ||= cells.length > tableLimits.columns;
    const row = trimmed(
      Array.from(cells.slice(0, tableLimits.columns), (cell) => cellOf(cell, is1904)),
    );
    count += row.length;
    if (count > room) return { rows: rows.slice(0, filled), isCut: true };
    rows.push(row);
    if (row.length > 0) filled = rows.length;
  }
  return { rows: rows.slice(0, filled), isCut };
}

function trimmed(row: Cell[]): Cell[] {
  return row.slice(0, row.findLastIndex((cell) => cell !== '') + 1);
}

function cellOf(cell: CellObject | null | undefined, is1904: boolean): Cell {
  if (cell === null || cell === undefined || cell.t === 'z') return '';
  const text = shownText(cell, is1904);
  if (cell.t !== 'n' || typeof cell.v !== 'number') return text;
  return text === String(cell.v) ? cell.v : { text, value: cell.v };
}

/** The library gives no text where it does not know the format. */
function shownText({ t, v, w, z }: CellObject, is1904: boolean): string {
  const isOwn = w === undefined || z === 'm/d/yy';
  if (isOwn && t === 'n' && typeof v === 'number' && typeof z === 'string') {
    return formatNumber(v, z, is1904);
  }
  return w ?? String(v ?? '');
}

function mergesOf(sheet: WorkSheet, rows: number): Merge[] {
  return (sheet['!merges'] ?? [])
    .slice(0, mostMerges)
    .filter(({ s, e }) => s.r < rows && s.c < tableLimits.columns && e.r >= s.r && e.c >= s.c)
    .map(({ s, e }) => ({
      row: s.r,
      column: s.c,
      rows: Math.min(e.r, rows - 1) - s.r + 1,
      columns: Math.min(e.c, tableLimits.columns - 1) - s.c + 1,
    }));
}
