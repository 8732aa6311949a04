import { ViewerError } from '../parts/fetch-file.ts';
import { type Block, boundedReading, type Reading } from './blocks.ts';
import { CompoundFile } from './compound-file.ts';

/** Places in the header of a Word file ([MS-DOC], section 2.5). */
const header = {
  magic: 0xa5ec,
  flags: 0x0a,
  textLength: 0x4c,
  paragraphs: 0x102,
  pieces: 0x1a2,
} as const;
/** The parts of the text behind the main one, in their order (section 2.5.4); headers are no text of the document. */
const parts = ['', 'Footnotes', undefined, undefined, 'Comments', 'Endnotes', 'Text boxes'];

/** Text that is stored in one place. */
interface Piece {
  text: string;
  /** Where its first character is in the stream, and how many bytes each one has. */
  start: number;
  width: 1 | 2;
}

interface ParagraphLook {
  /** Where its characters end in the stream. */
  end: number;
  style: number;
  isInTable: boolean;
  endsRow: boolean;
}

/**
 * The text of a Word file of 97 to 2003, with its headings, lists and tables.
 * @throws ViewerError if it is older, locked or damaged
 */
export function readBinaryWord(bytes: Uint8Array<ArrayBuffer>): Reading {
  const file = new CompoundFile(bytes);
  const main = file.stream('WordDocument');
  if (main === undefined || main.length < header.pieces + 8) throw damaged();
  const view = viewOf(main);
  const flags = view.getUint16(header.flags, true);
  if (view.getUint16(0, true) !== header.magic) throw damaged();
  if ((flags & 0x100) !== 0) throw new ViewerError('The file is protected by a password.');
  const table = file.stream((flags & 0x200) === 0 ? '0Table' : '1Table');
  if (table === undefined) throw damaged();
  const pieces = piecesOf(main, view, table);
  const looks = looksOf(main, view, table);
  const all = charactersOf(pieces);
  const sections = [];
  let from = 0;
  for (const [index, title] of parts.entries()) {
    const length = view.getInt32(header.textLength + 4 * index, true);
    const until = from + Math.max(0, length);
    const blocks = title === undefined ? [] : blocksOf(all, looks, { from, until });
    if (blocks.length > 0) sections.push({ title: title ?? '', blocks });
    from = until;
  }
  return boundedReading(sections);
}

function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(): ViewerError {
  return new ViewerError('The file is damaged, or its content does not match its name.');
}

