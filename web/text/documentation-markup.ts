import MarkdownItCallable, { type Token } from 'markdown-it';
import { alignCells, fence, nameHeadings } from './markdown.ts';

/** A page of the documentation as markup, and the headings that its contents list shows. */
export interface DocumentationMarkup {
  markup: string;
  headings: readonly DocumentationHeading[];
}

/** One heading of the second level. */
export interface DocumentationHeading {
  id: string;
  text: string;
}

/**
 * Renders our own Markdown. A link to another page of the documentation leads to that page on the
 * service: `static-hosting.md#limits` to `/docs/static-hosting#limits`.
 */
export function documentationMarkup(text: string): DocumentationMarkup {
  const md = new MarkdownItCallable({ html: false, highlight: fence });
  nameHeadings(md);
  alignCells(md);
  md.core.ruler.push('link pages', ({ tokens }) => linkPages(tokens));
  // A block that scrolls must be reachable by keyboard.
  md.renderer.rules['table_open'] = () =>
    '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n';
  md.renderer.rules['table_close'] = () => '</table></div>\n';
  const plainFence = md.renderer.rules['fence'];
  md.renderer.rules['fence'] = (...parts) =>
    (plainFence?.(...parts) ?? '').replace(
      /^<pre>/,
      '<pre tabindex="0" role="group" aria-label="Code">',
    );
  const tokens = md.parse(text, {});
  return { markup: md.renderer.render(tokens, md.options, {}), headings: headingsOf(tokens) };
}

function linkPages(tokens: readonly Token[]): void {
  for (const link of tokens.flatMap(({ children }) => children ?? [])) {
    const [, page, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(String(link.attrGet('href'))) ?? [];
    if (page !== undefined) link.attrSet('href', `/docs/${page}${anchor}`);
  }
}

function headingsOf(tokens: readonly Token[]): DocumentationHeading[] {
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open' || token.tag !== 'h2') return [];
    const words = tokens[index + 1]?.children ?? [];
    const text = words.map(({ content }) => content).join('');
    return [{ id: String(token.attrGet('id')), text }];
  });
}
