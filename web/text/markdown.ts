import MarkdownItCallable, { type MarkdownIt, type Token } from 'markdown-it';
import { revealInvisible } from '../pages/parts/html.ts';
import { highlight, languageOf } from './highlight.ts';
import { runWithTimeout } from './run-with-timeout.ts';

/** Longer texts are shown as they are written. */
export const markdownChars = 512 * 1024;
const renderMs = 2000;
const mostChars = 3_000_000;

const fenceChars = 64 * 1024;

/**
 * Markdown as markup, or `undefined` where that takes too long or becomes too much.
 *
 * No HTML of its author's gets through, no link runs anything, and nothing is fetched: a picture from
 * elsewhere becomes a link to it.
 */
export function markdownMarkup(text: string, limitMs = renderMs): string | undefined {
  if (text.length > markdownChars) return undefined;
  const markup = runWithTimeout(limitMs, () => renderer().render(revealInvisible(text)));
  return markup === undefined || markup.length > mostChars ? undefined : markup;
}

function renderer(): MarkdownIt {
  const md = new MarkdownItCallable({ html: false, linkify: true, highlight: fence });
  md.validateLink = isHarmless;
  md.linkify.set({ fuzzyEmail: false });
  nameHeadings(md);
  markLinks(md);
  alignCells(md);
  const escape = md.utils.escapeHtml;
  md.renderer.rules['image'] = (tokens, index) => picture(tokens[index], escape);
  md.renderer.rules['table_open'] = () =>
    '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>\n';
  md.renderer.rules['table_close'] = () => '</table></div>\n';
  return md;
}

/** Empty for what has no language we know: markdown-it then escapes it itself. */
export function fence(code: string, word: string): string {
  const language = languageOf(word);
  return language === undefined || code.length > fenceChars ? '' : highlight(code, language);
}

const embedded = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i;
const scheme = /^[\s\u0000-\u001f]*([a-z][a-z0-9+.-]*):/i; // oxlint-disable-line no-control-regex -- browsers skip them before a scheme

/** Addresses that only lead somewhere: the list is of what may be, not of what may not. */
function isHarmless(address: string): boolean {
  const [, name] = scheme.exec(address) ?? [];
  if (name === undefined || embedded.test(address)) return true;
  return ['http', 'https', 'mailto', 'tel'].includes(name.toLowerCase());
}

function markLinks(md: MarkdownIt): void {
  md.core.ruler.push('mark links', ({ tokens }) => {
    for (const link of tokens.flatMap(({ children }) => children ?? [])) {
      if (link.type !== 'link_open') continue;
      // An embedded picture may be shown, not opened.
      if (embedded.test(String(link.attrGet('href')))) link.attrSet('href', '#');
      link.attrSet('rel', 'nofollow noopener');
    }
  });
}

/** Columns are aligned by a class: the policy lets no `style` through. */
export function alignCells(md: MarkdownIt): void {
  md.core.ruler.push('align cells', ({ tokens }) => {
    for (const cell of tokens) {
      const [, side] = /^text-align:(\w+)$/.exec(String(cell.attrGet('style'))) ?? [];
      if (side !== undefined) cell.attrs = [['class', `to-${side}`]];
    }
  });
}

/** The project has no other file: a relative picture is missing, a foreign one is not asked for. */
function picture(token: Token | undefined, escape: (text: string) => string): string {
  const address = String(token?.attrGet('src') ?? '');
  const words = escape(token?.content ?? '');
  if (embedded.test(address)) return `<img src="${escape(address)}" alt="${words}">`;
  if (!/^(?:https?:)?\/\//i.test(address))
    return `<span class="absent">${words || 'Picture'}</span>`;
  return `<a class="absent" href="${escape(address)}" rel="nofollow noopener">${words || escape(address)}</a>`;
}

/** Every heading gets the anchor that its words make, numbered where it comes again. */
export function nameHeadings(md: MarkdownIt): void {
  md.core.ruler.push('name headings', ({ tokens }) => {
    const seen = new Map<string, number>();
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      const name = anchorOf(tokens[index + 1]?.children ?? []);
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      token.attrSet('id', count === 0 ? name : `${name}-${count}`);
    }
  });
}

function anchorOf(children: readonly Token[]): string {
  const words = children
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('');
  const name = words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  return name || 'section';
}
