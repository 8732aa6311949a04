import { decodeAs } from '../../../core/content/guess-encoding.ts';
import { shownText } from './record-table.ts';
import {
  describePicture,
  newPicture,
  pictureMarkup,
  type RichPicture,
} from './rich-text-pictures.ts';
import type { PictureRoom } from './picture-room.ts';

/** Groups that hold no text of the document (Rich Text Format 1.9.1, "Destinations"). */
const hidden = new Set(
  'fonttbl colortbl stylesheet info objdata objclass objname background header footer headerl headerr headerf footerl footerr footerf listtable listpicture listoverridetable rsidtbl generator themedata colorschememapping latentstyles datastore fldinst xmlnstbl mmathPr nonshppict shprslt filetbl revtbl bkmkstart bkmkend'.split(
    ' ',
  ),
);

/** Texts and pictures inside of groups that a program without them leaves out. */
const shownGroups = new Set(['shptxt', 'dptxbxtext', 'shppict']);

const signs: ReadonlyMap<string, string> = new Map([
  ['line', '\n'],
  ['tab', '\t'],
  ['nestcell', '\t'],
  ['nestrow', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['bullet', '•'],
  ['emspace', ' '],
  ['enspace', ' '],
]);

interface State {
  isHidden: boolean;
  /** Whether nothing in it is shown, whatever its groups say. */
  isClosed: boolean;
  /** The picture of which it holds the bytes. */
  picture?: RichPicture | undefined;
  isBold: boolean;
  isItalic: boolean;
  /** Characters that follow a `\u` for programs without Unicode. */
  skipped: number;
}

const most = { depth: 500, characters: 1_000_000, pictures: 3_000_000 } as const;
const tokens =
  /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;

/**
 * The text of an RTF as paragraphs, with what is bold and italic, and its pictures; `undefined` if it is none.
 * @param isWhole whether all of the file is there
 * @param fits whether there is room for a markup; pictures are left out where there is not
 */
export function richTextMarkup(
  rtf: string,
  isWhole: boolean,
  fits: (markup: string) => boolean,
): string | undefined {
  if (!/^\s*\{\\rtf/.test(rtf)) return undefined;
  const markup = markupWithin(rtf, isWhole, most.pictures);
  return fits(markup) ? markup : markupWithin(rtf, isWhole, 0);
}

function markupWithin(rtf: string, isWhole: boolean, room: number): string {
  const reader = new RichTextReader(codePageOf(rtf), { characters: room });
  const scanner = new RegExp(tokens);
  for (let token = scanner.exec(rtf); token !== null; token = scanner.exec(rtf)) {
    if (!reader.read(token)) return reader.markup(false);
    scanner.lastIndex = reader.readDigits(rtf, scanner.lastIndex);
  }
  return reader.markup(isWhole);
}

function codePageOf(rtf: string): string {
  const [, page = '1252'] = /\\ansicpg(\d{3,5})/.exec(rtf.slice(0, 2000)) ?? [];
  const known: Readonly<Record<string, string>> = {
    932: 'shift_jis',
    936: 'gb18030',
    949: 'euc-kr',
    950: 'big5',
    10000: 'macintosh',
    65001: 'utf-8',
  };
  return known[page] ?? (/^12(?:5[0-8])$/.test(page) ? `windows-${page}` : 'windows-1252');
}

class RichTextReader {
  readonly #codePage: string;
  readonly #paragraphs: string[] = [];
  #open: State[] = [];
  #state: State = { isHidden: false, isClosed: false, isBold: false, isItalic: false, skipped: 1 };
  #line = '';
  /** The cells of the row that is read, and the rows before it. */
  #cells: string[] = [];
  #rows: string[] = [];
  #isInTable = false;
  #bytes: number[] = [];
  #toSkip = 0;
  #room: number = most.characters;
  readonly #pictureRoom: PictureRoom;

  constructor(codePage: string, pictureRoom: PictureRoom) {
    this.#codePage = codePage;
    this.#pictureRoom = pictureRoom;
  }

  /** False where no more is shown. */
  read([, word, number, hex, symbol, brace, text]: readonly (string | undefined)[]): boolean {
    if (hex !== undefined) {
      if (this.#toSkip > 0) this.#toSkip -= 1;
      else this.#bytes.push(Number.parseInt(hex, 16));
      return true;
    }
    this.#writeBytes();
    if (brace !== undefined) return this.#group(brace);
    if (text !== undefined) this.#text(text);
    if (symbol !== undefined) this.#symbol(symbol);
    if (word !== undefined) this.#word(word, number === undefined ? undefined : Number(number));
    return this.#room > 0;
  }

  /** Takes the digits of a picture, which are most of a file, at once; returns where they end. */
  readDigits(rtf: string, start: number): number {
    const { picture } = this.#state;
    if (picture === undefined) return start;
    const mark = /[\\{}]/g;
    mark.lastIndex = start;
    const end = mark.exec(rtf)?.index ?? rtf.length;
    picture.digits.push(rtf.slice(start, end));
    return end;
  }

  markup(isWhole: boolean): string {
    this.#writeBytes();
    this.#isInTable = false;
    this.#endParagraph();
    this.#endTable();
    const note = isWhole ? '' : '<p class="hint">The rest of this text is left out.</p>';
    return this.#paragraphs.join('\n') + note;
  }

  #group(brace: string): boolean {
    this.#toSkip = 0;
    if (brace === '{') this.#open.push({ ...this.#state });
    else {
      const { picture } = this.#state;
      this.#state = this.#open.pop() ?? this.#state;
      if (picture !== undefined && picture !== this.#state.picture) this.#show(picture);
    }
    return this.#open.length <= most.depth && this.#room > 0;
  }

  #symbol(symbol: string): void {
    if (symbol === '*') this.#hide();
    else if (symbol === '~') this.#write('\u00A0');
    else if (symbol === '_') this.#write('-');
    else if (/[\\{}]/.test(symbol)) this.#write(symbol);
    else if (/[\r\n]/.test(symbol)) this.#endParagraph();
  }

  #hide(): void {
    this.#state.isHidden = true;
    this.#state.picture = undefined;
  }

  #show(picture: RichPicture): void {
    const markup = pictureMarkup(picture, this.#pictureRoom);
    // A note instead of a picture is text.
    if (!markup.startsWith('<img')) this.#room -= markup.length;
    this.#line += markup;
  }

  #word(word: string, number: number | undefined): void {
    const { isClosed, picture } = this.#state;
    if (hidden.has(word)) {
      this.#hide();
      this.#state.isClosed = true;
    } else if (picture !== undefined) describePicture(picture, word, number);
    else if (isClosed) return;
    else if (word === 'pict')
      this.#state = { ...this.#state, isHidden: true, picture: newPicture() };
    else if (shownGroups.has(word)) this.#state.isHidden = false;
    else this.#wordOfText(word, number);
  }

  #wordOfText(word: string, number: number | undefined): void {
    if (word === 'u' && number !== undefined) {
      this.#write(String.fromCharCode(number & 0xffff));
      this.#toSkip = this.#state.skipped;
    } else if (word === 'uc') this.#state.skipped = Math.min(number ?? 1, 10);
    else if (word === 'b') this.#state.isBold = number !== 0;
    else if (word === 'i') this.#state.isItalic = number !== 0;
    else if (word === 'plain') Object.assign(this.#state, { isBold: false, isItalic: false });
    else this.#layout(word);
  }

  #layout(word: string): void {
    if (word === 'intbl' || word === 'pard') this.#isInTable = word === 'intbl';
    else if (word === 'cell') this.#endCell();
    else if (word === 'row') this.#endRow();
    else if (/^(?:par|sect|page)$/.test(word)) this.#endParagraph();
    else this.#write(signs.get(word) ?? '');
  }

  #text(text: string): void {
    const skipped = Math.min(this.#toSkip, text.length);
    this.#toSkip -= skipped;
    this.#write(text.slice(skipped));
  }

  #writeBytes(): void {
    if (this.#bytes.length === 0) return;
    const text = decodeAs(this.#codePage, Uint8Array.from(this.#bytes));
    this.#bytes = [];
    this.#write(text);
  }

  #write(text: string): void {
    const { isHidden, isBold, isItalic } = this.#state;
    if (isHidden || text === '') return;
    this.#room -= text.length;
    const shown = shownText(text, most.characters).replaceAll('\t', '&emsp;');
    const strong = isBold ? `<strong>${shown}</strong>` : shown;
    this.#line += isItalic ? `<em>${strong}</em>` : strong;
  }

  #endParagraph(): void {
    if (this.#state.isHidden) return;
    if (this.#isInTable) {
      this.#line += '<br>';
      return;
    }
    if (this.#line.trim() === '') return;
    this.#endTable();
    this.#paragraphs.push(`<p>${this.#line}</p>`);
    this.#line = '';
  }

  #endCell(): void {
    if (this.#state.isHidden) return;
    this.#cells.push(`<td>${this.#line.replace(/(?<!<br>|\s)(?:<br>|\s)+$/, '')}</td>`);
    this.#line = '';
    this.#room -= tagCharacters;
  }

  /** The last cell of a row need not say that it ends. */
  #endRow(): void {
    if (this.#line.trim() !== '') this.#endCell();
    this.#keepRow();
  }

  #keepRow(): void {
    if (this.#cells.length > 0) this.#rows.push(`<tr>${this.#cells.join('')}</tr>`);
    this.#cells = [];
    this.#room -= tagCharacters;
  }

  /** Rows that follow each other are one table. */
  #endTable(): void {
    this.#keepRow();
    if (this.#rows.length > 0) this.#paragraphs.push(tableOfRows(this.#rows.join('')));
    this.#rows = [];
  }
}

/** The tags of a cell. */
const tagCharacters = 9;

const tableOfRows = (rows: string) =>
  `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><tbody>${rows}</tbody></table></div>`;
