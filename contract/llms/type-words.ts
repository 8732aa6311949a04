import type { JsonSchema } from '../openapi/json-schema.ts';

/** A schema in words: `string, 1 to 255 characters`, `"public" | "private"`, `integer or null`. */
export function typeWords(schema: JsonSchema): string {
  const { anyOf, default: fallback } = schema;
  const words = anyOf === undefined ? plainWords(schema) : anyOf.map(typeWords).join(' or ');
  return fallback === undefined ? words : `${words}, default ${JSON.stringify(fallback)}`;
}

function plainWords(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (schema.format === 'binary') return 'file';
  if (schema.type === 'array') return arrayWords(schema);
  return [kindOf(schema), ...boundsOf(schema)].join(', ');
}

function kindOf({ type, format }: JsonSchema): string {
  const kind = Array.isArray(type) ? type.join(' or ') : (type ?? 'any value');
  return format === undefined ? kind : `${kind} (${format})`;
}

function arrayWords({ items, minItems }: JsonSchema): string {
  const of = isSchema(items) ? typeWords(items) : 'any value';
  return minItems === undefined ? `list of ${of}` : `list of ${of}, at least ${minItems}`;
}

function boundsOf({ minLength, maxLength, minimum, maximum, pattern }: JsonSchema): string[] {
  return [
    ...range(minLength, maxLength, ' characters'),
    ...range(minimum, maximum, ''),
    ...(pattern === undefined ? [] : [`matching \`${pattern}\``]),
  ];
}

function range(low: number | undefined, high: number | undefined, unit: string): string[] {
  if (low !== undefined && high !== undefined) return [`${low} to ${high}${unit}`];
  if (high !== undefined) return [`at most ${high}${unit}`];
  return low === undefined ? [] : [`at least ${low}${unit}`];
}

/** Whether a part of a schema is one itself, and not `true`, a list or nothing. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
