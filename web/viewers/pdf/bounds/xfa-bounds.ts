/** What is read of an element that pdf.js makes of an XFA form. */
export interface XfaNode {
  /** The text of it. */
  value?: unknown;
  attributes?: object;
  children?: (XfaNode | null)[];
  /** It had more parts than a page may have, and has none now. */
  isCut?: true;
}

/**
 * How large the pages of a form may be. Each node becomes an element of the document, and a browser
 * lays out elements within each other by recursion.
 */
export const xfaBounds = {
  nodesOfPage: 20_000,
  nodes: 100_000,
  charactersOfPage: 1_000_000,
  depth: 100,
} as const;

/** Takes away the parts of the pages that are too large, and of every page after the last that fits. */
export function boundPages(form: XfaNode): void {
  let left: number = xfaBounds.nodes;
  for (const page of form.children ?? []) {
    if (page === null) continue;
    const nodes = nodesOf(page, Math.min(left, xfaBounds.nodesOfPage));
    if (nodes !== undefined) {
      left -= nodes;
      continue;
    }
    page.children = [];
    page.isCut = true;
  }
}

/** How many nodes a page has; `undefined` if it is too large. */
function nodesOf(page: XfaNode, most: number): number | undefined {
  const left: { node: XfaNode; depth: number }[] = [{ node: page, depth: 1 }];
  let nodes = 0;
  let characters = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, depth } = next;
    nodes += 1;
    characters += charactersOf(node);
    if (nodes > most || characters > xfaBounds.charactersOfPage || depth > xfaBounds.depth) {
      return undefined;
    }
    for (const child of node.children ?? []) {
      if (child !== null) left.push({ node: child, depth: depth + 1 });
    }
  }
  return nodes;
}

function charactersOf({ value, attributes = {} }: XfaNode): number {
  let characters = 0;
  for (const text of [value, ...Object.values(attributes)]) {
    if (typeof text === 'string') characters += text.length;
  }
  return characters;
}
