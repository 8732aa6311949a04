import { type DrawingElement, readElements } from './read-elements.ts';

/** What a drawing has, and what is drawn for it. */
export interface DrawnCount {
  own: number;
  /** `Infinity` where elements are too deep to be counted, or come from entities. */
  drawn: number;
}

/**
 * How many elements a browser draws for a drawing: a `use` stands for a copy of what it names
 * (SVG 2, section 5.6), so that a few levels of them stand for billions.
 */
export function countDrawn(svg: string): DrawnCount {
  try {
    const { elements, isFromEntities } = readElements(svg);
    return { own: elements.length, drawn: isFromEntities ? Infinity : drawnOf(elements) };
  } catch (error) {
    if (error instanceof RangeError) return { own: 0, drawn: Infinity };
    throw error;
  }
}

function drawnOf(elements: readonly DrawingElement[]): number {
  const byId = new Map<string, number>();
  for (const [index, { id }] of elements.entries()) {
    if (id !== undefined && !byId.has(id)) byId.set(id, index);
  }
  const counts = new Map<number, number>();
  const countOf = (index: number): number => {
    const known = counts.get(index);
    if (known !== undefined) return known;
    // An element that contains itself is not drawn again.
    counts.set(index, 0);
    const { children = [], uses } = elements[index] ?? {};
    const used = uses === undefined ? undefined : byId.get(uses);
    let count = used === undefined ? 1 : 1 + countOf(used);
    for (const child of children) count += countOf(child);
    counts.set(index, count);
    return count;
  };
  return elements.length === 0 ? 0 : countOf(0);
}
