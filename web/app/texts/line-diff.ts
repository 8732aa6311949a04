import diffSequence from '@jest/diff-sequences';

/** A line of a comparison: of both texts, of the later one, or of the earlier one. */
export interface ComparedLine {
  sign: ' ' | '+' | '-';
  text: string;
}

/** Bounds the work: for texts without a common line it grows with the square of their lines. */
const maxLines = 5000;

/** Equal lines that are shown around a change. */
const context = 3;

/** Characters of a line; pages without line breaks have lines of many thousands. */
const maxShown = 400;

/**
 * The parts of two texts that differ, each with up to three equal lines around it. None if the texts
 * have the same lines; undefined if one has more than 5,000 lines.
 */
export function compareLines(was: string, is: string): ComparedLine[][] | undefined {
  const [a, b] = [linesOf(was), linesOf(is)];
  if (a.length > maxLines || b.length > maxLines) return undefined;
  const all: ComparedLine[] = [];
  const add = (sign: ComparedLine['sign'], lines: readonly string[]) => {
    all.push(...lines.map((text) => ({ sign, text: shortened(text) })));
  };
  let [fromA, fromB] = [0, 0];
  const addUntil = (toA: number, toB: number) => {
    add('-', a.slice(fromA, toA));
    add('+', b.slice(fromB, toB));
  };
  diffSequence(
    a.length,
    b.length,
    (indexA, indexB) => a[indexA] === b[indexB],
    (count, indexA, indexB) => {
      addUntil(indexA, indexB);
      [fromA, fromB] = [indexA + count, indexB + count];
      add(' ', a.slice(indexA, fromA));
    },
  );
  addUntil(a.length, b.length);
  return partsOf(all);
}

/** Lines without their ends; a missing line end at the end of a text is no difference. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function shortened(line: string): string {
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
}

function partsOf(all: readonly ComparedLine[]): ComparedLine[][] {
  const parts: ComparedLine[][] = [];
  let shownUntil = 0;
  for (const [index, { sign }] of all.entries()) {
    if (sign === ' ') continue;
    const from = Math.max(shownUntil, index - context);
    const lines = all.slice(from, index + context + 1);
    // The context of the change before may end where that of this one begins.
    if (from > shownUntil || parts.length === 0) parts.push(lines);
    else parts.at(-1)?.push(...lines);
    shownUntil = Math.max(shownUntil, index + context + 1);
  }
  return parts;
}
