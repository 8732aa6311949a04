/** Letters that may differ between a name and what was typed: two, in a short name one. */
function mostEdits(typed: string): number {
  return typed.length > 4 ? 2 : 1;
}

/** The name that somebody probably meant; undefined where none is close to what was typed. Pure. */
export function similarName(typed: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, edits: editsBetween(typed.toLowerCase(), name) }))
    .filter(({ edits }) => edits <= mostEdits(typed))
    .toSorted((a, b) => a.edits - b.edits);
  return best?.name;
}

/** Letters to add, remove or replace (the Levenshtein distance). */
function editsBetween(from: string, to: string): number {
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const replaced = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      next.push(Math.min(replaced, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    last = next;
  }
  return last.at(-1) ?? 0;
}
