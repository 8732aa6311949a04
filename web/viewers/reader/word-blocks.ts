import type { Block } from './blocks.ts';

/** What the properties of a paragraph say about its place. */
export interface ParagraphLook {
  /** Where its characters end in the stream. */
  end: number;
  style: number;
  isInTable: boolean;
  endsRow: boolean;
  /** Whether it is an item of a list, and how deep in it, from 0. */
  list?: { isIn: boolean; level: number };
}

/** Puts cells and rows together as they end. */
export class BlockWriter {
  readonly #blocks: Block[] = [];
  #rows: Block[][][] = [];
  #cells: Block[][] = [];
  #cell: Block[] = [];

  add(words: string, mark: string, look: ParagraphLook | undefined): void {
    const made = blockOf(shownWords(words), look);
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
function blockOf(text: string, look: ParagraphLook | undefined): Block[] {
  if (text.trim() === '') return [];
  const runs = [{ text }];
  const { style = 0, list } = look ?? {};
  if (style >= 1 && style <= 9) return [{ kind: 'heading', level: Math.min(6, style), runs }];
  return list?.isIn === true
    ? [{ kind: 'item', level: 1 + Math.min(8, list.level), runs }]
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
