import MarkdownItCallable, { type MarkdownIt } from 'markdown-it';
import { full as emoji } from 'markdown-it-emoji';
import footnotes from 'markdown-it-footnote';
import { toHtml } from 'hast-util-to-html';
import type { Root } from 'hast';
import { remoteAddress, type TakenFinder } from '../../core/content/taken-pictures.ts';
import type { FilesBeside, TextFile } from '../../core/content/text-file.ts';
import { escaped, revealInvisible } from '../pages/parts/html.ts';
import { fits } from './code-markup.ts';
import { highlight, languageOf } from './highlight.ts';
import { limitSteps, TooManySteps } from './markdown/count-steps.ts';
import { dressTree } from './markdown/dress-tree.ts';
import { readFormulas } from './markdown/formulas.ts';
import { headingNames, listContents } from './markdown/headings.ts';
import { partLongText } from './markdown/long-text.ts';
import { embedded } from './markdown/pictures.ts';
import { resolveNeighbours, resolveTaken } from './markdown/neighbours.ts';
import { sanitizeMarkup } from './markdown/sanitize-tree.ts';
import { replaceElements } from './markdown/tree.ts';
import { readVaultMarks } from './markdown/vault-marks.ts';
import { readWikiLinks } from './markdown/wiki-links.ts';
import { runWithTimeout } from '../../core/run-with-timeout.ts';

/** Longer texts are shown as they are written. */
export const markdownChars = 512 * 1024;
const mostSteps = 300_000;
const highlightMs = 2000;
const mostChars = 3_000_000;

const fenceChars = 64 * 1024;

/**
 * Markdown as GitHub shows it, or `undefined` where that takes too many steps or becomes too much.
 *
 * Of its author's HTML only what GitHub shows gets through, no link runs anything, and nothing is
 * fetched: a picture from elsewhere becomes a link to it, unless it was taken along.
 *
 * @param beside the files of its bundle, whose pictures are shown and to which `[[wiki links]]` lead
 * @param taken finds the pictures of other sites that its version has
 * @param limitMs after this time its code is not highlighted, with 0 never; the text itself is always set
 */
export function markdownMarkup(
  text: string,
  limitMs = highlightMs,
  beside?: FilesBeside,
  taken?: TakenFinder,
): string | undefined {
  if (text.length > markdownChars) return undefined;
  try {
    const markup = renderText(revealInvisible(text), limitMs, { beside, taken });
    return markup.length > mostChars || !fits(markup) ? undefined : markup;
  } catch (error) {
    if (error instanceof TooManySteps) return undefined;
    throw error;
  }
}

function renderText(
  text: string,
  limitMs: number,
  { beside, taken }: Pick<TextFile, 'beside' | 'taken'>,
): string {
  const { fields, language, body } = takeFrontMatter(text);
  const md = parser;
  const tokens = md.parse(body, { beside });
  const render = (options: MarkdownIt['options']) => md.renderer.render(tokens, options, {});
  // Only colours have this limit: a text without code is not set twice.
  const hasCode = tokens.some(({ type, info }) => type === 'fence' && info.trim() !== '');
  const markup =
    (hasCode && limitMs > 0
      ? runWithTimeout(limitMs, () => render({ ...md.options, highlight: fence }))
      : undefined) ?? render(md.options);
  const tree = treeOf(markup);
  if (beside !== undefined) resolveNeighbours(tree, beside.folderHref);
  if (taken !== undefined) resolveTaken(tree, taken);
  dressTree(tree);
  listContents(tree);
  partLongText(tree);
  const before = fields === undefined ? '' : frontMatter(fields, language, limitMs);
  return before + toHtml(tree);
}

function treeOf(markup: string): Root {
  if (markup.length > mostChars) throw new TooManySteps();
  return sanitizeMarkup(markup);
}

/** The pictures of other sites that a text shows, each address once; none where it is shown as source. */
export function remotePictures(text: string): string[] {
  const found = new Set<string>();
  if (text.length > markdownChars) return [];
  try {
    const tokens = parser.parse(takeFrontMatter(revealInvisible(text)).body, {});
    replaceElements(treeOf(parser.renderer.render(tokens, parser.options, {})), (element) => {
      const { src } = element.properties;
      const isPicture = element.tagName === 'img' && typeof src === 'string';
      const address = isPicture ? remoteAddress(src) : undefined;
      if (address !== undefined) found.add(address);
      return element;
    });
  } catch (error) {
    if (error instanceof TooManySteps) return [];
    throw error;
  }
  return [...found];
}

function frontMatter(fields: string, language: string, limitMs: number): string {
  const coloured =
    limitMs > 0 ? runWithTimeout(limitMs, () => highlight(fields, language)) : undefined;
  return `<details class="fields" dir="ltr"><summary>Front matter</summary><pre><code>${coloured ?? escaped(fields)}</code></pre></details>\n`;
}

/** Empty for what has no language we know: markdown-it then escapes it itself. */
export function fence(code: string, word: string): string {
  const language = languageOf(word);
  return language === undefined || code.length > fenceChars ? '' : highlight(code, language);
}

const scheme = /^[\s\u0000-\u001f]*([a-z][a-z0-9+.-]*):/i; // oxlint-disable-line no-control-regex -- browsers skip them before a scheme

/**
 * Whether an address only leads somewhere. The list names what is allowed, not what is forbidden.
 */
function isHarmless(address: string): boolean {
  const [, name] = scheme.exec(address) ?? [];
  if (name === undefined || embedded.test(address)) return true;
  return ['http', 'https', 'mailto', 'tel'].includes(name.toLowerCase());
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

/** Every heading gets the anchor that its words make, numbered where it comes again. */
export function nameHeadings(md: MarkdownIt): void {
  md.core.ruler.push('name headings', ({ tokens }) => {
    const nameOf = headingNames();
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      const children = tokens[index + 1]?.children ?? [];
      const words = children.map(({ type, content }) => (type === 'softbreak' ? ' ' : content));
      token.attrSet('id', nameOf(words.join('')));
    }
  });
}

/** Made once: making one takes longer than most texts do. It counts each text from zero. */
function makeParser(): MarkdownIt {
  const md = new MarkdownItCallable({ html: true, linkify: true });
  md.validateLink = isHarmless;
  md.linkify.set({ fuzzyEmail: false });
  md.use(footnotes).use(emoji, { shortcuts: {} });
  readFormulas(md);
  readWikiLinks(md);
  readVaultMarks(md);
  alignCells(md);
  limitSteps(md, mostSteps);
  return md;
}

const parser = makeParser();

/** The fields before a text, as site generators read them, and the text. */
interface FrontMatter {
  fields?: string;
  language: 'yaml' | 'ini';
  body: string;
}

const longest = 20_000;

/**
 * Takes `---` and YAML, or `+++` and TOML, off the start of a text. Prose between two horizontal rules is not front
 * matter.
 */
function takeFrontMatter(text: string): FrontMatter {
  const start = text.slice(0, longest);
  const [whole, fence, fields] = /^(---|\+\+\+)\n([\s\S]*?\n)\1[ \t]*(?:\n|$)/.exec(start) ?? [];
  if (whole === undefined || fields === undefined || !/^["\w-]+\s*[:=]/.test(fields)) {
    return { language: 'yaml', body: text };
  }
  return { fields, language: fence === '---' ? 'yaml' : 'ini', body: text.slice(whole.length) };
}
