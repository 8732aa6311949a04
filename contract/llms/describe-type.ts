import type { JsonSchema } from '../openapi/json-schema.ts';

/** A schema in words: `string, 1 to 255 characters`, `"public" | "private"`, `integer or null`. */
export function describeType(schema: JsonSchema): string {
  const { anyOf, default: fallback } = schema;
  const words =
    anyOf === undefined ? describeSimpleType(schema) : anyOf.map(describeType).join(' or ');
  return fallback === undefined ? words : `${words}, default ${JSON.stringify(fallback)}`;
}

function describeSimpleType(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (schema.format === 'binary') return 'file';
  if (schema.type === 'array') return describeArray(schema);
  return [describeKind(schema), ...describeBounds(schema)].join(', ');
}

function describeKind({ type, format }: JsonSchema): string {
  const kind = Array.isArray(type) ? type.join(' or ') : (type ?? 'any value');
  return format === undefined ? kind : `${kind} (${format})`;
}

function describeArray({ items, minItems }: JsonSchema): string {
  const of = isSchema(items) ? describeType(items) : 'any value';
  return minItems === undefined ? `list of ${of}` : `list of ${of}, at least ${minItems}`;
}

function describeBounds({ minLength, maxLength, minimum, maximum, pattern }: JsonSchema): string[] {
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

/** Whether a part of a schema is a schema itself, and not `true`, a list or undefined. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