/** The pieces of the text, behind properties that are not needed (section 2.9.38). */
function piecesOf(
  main: Uint8Array<ArrayBuffer>,
  view: DataView,
  table: Uint8Array<ArrayBuffer>,
): Piece[] {
  const tableView = viewOf(table);
  let at = view.getUint32(header.pieces, true);
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
    const isCompressed = (place & 0x40000000) !== 0;
    const start = isCompressed ? (place & 0x3fffffff) / 2 : place & 0x3fffffff;
    const width = isCompressed ? 1 : 2;
    const bytes = main.subarray(start, start + Math.max(0, length) * width);
    const text = new TextDecoder(isCompressed ? 'windows-1252' : 'utf-16le').decode(bytes);
    return { text, start, width };
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
function looksOf(
  main: Uint8Array<ArrayBuffer>,
  view: DataView,
  table: Uint8Array<ArrayBuffer>,
): Map<number, ParagraphLook> {
  const looks = new Map<number, ParagraphLook>();
  const first = view.getUint32(header.paragraphs, true);
  const count = Math.floor((view.getUint32(header.paragraphs + 4, true) - 4) / 8);
  const tableView = viewOf(table);
  for (let index = 0; index < count; index += 1) {
    const at = first + 4 * (count + 1) + 4 * index;
    if (at + 4 > table.length) break;
    const page = (tableView.getUint32(at, true) & 0x3fffff) * 512;
    if (page + 512 > main.length) continue;
    for (const look of looksOfPage(main.subarray(page, page + 512))) looks.set(look.end, look);
  }
  return looks;
}

function looksOfPage(page: Uint8Array<ArrayBuffer>): ParagraphLook[] {
  const view = viewOf(page);
  const count = Math.min(page[511] ?? 0, 29);
  return Array.from({ length: count }, (_, index) => {
    const end = view.getUint32(4 * (index + 1), true);
    const at = 2 * (page[4 * (count + 1) + 13 * index] ?? 0);
    const isLong = page[at] === 0;
    const start = at + (isLong ? 2 : 1);
    const size = isLong ? 2 * (page[at + 1] ?? 0) : 2 * (page[at] ?? 0) - 1;
    const properties = at === 0 ? page.subarray(0, 0) : page.subarray(start, start + size);
    const style = (properties[0] ?? 0) + 256 * (properties[1] ?? 0);
    return { end, style, ...tableLookOf(properties.subarray(2)) };
  });
}

/** Lengths of operands by the three highest bits of a property's number (section 2.2.5.1). */
const operandBytes = [1, 1, 2, 4, 2, 2, 0, 3];
const inTable = 0x2416;
const rowEnd = 0x2417;

function tableLookOf(properties: Uint8Array<ArrayBuffer>) {
  const view = viewOf(properties);
  const look = { isInTable: false, endsRow: false };
  for (let at = 0; at + 2 < properties.length; ) {
    const name = view.getUint16(at, true);
    const isOn = properties[at + 2] === 1;
    if (name === inTable) look.isInTable = isOn;
    if (name === rowEnd) look.endsRow = isOn;
    const fixed = operandBytes[name >> 13] ?? 0;
    at += 2 + (fixed || 1 + (properties[at + 2] ?? 0));
  }
  return look;
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

/** Puts cells and rows together as they end. */
class BlockWriter {
  readonly #blocks: Block[] = [];
  #rows: Block[][][] = [];
  #cells: Block[][] = [];
  #cell: Block[] = [];

  add(words: string, mark: string, look: ParagraphLook | undefined): void {
    const made = blockOf(shownWords(words), look?.style ?? 0);
    if (look?.isInTable !== true && mark !== '\u0007') {
      this.end();
      this.#blocks.push(...made);
    } else if (look?.endsRow === true) {
      this.#rows.push(this.#cells);
      this.#cells = [];
    } else {
      this.#cell.push(...made);
      if (mark === '\u0007') this.#endCell();
    }
  }

  /** All blocks; a table that has not ended ends here. */
  end(): Block[] {
    if (this.#cell.length > 0) this.#endCell();
    if (this.#cells.length > 0) this.#rows.push(this.#cells);
    if (this.#rows.length > 0) this.#blocks.push({ kind: 'table', rows: this.#rows });
    [this.#rows, this.#cells] = [[], []];
    return this.#blocks;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = [];
  }
}

/** The styles with the numbers 1 to 9 are those of headings (section 2.7.2). */
function blockOf(text: string, style: number): Block[] {
  if (text.trim() === '') return [];
  const runs = [{ text }];
  return style >= 1 && style <= 9
    ? [{ kind: 'heading', level: Math.min(6, style), runs }]
    : [{ kind: 'paragraph', runs }];
}

/** Without the instructions of fields, and marks of pictures and notes (section 2.8.25). */
function shownWords(text: string): string {
  const fields: ('instruction' | 'result')[] = [];
  let shown = '';
  for (const character of text) {
    const code = character.charCodeAt(0);
    if (code === 0x13) fields.push('instruction');
    else if (code === 0x14) fields[fields.length - 1] = 'result';
    else if (code === 0x15) fields.pop();
    else if (!fields.includes('instruction'))
      shown += written.get(code) ?? (code < 0x20 ? '' : character);
  }
  return shown;
}

/** Tab, line break and hyphen that does not break. */
const written = new Map([
  [0x09, '\u2003'],
  [0x0b, '\n'],
  [0x1e, '-'],
]);
