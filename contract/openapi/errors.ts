import * as z from 'zod';
import { type ErrorCode, errorCatalogue } from '../errors.ts';
import { example } from '../examples.ts';
import { isSchema, type JsonSchema, objectSchema } from './json-schema.ts';

const noExtra = z.object({});

/** The schema of one code: the envelope and the code's own fields, no others. */
function errorSchema(code: ErrorCode): JsonSchema {
  const extra = extraOf(code);
  const { properties, required } = objectSchema(extra, 'output');
  return {
    type: 'object',
    properties: {
      status: { const: 'error' },
      error: { type: 'string', description: 'What is wrong, as a sentence for people.' },
      code: { const: code },
      nextStep: { type: 'string', description: 'What to do next.' },
      ...properties,
    },
    required: ['status', 'error', 'code', 'nextStep', ...required],
    additionalProperties: false,
  };
}

/** An example body of one code. */
export function errorExample(code: ErrorCode): Record<string, unknown> {
  const { properties, required } = objectSchema(extraOf(code), 'output');
  const fields = required.map((name) => [name, sample(properties[name] ?? {}, name)]);
  return {
    status: 'error',
    error: 'What is wrong, in one sentence.',
    code,
    nextStep: errorCatalogue[code].nextStep,
    ...Object.fromEntries(fields),
  };
}

/** The schema and example of each code, by code. */
export function errorComponents(codes: readonly ErrorCode[]) {
  return {
    schemas: Object.fromEntries(codes.map((code) => [code, errorSchema(code)])),
    examples: Object.fromEntries(
      codes.map((code) => [code, { summary: code, value: errorExample(code) }]),
    ),
  };
}

function extraOf(code: ErrorCode): z.ZodType {
  const entry: { status: number; extra?: z.ZodType } = errorCatalogue[code];
  return entry.extra ?? noExtra;
}

/** An example value for the field of an error. */
function sample(schema: JsonSchema, name: string): unknown {
  const { type, items, properties = {} } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.format === 'date-time') return example.later;
  if (type === 'array') return isSchema(items) ? [sample(items, name)] : [];
  if (type === 'object') {
    const fields = Object.entries(properties).map(([key, property]) => [
      key,
      isSchema(property) ? sample(property, key) : null,
    ]);
    return Object.fromEntries(fields);
  }
  if (type === 'integer' || type === 'number') return 3;
  return type === 'boolean' ? true : `the ${name}`;
}
