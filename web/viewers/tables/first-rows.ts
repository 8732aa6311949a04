import type { ZipPart } from '../parts/zip-parts.ts';

/** Rows of a spreadsheet that are read first: several windows. */
export const firstRowCount = 200;
const most = { characters: 500_000, leastCharacters: 5000, sharedTexts: 20_000 } as const;

/** A spreadsheet below this is read at once: reading its start first would save nothing. */
export const largeBytes = 1024 * 1024;

/**
 * The same spreadsheet with only the first rows of each sheet, so that somebody sees them long before
 * all of it is read; undefined for one that is read soon enough. The cut parts are well-formed only
 * if a usual program wrote the file. That is enough, because the whole file replaces them.
 */
export function firstRows(parts: readonly ZipPart[]): ZipPart[] | undefined {
  const isOpenDocument = parts.some(({ path }) => path === 'content.xml');
  if (bytesOf(parts) < largeBytes) return undefined;
  const start = isOpenDocument
    ? parts.map((part) => (isSheet(part) ? changed(part, firstRowsOfTables) : part))
    : firstRowsOfWorksheets(parts);
  return bytesOf(start) < bytesOf(parts) / 2 ? start : undefined;
}

function firstRowsOfWorksheets(parts: readonly ZipPart[]): ZipPart[] {
  const room = Math.max(most.leastCharacters, most.characters / parts.filter(isSheet).length);
  const cut = parts.map((part) =>
    isSheet(part) ? changed(part, (xml) => firstRowsOfWorksheet(xml, room)) : part,
  );
  const last = lastSharedText(cut.filter(isSheet));
  if (last > most.sharedTexts) return cut;
  return cut.map((part) =>
    part.path === 'xl/sharedStrings.xml' ? changed(part, (xml) => firstTexts(xml, last + 1)) : part,
  );
}

function bytesOf(parts: readonly ZipPart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** The part of an xlsx file for a sheet, and that of an ods file for all of them. */
function isSheet({ path }: ZipPart): boolean {
  return path === 'content.xml' || /^xl\/worksheets\/[^/]+\.xml$/.test(path);
}

function changed(part: ZipPart, change: (xml: string) => string): ZipPart {
  return { ...part, bytes: new TextEncoder().encode(change(new TextDecoder().decode(part.bytes))) };
}

/** The end of the last of `count` elements that `end` closes, all before `limit`. */
function endOf(xml: string, end: string, { from = 0, count = 0, limit = xml.length }): number {
  let at = from;
  for (let found = 0; found < count; found += 1) {
    const next = xml.indexOf(end, at);
    if (next === -1 || next + end.length > limit) break;
    at = next + end.length;
  }
  return at;
}

/** What comes before and after the rows stays, such as widths and merged cells. */
function firstRowsOfWorksheet(xml: string, room: number): string {
  const [start = '', prefix = ''] = /<(\w+:)?sheetData>/.exec(xml) ?? [];
  const from = xml.indexOf(start);
  const tail = xml.lastIndexOf(`</${prefix}sheetData>`);
  if (start === '' || tail === -1) return xml;
  const limit = Math.min(tail, from + room);
  const end = endOf(xml, `</${prefix}row>`, {
    from: from + start.length,
    count: firstRowCount,
    limit,
  });
  return xml.slice(0, end) + xml.slice(tail);
}

/** Of each table, within the room for all of them. */
function firstRowsOfTables(xml: string): string {
  const [head = '', ...tables] = xml.split(/(?=<table:table )/);
  const room = Math.max(most.leastCharacters, most.characters / Math.max(1, tables.length));
  return (
    head +
    tables
      .map((table) => {
        const tail = Math.max(0, table.lastIndexOf('</table:table>'));
        const limit = Math.min(tail, room);
        const from = Math.max(0, table.indexOf('<table:table-row'));
        const end = endOf(table, '</table:table-row>', { from, count: firstRowCount, limit });
        return table.slice(0, end) + table.slice(tail);
      })
      .join('')
  );
}

/** The number of the last text that these sheets take from the shared ones (ECMA-376, part 1, section 18.4). */
function lastSharedText(sheets: readonly ZipPart[]): number {
  let last = -1;
  for (const { bytes } of sheets) {
    const xml = new TextDecoder().decode(bytes);
    const cells = xml.matchAll(/<(?:\w+:)?c(\s[^<>]*)>\s*<(?:\w+:)?v>(\d+)</g);
    for (const [, attributes = '', number] of cells) {
      if (/\st="s"/.test(attributes)) last = Math.max(last, Number(number));
    }
  }
  return last;
}

function firstTexts(xml: string, count: number): string {
  const [, prefix = ''] = /<(\w+:)?sst\b/.exec(xml) ?? [];
  const tail = xml.lastIndexOf(`</${prefix}sst>`);
  const from = Math.max(0, xml.indexOf(`<${prefix}si>`));
  const end = endOf(xml, `</${prefix}si>`, { from, count, limit: tail });
  return xml.slice(0, end) + xml.slice(tail);
}
