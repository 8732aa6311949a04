import { ViewerError } from '../parts/fetch-file.ts';
import { readWebArchive } from '../parts/web-archive.ts';
import { withNamedCharacters } from '../reader/page-text.ts';
import { decodeText } from './decode-table.ts';

/** A file without an archive that a spreadsheet program reads all the same. */
export type FlatSpreadsheet =
  /** XML of ODF or of Excel 2003, or a page with tables. */
  { kind: 'markup'; text: string } | { kind: 'delimited' };

const start = 8192;

/**
 * What a file is that is named like a spreadsheet and is text: many programs write a page, a table of
 * tabs, or XML of Excel 2003 into a `.xls`.
 * @throws ViewerError for anything else
 */
export function flatSpreadsheet(bytes: Uint8Array): FlatSpreadsheet {
  const archive = readWebArchive(bytes);
  if (archive !== undefined) return flatSpreadsheet(archive.page);
  const beginning = decodeText(bytes.subarray(0, start), true).replace(/^\uFEFF/, '');
  if (/^\s*<(?:[!?]|[a-z])/i.test(beginning)) {
    const text = decodeText(bytes).replace(/^\uFEFF/, '');
    if (/<(?:\w+:)?(?:table|Worksheet|spreadsheet)\b/i.test(text))
      return {
        kind: 'markup',
        text: isPage(text) ? withNamedCharacters(text) : withoutObjects(text),
      };
  } else if (isTable(beginning)) return { kind: 'delimited' };
  throw new ViewerError('The file is damaged, or its content does not match its name.');
}

/** A chart in a file of one XML brings tables of its own, which are no sheets (ODF 1.3, part 3, section 10.4.6.2). */
const withoutObjects = (xml: string) =>
  xml.replace(/<draw:object(?=[\s>])(?:(?!<\/?draw:object[\s>])[^])*<\/draw:object>/g, '');

const isPage = (text: string) => !/^\s*<\?xml/.test(text);

/** Most of its first lines have the same separator, and there are no control characters. */
function isTable(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\u0000-\u0008\u000E-\u001F]/.test(text)) return false;
  const lines = text.split(/\r\n?|\n/, 20).filter((line) => line.trim() !== '');
  return [/\t/, /;/, /,/].some(
    (mark) => lines.length > 1 && lines.filter((line) => mark.test(line)).length > lines.length / 2,
  );
}
