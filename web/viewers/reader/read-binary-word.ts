import { ViewerError } from '../parts/fetch-file.ts';
import { type Block, boundedReading, type Reading } from './blocks.ts';
import { CompoundFile } from './compound-file.ts';
import { BlockWriter, type ParagraphLook } from './word-blocks.ts';
import { encodingOf, marksOf95, marksOf97, type ParagraphMarks } from './word-layouts.ts';

/** Where the header of a Word file says what ([MS-DOC], section 2.5; the Word 6 binary format has fewer fields). */
interface Layout {
  textLength: number;
  paragraphs: number;
  pieces: number;
  /** Bytes of the number of a page of properties, and of what a page says about a paragraph. */
  pageNumberBytes: 2 | 4;
  marks: ParagraphMarks;
}

const magicOf95 = 0xa5dc;
const layouts: ReadonlyMap<number, Layout> = new Map([
  [
    0xa5ec,
    { textLength: 0x4c, paragraphs: 0x102, pieces: 0x1a2, pageNumberBytes: 4, marks: marksOf97 },
  ],
  [
    magicOf95,
    { textLength: 0x34, paragraphs: 0xc0, pieces: 0x160, pageNumberBytes: 2, marks: marksOf95 },
  ],
]);
const flagsAt = 0x0a;
const textStart = 0x18;
const isSavedInPieces = 4;

/** The parts of the text behind the main one, in their order (section 2.5.4); headers are no text of the document. */
const parts = ['', 'Footnotes', undefined, undefined, 'Comments', 'Endnotes', 'Text boxes'];

/** Text that is stored in one place. */
interface Piece {
  text: string;
  /** Where its first character is in the stream, and how many bytes each one has. */
  start: number;
  width: 1 | 2;
}

/** The streams of a file. */
interface WordFile {
  main: Uint8Array<ArrayBuffer>;
  view: DataView;
  /** Where its tables are; in a file of 6 or 95, they are in the main stream. */
  table: Uint8Array<ArrayBuffer>;
  layout: Layout;
  is95: boolean;
}

/**
 * The text of a Word file of 6 to 2003, with its headings, lists and tables.
 * @throws ViewerError if it is older, locked or damaged
 */
export function readBinaryWord(bytes: Uint8Array<ArrayBuffer>): Reading {
  const file = openWord(new CompoundFile(bytes));
  const { view, layout } = file;
  const pieces = piecesOf(file);
  const looks = looksOf(file);
  const all = charactersOf(pieces);
  const sections = [];
  let from = 0;
  for (const [index, title] of parts.entries()) {
    const length = view.getInt32(layout.textLength + 4 * index, true);
    const until = from + Math.max(0, length);
    const blocks = title === undefined ? [] : blocksOf(all, looks, { from, until });
    if (blocks.length > 0) sections.push({ title: title ?? '', blocks });
    from = until;
  }
  return boundedReading(sections);
}

function openWord(file: CompoundFile): WordFile {
  const main = file.stream('WordDocument');
  if (main === undefined || main.length < 32) throw damaged();
  const view = viewOf(main);
  const magic = view.getUint16(0, true);
  const layout = layouts.get(magic);
  if (layout === undefined || main.length < layout.pieces + 8) throw damaged();
  const flags = view.getUint16(flagsAt, true);
  if ((flags & 0x100) !== 0) throw new ViewerError('The file is protected by a password.');
  const is95 = magic === magicOf95;
  const table = is95 ? main : file.stream((flags & 0x200) === 0 ? '0Table' : '1Table');
  if (table === undefined) throw damaged();
  return { main, view, table, layout, is95 };
}

function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(): ViewerError {
  return new ViewerError('The file is damaged, or its content does not match its name.');
}

