import type { TextMarkup } from '../../../core/visit/text-markup.ts';
import type { Page } from '../parts/page.ts';
import { codePage } from './code-page.ts';
import { markdownPage } from './markdown-page.ts';
import type { Viewed } from './viewer-page.ts';

/** The page of a file of text, around its markup. */
export function textPage(viewed: Viewed, text: TextMarkup): Page {
  return text.kind === 'markdown' ? markdownPage(viewed, text.markup) : codePage(viewed, text);
}
