import type { Element, Parents, Root } from 'hast';
import { h, textOf } from './tree.ts';

/** The anchor that the words of a heading make, as on GitHub. */
export function anchorOf(words: string): string {
  const name = words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  return name || 'section';
}

/** Gives every heading its anchor, numbered where it comes again. */
export function headingNames(): (words: string) => string {
  const seen = new Map<string, number>();
  return (words) => {
    const name = anchorOf(words);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  };
}

/** A text with fewer headings needs no list of its contents, and one with more no longer list. */
const listed = { least: 4, most: 300 };

/** Names the headings of a text and puts the list of its contents above it. */
export function listContents(tree: Root): void {
  const headings = headingsIn(tree);
  const nameOf = headingNames();
  for (const heading of headings) heading.properties['id'] ??= nameOf(textOf(heading));
  if (headings.length < listed.least) return;
  const items = headings
    .slice(0, listed.most)
    .filter((heading) => /^h[1-4]$/.test(heading.tagName) && textOf(heading).trim() !== '')
    .map((heading) => {
      const link = h('a', { href: `#${String(heading.properties['id'])}` }, textOf(heading).trim());
      return h('li', { className: [`of-${heading.tagName}`] }, link);
    });
  const list = h('details', {}, h('summary', {}, 'Contents'), h('ul', {}, ...items));
  tree.children.unshift(h('nav', { className: ['contents'], ariaLabel: 'Contents' }, list));
}

function headingsIn(parent: Parents): Element[] {
  return parent.children.flatMap((child) => {
    if (child.type !== 'element') return [];
    return /^h[1-6]$/.test(child.tagName) ? [child] : headingsIn(child);
  });
}
