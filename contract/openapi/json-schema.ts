import * as z from 'zod';
import { UploadedFile } from '../fields.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The schema of an object. */
export interface ObjectSchema extends JsonSchema {
  properties: Record<string, JsonSchema>;
  required: string[];
}

/** A file, or a body that is not text. */
export const binary: JsonSchema = { type: 'string', format: 'binary' };

/**
 * JSON Schema 2020-12 of a request (`input`) or a response (`output`). Objects in responses allow
 * no other properties, because bindings remove fields that the operation does not name.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: written }) => {
      if (zodSchema === UploadedFile) replaceContents(written, binary);
      simplify(written);
    },
  });
  return rest;
}

/** The schema of a flat object; other schemas get no properties. */
export function objectSchema(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const generated = jsonSchema(schema, io);
  const { required = [], properties = {} } = generated;
  const schemas = Object.entries(properties).map(([name, property]) => [
    name,
    typeof property === 'boolean' ? {} : property,
  ]);
  return { ...generated, properties: Object.fromEntries(schemas), required };
}

function replaceContents(generated: JsonSchema, by: JsonSchema): void {
  for (const name of Object.keys(generated)) delete generated[name];
  Object.assign(generated, by);
}

/** Removes patterns that `format` already expresses, and the bounds of safe integers. */
function simplify(generated: JsonSchema): void {
  if (generated.format !== undefined) delete generated.pattern;
  if (generated.maximum === Number.MAX_SAFE_INTEGER) delete generated.maximum;
  if (generated.minimum === Number.MIN_SAFE_INTEGER) delete generated.minimum;
}

/** Whether a part of a schema is a schema itself, and not `true`, a list or undefined. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
