import { decodeAs } from '../../../core/content/guess-encoding.ts';
import { shownText } from './record-table.ts';

/** Groups that hold no text of the document (Rich Text Format 1.9.1, "Destinations"). */
const hidden = new Set(
  'fonttbl colortbl stylesheet info pict object header footer headerl headerr footerl footerr listtable listoverridetable rsidtbl generator themedata colorschememapping latentstyles datastore fldinst xmlnstbl mmathPr nonshppict filetbl revtbl bkmkstart bkmkend'.split(
    ' ',
  ),
);

const signs: ReadonlyMap<string, string> = new Map([
  ['line', '\n'],
  ['tab', '\t'],
  ['cell', '\t'],
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
  isBold: boolean;
  isItalic: boolean;
  /** Characters that follow a `\u` for programs without Unicode. */
  skipped: number;
}

const most = { depth: 500, characters: 1_000_000 } as const;
const tokens =
  /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;

/** The text of an RTF as paragraphs, with what is bold and italic; `undefined` if it is none. */
export function richTextMarkup(rtf: string): string | undefined {
  if (!/^\s*\{\\rtf/.test(rtf)) return undefined;
  const reader = new RichTextReader(codePageOf(rtf));
  for (const token of rtf.matchAll(tokens)) if (!reader.read(token)) break;
  return reader.markup();
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
  #state: State = { isHidden: false, isBold: false, isItalic: false, skipped: 1 };
  #line = '';
  #bytes: number[] = [];
  #toSkip = 0;
  #room: number = most.characters;

  constructor(codePage: string) {
    this.#codePage = codePage;
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

  markup(): string {
    this.#writeBytes();
    this.#endParagraph();
    const note = this.#room > 0 ? '' : '<p class="hint">The rest of this text is left out.</p>';
    return this.#paragraphs.join('\n') + note;
  }

  #group(brace: string): boolean {
    this.#toSkip = 0;
    if (brace === '{') this.#open.push({ ...this.#state });
    else this.#state = this.#open.pop() ?? this.#state;
    return this.#open.length <= most.depth;
  }

  #symbol(symbol: string): void {
    if (symbol === '*') this.#state.isHidden = true;
    else if (symbol === '~') this.#write('\u00A0');
    else if (symbol === '_') this.#write('-');
    else if (/[\\{}]/.test(symbol)) this.#write(symbol);
    else if (/[\r\n]/.test(symbol)) this.#endParagraph();
  }

  #word(word: string, number: number | undefined): void {
    if (hidden.has(word)) this.#state.isHidden = true;
    else if (word === 'u' && number !== undefined) {
      this.#write(String.fromCharCode(number & 0xffff));
      this.#toSkip = this.#state.skipped;
    } else if (word === 'uc') this.#state.skipped = Math.min(number ?? 1, 10);
    else if (word === 'b') this.#state.isBold = number !== 0;
    else if (word === 'i') this.#state.isItalic = number !== 0;
    else if (word === 'plain') Object.assign(this.#state, { isBold: false, isItalic: false });
    else if (/^(?:par|row|sect|page)$/.test(word)) this.#endParagraph();
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
    if (this.#line.trim() !== '') this.#paragraphs.push(`<p>${this.#line}</p>`);
    this.#line = '';
  }
}
