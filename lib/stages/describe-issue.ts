import type * as z from 'zod';
import { nearestName } from './nearest-name.ts';

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
