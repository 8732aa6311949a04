import type * as z from 'zod';

type JsonSchema = z.core.JSONSchema._JSONSchema;

/** What is wrong with a setting, one line for each problem. Unknown names come with the nearest known one. */
export function describeIssue(issue: z.core.$ZodIssue, schema: JsonSchema): string[] {
  if (issue.code !== 'unrecognized_keys') {
    const name = issue.path.join('.');
    return [name === '' ? `- ${issue.message}` : `- ${name}: ${issue.message}`];
  }
  const names = Object.keys(propertiesAt(schema, issue.path));
  return issue.keys.map((key) => {
    const nearest = nearestName(key, names);
    const parent = issue.path.map((part) => `${String(part)}.`).join('');
    const advice =
      nearest === undefined
        ? `The settings there are ${names.join(', ')}.`
        : `Did you mean ${parent}${nearest}?`;
    return `- ${parent}${key} is not a setting. ${advice}`;
  });
}

function propertiesAt(
  schema: JsonSchema,
  path: readonly PropertyKey[],
): Record<string, JsonSchema> {
  if (typeof schema === 'boolean') return {};
  const [first, ...rest] = path;
  const properties = schema.properties ?? {};
  if (first === undefined) return properties;
  return propertiesAt(properties[String(first)] ?? false, rest);
}

/** The name that somebody probably meant: the most similar one, or undefined if none is similar. */
function nearestName(text: string, names: readonly string[]): string | undefined {
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
