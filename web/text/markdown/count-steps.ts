import type { MarkdownIt } from 'markdown-it';

/** A text needs more work than any real one does. */
export class TooManySteps extends Error {}

/** Quotes and lists within each other. */
const mostNesting = 100;

/** Characters that the rules of one step can look at in about the time that the step itself takes. */
const charsOfStep = 4096;

/**
 * Makes `md` throw TooManySteps when a text takes more than `most` steps.
 *
 * A step is one call of the rules, for a line or for a place in a line, and weighs more where much
 * text follows that a rule may search. Steps are counted and not timed, so that a text is shown the
 * same way on every processor.
 */
export function limitSteps(md: MarkdownIt, most: number): void {
  let steps = 0;
  const count = (chars: number): false => {
    steps += 1 + chars / charsOfStep;
    if (steps > most) throw new TooManySteps();
    return false;
  };
  md.core.ruler.before('normalize', 'count from zero', () => {
    steps = 0;
  });
  // The parser would leave out what is deeper, and say nothing.
  md.set({ maxNesting: 2 * mostNesting });
  md.block.ruler.before('table', 'count steps', ({ level }) => {
    if (level >= mostNesting) throw new TooManySteps();
    return count(0);
  });
  md.inline.ruler.before('text', 'count steps', ({ pos, posMax }) => count(posMax - pos));
}

/** Elements that the next element of the same name closes. */
const closedByNext = new Set(
  'p li td th tr dt dd option br hr img input wbr col source area link meta'.split(' '),
);
const formats = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '));
/** Elements within each other: a parser takes the square of it, and others walk the tree by calling themselves. */
export const mostDepth = 500;

/**
 * Throws TooManySteps if `markup` would make more than `most` elements, or a tree too deep to walk.
 *
 * A parser opens formats again in every paragraph (HTML, "reconstruct the active formatting
 * elements"), so that every tag can make as many elements as formats are open there. They are
 * counted before anything is parsed.
 */
export function checkSize(markup: string, most: number): void {
  const open = new Map<string, number>();
  let depth = 0;
  let openFormats = 0;
  let elements = 0;
  for (const [, slash, tag = ''] of markup.matchAll(/<(\/?)([a-z][^\s/>]*)/gi)) {
    elements += 1 + openFormats;
    if (elements > most || depth > mostDepth) throw new TooManySteps();
    const name = tag.toLowerCase();
    const count = open.get(name) ?? 0;
    if (closedByNext.has(name) || (slash === '/' && count === 0)) continue;
    const step = slash === '/' ? -1 : 1;
    open.set(name, count + step);
    depth += step;
    if (formats.has(name)) openFormats += step;
  }
}
