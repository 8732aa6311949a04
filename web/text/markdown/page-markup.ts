import { toHtml } from 'hast-util-to-html';
import { TooManySteps } from './count-steps.ts';
import { dressTree } from './dress-tree.ts';
import { sanitizeMarkup } from './sanitize-tree.ts';

/** HTML of others without anything that runs, styles the page or loads; `undefined` if it has too many elements. */
export function pageMarkup(html: string): string | undefined {
  try {
    const tree = sanitizeMarkup(html);
    dressTree(tree);
    return toHtml(tree);
  } catch (error) {
    if (error instanceof TooManySteps) return undefined;
    throw error;
  }
}
