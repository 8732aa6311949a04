import type { Element, ElementContent, Nodes, Parents, Properties } from 'hast';

/** An element of a tree of markup. */
export function h(
  tagName: string,
  properties: Properties,
  ...children: (ElementContent | string)[]
): Element {
  return {
    type: 'element',
    tagName,
    properties,
    children: children.map((child) =>
      typeof child === 'string' ? { type: 'text', value: child } : child,
    ),
  };
}

/** Its text, without markup. */
export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

/** Replaces every element below `parent`, inner ones first, by what `change` gives for it. */
export function replaceElements(
  parent: Parents,
  change: (element: Element, ancestors: readonly string[]) => ElementContent,
  ancestors: readonly string[] = [],
): void {
  for (const [index, child] of parent.children.entries()) {
    if (child.type !== 'element') continue;
    replaceElements(child, change, [...ancestors, child.tagName]);
    parent.children[index] = change(child, ancestors);
  }
}
