import type { MarkdownIt } from 'markdown-it';
import { type DefaultTreeAdapterMap, defaultTreeAdapter, type TreeAdapter } from 'parse5';

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

/** Elements within each other: a parser takes the square of it, and others walk the tree by calling themselves. */
const mostDepth = 500;
/** More elements than a page of text has. */
const mostElements = 400_000;

/**
 * Makes a parser of HTML throw TooManySteps for too many elements, and for a tree too deep to walk. It counts what
 * the parser makes. Whoever only looks for tags is deceived: a parser opens formats again in every paragraph (HTML,
 * "reconstruct the active formatting elements"), and what stands in attributes, comments or tables closes none.
 */
export function countingAdapter(): TreeAdapter<DefaultTreeAdapterMap> {
  let elements = 0;
  let depth = 0;
  return {
    ...defaultTreeAdapter,
    createElement(...element) {
      elements += 1;
      if (elements > mostElements) throw new TooManySteps();
      return defaultTreeAdapter.createElement(...element);
    },
    onItemPush() {
      depth += 1;
      if (depth > mostDepth) throw new TooManySteps();
    },
    onItemPop() {
      depth -= 1;
    },
  };
}
