import type { ElementContent, Root } from 'hast';
import { h } from './tree.ts';

/** A shorter text is laid out at once. */
const longBlocks = 200;
/** Paragraphs, lists, tables and the like: some screens of them. */
const blocksOfPart = 40;

/**
 * Puts the blocks of a long text into parts, each of which a browser lays out when it comes near the
 * viewport. The text, its order and its anchors stay.
 */
export function partLongText(tree: Root): void {
  const blocks = tree.children.filter(({ type }) => type === 'element');
  if (blocks.length < longBlocks) return;
  const parts: ElementContent[][] = [[]];
  let count = 0;
  for (const child of tree.children) {
    if (child.type === 'doctype') continue;
    if (child.type === 'element' && count === blocksOfPart) {
      parts.push([]);
      count = 0;
    }
    if (child.type === 'element') count += 1;
    parts.at(-1)?.push(child);
  }
  tree.children = parts.map((children) => ({ ...h('div', { className: ['part'] }), children }));
}
