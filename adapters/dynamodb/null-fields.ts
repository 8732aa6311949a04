import * as z from 'zod/mini';

/** A row as it is stored: without fields that are null. */
export function withoutNulls(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

/** Parses rows of a schema that {@link withoutNulls} stored. Pure. */
export function rowParser<Schema extends z.core.$ZodObject>(schema: Schema) {
  const nullable = Object.entries(schema._zod.def.shape).filter(
    ([, field]) => field._zod.def.type === 'nullable',
  );
  const nulls = Object.fromEntries(nullable.map(([name]) => [name, null]));
  return (row: object): z.output<Schema> => z.parse(schema, { ...nulls, ...row });
}
