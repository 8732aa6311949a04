import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';

declare module 'markdown-it' {
  interface Env {
    /** Lines of which none ends a comment. */
    unended?: { from: number; to: number };
  }
}

const longest = 2000;
/** Between words: `a==b` and `50%%` are no marks. */
const marks = [
  [/^==(?=[^\s=])([^=\n]*[^\s=])==(?![\w=])/, /[\w=]/],
  [/^%%(?=[^%])([^%]*)%%(?!\S)/, /\S/],
] as const;

/**
 * Reads what notes of a vault have beside Markdown (Obsidian): `==words==` are highlighted, and a comment between
 * `%%` is not shown.
 */
export function readVaultMarks(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'vault marks', readMark);
  md.block.ruler.before('fence', 'vault comment', readComment, { alt: ['paragraph'] });
}

function readMark(state: StateInline, silent: boolean): boolean {
  const text = state.src.slice(state.pos, Math.min(state.posMax, state.pos + longest));
  const before = state.src[state.pos - 1] ?? '';
  const [found, words = ''] =
    marks.find(([mark, word]) => mark.test(text) && !word.test(before))?.[0].exec(text) ?? [];
  if (found === undefined) return false;
  const end = state.posMax;
  if (!silent && found.startsWith('==')) {
    state.push('mark_open', 'mark', 1);
    state.pos += 2;
    state.posMax = state.pos + words.length;
    state.md.inline.tokenize(state);
    state.push('mark_close', 'mark', -1);
    state.pos += 2;
    state.posMax = end;
  } else state.pos += found.length;
  return true;
}

/**
 * From a line that begins with `%%` and does not end so to the next that ends so. Where none ends so, `env` knows it,
 * so that the next line that begins so does not look through all the others again.
 */
function readComment(state: StateBlock, first: number, last: number, silent: boolean): boolean {
  const { unended } = state.env;
  if (unended !== undefined && first >= unended.from && last <= unended.to) return false;
  const lineAt = (line: number) => state.getLines(line, line + 1, 0, false).trim();
  const start = lineAt(first);
  if (!start.startsWith('%%') || start.indexOf('%%', 2) !== -1) return false;
  for (let line = first + 1; line < last; line += 1) {
    if (!lineAt(line).endsWith('%%')) continue;
    if (!silent) state.line = line + 1;
    return true;
  }
  state.env.unended = { from: first, to: last };
  return false;
}
