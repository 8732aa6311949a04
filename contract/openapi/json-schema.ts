import * as z from 'zod';
import { UploadedFile } from '../fields.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** An object's schema with its fields at hand. */
export interface ObjectSchema extends JsonSchema {
  properties: Record<string, JsonSchema>;
  required: string[];
}

/** A file, or a body that is no text. */
export const binary: JsonSchema = { type: 'string', format: 'binary' };

/**
 * JSON Schema 2020-12 of what is sent (`input`) or answered (`output`). Objects of answers are
 * closed, because bindings let out nothing that the operation does not name.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: written }) => {
      if (zodSchema === UploadedFile) replace(written, binary);
      tidy(written);
    },
  });
  return rest;
}

/** The schema of a flat object; one of another kind has no fields. */
export function objectSchema(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const written = jsonSchema(schema, io);
  const { required = [], properties = {} } = written;
  const schemas = Object.entries(properties).map(([name, property]) => [
    name,
    typeof property === 'boolean' ? {} : property,
  ]);
  return { ...written, properties: Object.fromEntries(schemas), required };
}

function replace(written: JsonSchema, by: JsonSchema): void {
  for (const name of Object.keys(written)) delete written[name];
  Object.assign(written, by);
}

/** What `format` says needs no pattern of 300 characters, and every integer is a safe one. */
function tidy(written: JsonSchema): void {
  if (written.format !== undefined) delete written.pattern;
  if (written.maximum === Number.MAX_SAFE_INTEGER) delete written.maximum;
  if (written.minimum === Number.MIN_SAFE_INTEGER) delete written.minimum;
}
