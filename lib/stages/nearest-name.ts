/** The name that somebody probably meant: the most similar one, or undefined if none is similar. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, changes: countChanges(text.toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => a.changes - b.changes);
  const [nearest] = ranked;
  const tolerated = Math.max(2, Math.floor(text.length / 3));
  return nearest !== undefined && nearest.changes <= tolerated ? nearest.name : undefined;
}

/** Levenshtein distance: how many characters must be added, removed or replaced. */
function countChanges(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
