import { escaped, revealInvisible } from '../pages/parts/html.ts';
import { highlight } from './highlight.ts';
import { runWithTimeout } from '../../core/run-with-timeout.ts';

/** Code as it can be shown: its markup, and how much of it had to be left out. */
export interface CodeMarkup {
  markup: string;
  /** False where the page's script numbers the lines, because there are too many. */
  isNumbered: boolean;
  isCut: boolean;
}

/** Longer code is not highlighted. */
export const highlightedChars = 512 * 1024;
const numberedLines = 20_000;
const highlightMs = 1500;

/**
 * Bytes of markup as JSON, the form of a function's response. With the rest of the page it stays below
 * 6 MB (AWS Lambda quota).
 */
const mostBytes = 4_500_000;

/**
 * Code as markup, in the best form that fits into a response: highlighted, with line numbers,
 * plain, or only its start.
 *
 * @param language a name from `languageOf`
 * @param limitMs after this time the code is not highlighted
 */
export function codeMarkup(
  text: string,
  language: string | undefined,
  limitMs = highlightMs,
): CodeMarkup {
  // Markup is never shorter than its text, so no more than this is ever shown.
  const start = text.slice(0, mostBytes);
  const shown = revealInvisible(start.endsWith('\n') ? start.slice(0, -1) : start);
  const lines = lineCount(shown);
  const isShort = lines <= numberedLines;
  const isHighlighted = isShort && shown.length <= highlightedChars;
  const markup =
    (isHighlighted ? highlightedText(shown, language, limitMs) : undefined) ??
    (isShort ? numberedText(shown, lines) : undefined);
  if (markup !== undefined) return { markup, isNumbered: true, isCut: false };
  return plain(shown, mostBytes - Math.ceil(lines / blockLines) * blockBytes);
}

/** Code in colours with numbered lines; `undefined` if that takes too long or does not fit into a response. */
function highlightedText(
  text: string,
  language: string | undefined,
  limitMs: number,
): string | undefined {
  if (language === undefined) return undefined;
  const inWords = runWithTimeout(limitMs, () => highlight(text, language));
  const lines = inWords === undefined ? undefined : linesOf(inWords);
  const markup = lines && numbered(lines);
  return markup !== undefined && fits(markup) ? markup : undefined;
}

/** A text with numbered lines; `undefined` if that does not fit into a response. */
function numberedText(text: string, lines: number): string | undefined {
  if (charsWithin(text, mostBytes - lines * lineBytes) < text.length) return undefined;
  const markup = numbered(escaped(text).split('\n'));
  return fits(markup) ? markup : undefined;
}

/** Bytes of the markup around a line with a number, and around a block of lines without, as JSON: about. */
const lineBytes = 100;
const blockBytes = 80;
/** Lines of a block without numbers. */
const blockLines = 500;

/** How many characters of a text fit into so many bytes of markup as JSON: a large text is not written to find out. */
function charsWithin(text: string, bytes: number): number {
  let left = bytes;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    left -= code < 128 ? (bytesOf[code] ?? 1) : code < 0x800 ? 2 : 3;
    if (left < 0) return at;
  }
  return text.length;
}

/** Bytes of the characters that markup or JSON write in another way; control characters as `\u0001`. */
const bytesOf: readonly number[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return JSON.stringify(escaped(character)).length - 2;
});

function plain(text: string, bytes: number): CodeMarkup {
  let rest = text.slice(0, charsWithin(text, bytes));
  let markup = unnumbered(rest);
  while (!fits(markup)) {
    rest = rest.slice(0, Math.floor(rest.length / 2));
    markup = unnumbered(rest);
  }
  return { markup, isNumbered: false, isCut: rest.length < text.length };
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Whether a page with this markup fits into a response of a function. */
export function fits(markup: string): boolean {
  return markup.length <= mostBytes && Buffer.byteLength(JSON.stringify(markup)) <= mostBytes;
}

/** A link for every line, for the pointer alone: the Tab key must not stop at each line. */
function numbered(lines: string[]): string {
  const marked = lines.map(
    (line, index) =>
      `<span class="line" id="L${index + 1}"><a href="#L${index + 1}" data-n="${index + 1}" tabindex="-1" aria-hidden="true"></a>${line}\n</span>`,
  );
  return blocksOf(marked, 100)
    .map(
      (block) => `<span class="${block.isWhole ? 'block' : 'rest'}">${block.lines.join('')}</span>`,
    )
    .join('');
}

/** Lines that the page's script numbers when they come near the viewport; `data-first` is the first one's number. */
function unnumbered(text: string): string {
  return blocksOf(escaped(text).split('\n'), blockLines)
    .map(
      ({ lines, first, isWhole }) =>
        `<span class="${isWhole ? 'block many' : 'rest many'}" data-first="${first}">${lines.join('\n')}\n</span>`,
    )
    .join('');
}

/**
 * Browsers lay out a block when it comes near the viewport, at the height of so many lines before.
 * The last one is shorter.
 */
function blocksOf(lines: readonly string[], length: number) {
  return Array.from({ length: Math.ceil(lines.length / length) }, (_, index) => {
    const block = lines.slice(index * length, (index + 1) * length);
    return { lines: block, first: index * length + 1, isWhole: block.length === length };
  });
}

/**
 * Splits highlighted markup at its line feeds; a span that continues is closed and opened again. `undefined` where that
 * is more than a response has room for: a thousand open spans would be written in every line.
 */
function linesOf(markup: string): string[] | undefined {
  const lines: string[] = [];
  const open: string[] = [];
  let line = '';
  let chars = 0;
  for (const [token] of markup.matchAll(/<span [^<>]*>|<\/span>|\n|[^<\n]+|</g)) {
    if (token === '\n') {
      lines.push(line + '</span>'.repeat(open.length));
      line = open.join('');
      chars += line.length;
      if (chars > mostBytes) return undefined;
      continue;
    }
    if (token === '</span>') open.pop();
    else if (token.startsWith('<span ')) open.push(token);
    line += token;
  }
  return [...lines, line];
}
