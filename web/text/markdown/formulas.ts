import type { MarkdownIt } from 'markdown-it';
import temml from 'temml';

/** Longer formulas, and more of them, stay as they are written. */
const mostChars = 2000;

/**
 * Reads formulas as GitHub does: `$x$` in a line, `$$` around lines. They become code of the class
 * `math`, which `dressTree` sets.
 */
export function readFormulas(md: MarkdownIt): void {
  const escape = md.utils.escapeHtml;
  md.inline.ruler.before('escape', 'formula', (state, silent) => {
    const [whole, tex] = formulaAt(state.src, state.pos, state.posMax) ?? [];
    if (whole === undefined || tex === undefined) return false;
    if (!silent) {
      const token = state.push('formula', 'code', 0);
      token.content = tex;
      token.meta = { isBlock: whole.startsWith('$$') };
    }
    state.pos += whole.length;
    return true;
  });
  md.renderer.rules['formula'] = (tokens, index) => {
    const { content = '', meta } = tokens[index] ?? {};
    return `<code class="math${meta?.isBlock === true ? ' block' : ''}">${escape(content)}</code>`;
  };
}

/**
 * A formula starts with a dollar sign before a word and ends with one after a word, so that prices
 * stay prices.
 */
function formulaAt(source: string, at: number, end: number): [string, string] | undefined {
  if (source[at] !== '$' || /[\w$\\]/.test(source[at - 1] ?? '')) return undefined;
  const text = source.slice(at, Math.min(end, at + mostChars));
  const found =
    /^\$\$(?!\s*\$)([^$]+)\$\$/.exec(text) ??
    /^\$((?!\s)(?:[^$\\]|\\.)+?)(?<![\s\\])\$(?![\w$])/.exec(text);
  return found?.[1] === undefined ? undefined : [found[0], found[1].trim()];
}

/** Commands that define others, whose text may come again with each use. */
const definition = /\\(?:[gex]?def|let|futurelet|(?:new|renew|provide)command)(?![A-Za-z])/;
/** How often commands are replaced, and what those of the author may become. */
const mostExpansions = 200;
const mostDefinedChars = 10_000;

/** A formula as MathML, which needs no script, font or style; `undefined` where it cannot be set. */
export function setFormula(tex: string, isBlock: boolean): string | undefined {
  if (tex.length > mostChars) return undefined;
  const maxExpand = definition.test(tex)
    ? Math.min(mostExpansions, Math.floor(mostDefinedChars / tex.length))
    : mostExpansions;
  try {
    return temml.renderToString(tex, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      maxExpand,
      maxSize: [20, 500],
    });
  } catch {
    return undefined;
  }
}