/** The pieces of the text, behind properties that are not needed (section 2.9.38). */
function piecesOf({ main, view, table, layout, is95 }: WordFile): Piece[] {
  const encoding = is95 ? encodingOf(view) : 'windows-1252';
  const narrow = (start: number, length: number): Piece => {
    const bytes = main.subarray(start, start + Math.max(0, length));
    return { text: new TextDecoder(encoding).decode(bytes), start, width: 1 };
  };
  if (is95 && (view.getUint16(flagsAt, true) & isSavedInPieces) === 0) {
    const start = view.getUint32(textStart, true);
    return [narrow(start, view.getUint32(textStart + 4, true) - start)];
  }
  const tableView = viewOf(table);
  let at = view.getUint32(layout.pieces, true);
  while (table[at] === 1) at += 3 + tableView.getUint16(at + 1, true);
  if (table[at] !== 2) throw damaged();
  const count = Math.floor((tableView.getUint32(at + 1, true) - 4) / 12);
  const first = at + 5;
  if (count < 1 || first + 4 + 12 * count > table.length) throw damaged();
  return Array.from({ length: count }, (_, index) => {
    const length =
      tableView.getUint32(first + 4 * (index + 1), true) -
      tableView.getUint32(first + 4 * index, true);
    const place = tableView.getUint32(first + 4 * (count + 1) + 8 * index + 2, true);
    if (is95) return narrow(place, length);
    if ((place & 0x40000000) !== 0) return narrow((place & 0x3fffffff) / 2, length);
    const start = place & 0x3fffffff;
    const bytes = main.subarray(start, start + Math.max(0, length) * 2);
    return { text: new TextDecoder('utf-16le').decode(bytes), start, width: 2 };
  });
}

/** All characters, and where each is in the stream. */
function charactersOf(pieces: readonly Piece[]): {
  text: string;
  placeOf: (index: number) => number;
} {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of pieces) {
    starts.push(length);
    length += text.length;
  }
  const placeOf = (index: number) => {
    const piece = starts.findLastIndex((start) => start <= index);
    const { start, width } = pieces[piece] ?? { start: 0, width: 1 };
    return start + (index - (starts[piece] ?? 0)) * width;
  };
  return { text: pieces.map(({ text }) => text).join(''), placeOf };
}

/** The properties of paragraphs, in pages of 512 bytes (section 2.9.174); by the end of each paragraph. */
function looksOf({ main, view, table, layout }: WordFile): Map<number, ParagraphLook> {
  const looks = new Map<number, ParagraphLook>();
  const { pageNumberBytes, marks } = layout;
  const first = view.getUint32(layout.paragraphs, true);
  const bytes = view.getUint32(layout.paragraphs + 4, true);
  const count = Math.floor((bytes - 4) / (4 + pageNumberBytes));
  const tableView = viewOf(table);
  for (let index = 0; index < count; index += 1) {
    const at = first + 4 * (count + 1) + pageNumberBytes * index;
    if (at + pageNumberBytes > table.length) break;
    const number =
      pageNumberBytes === 2 ? tableView.getUint16(at, true) : tableView.getUint32(at, true);
    const page = (number & 0x3fffff) * 512;
    if (page + 512 > main.length) continue;
    for (const look of looksOfPage(main.subarray(page, page + 512), marks))
      looks.set(look.end, look);
  }
  return looks;
}

function looksOfPage(page: Uint8Array<ArrayBuffer>, marks: ParagraphMarks): ParagraphLook[] {
  const view = viewOf(page);
  const count = Math.min(page[511] ?? 0, Math.floor(507 / (4 + marks.entryBytes)));
  return Array.from({ length: count }, (_, index) => {
    const end = view.getUint32(4 * (index + 1), true);
    const at = 2 * (page[4 * (count + 1) + marks.entryBytes * index] ?? 0);
    const isLong = page[at] === 0;
    const start = at + (isLong ? 2 : 1);
    const size = isLong ? 2 * (page[at + 1] ?? 0) : 2 * (page[at] ?? 0) - 1;
    const properties = at === 0 ? page.subarray(0, 0) : page.subarray(start, start + size);
    const style = (properties[0] ?? 0) + 256 * (properties[1] ?? 0);
    return { end, style, ...marks.tableLookOf(properties.subarray(2)) };
  });
}

// oxlint-disable-next-line no-control-regex -- the marks of cells and pages
const paragraph = /([^\r\u0007\f]*)([\r\u0007\f]|$)/g;

/** Paragraphs end with a carriage return, cells and rows with a mark of their own (section 2.4.3). */
function blocksOf(
  { text, placeOf }: ReturnType<typeof charactersOf>,
  looks: ReadonlyMap<number, ParagraphLook>,
  { from, until }: { from: number; until: number },
): Block[] {
  const writer = new BlockWriter();
  for (const match of text.slice(from, until).matchAll(paragraph)) {
    const [whole, words = '', mark = ''] = match;
    if (whole === '') break;
    const place = placeOf(from + match.index + words.length);
    // A character has one byte or two.
    writer.add(words, mark, looks.get(place + 1) ?? looks.get(place + 2));
  }
  return writer.end();
}
