import { type JsonSchema, type ObjectSchema, objectSchema } from './openapi/json-schema.ts';
import type { Operation } from './operation.ts';

/** One field of a request and where it goes. */
export interface Field {
  name: string;
  in: 'path' | 'query' | 'body';
  required: boolean;
  schema: JsonSchema;
}

/**
 * The fields of an operation: those in its path; the others are in the body if it has one, else in
 * the query.
 */
export function fieldsOf({ path, body, input }: Operation): Field[] {
  const { properties, required } = objectSchema(input, 'input');
  return Object.entries(properties).map(([name, schema]) => {
    const inPath = path.includes(`{${name}}`);
    return {
      name,
      in: inPath ? 'path' : body === 'none' ? 'query' : 'body',
      required: inPath || required.includes(name),
      schema,
    };
  });
}

/** The schema of a JSON body or a form; undefined for operations without a body. */
export function bodySchema(operation: Operation): ObjectSchema | undefined {
  if (operation.body === 'none') return undefined;
  const fields = fieldsOf(operation).filter((field) => field.in === 'body');
  const { additionalProperties, oneOf } = objectSchema(operation.input, 'input');
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
    ...(oneOf === undefined ? {} : { oneOf }),
  };
}

/** The path and query of an operation, filled with the values of its example. */
export function examplePath(operation: Operation): string {
  const { path, example } = operation;
  const fields = fieldsOf(operation);
  const values = new Map(Object.entries(example.input));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values.get(name)));
  const query = fields
    .filter((field) => field.in === 'query' && values.has(field.name))
    .map(({ name }) => `${name}=${encodeURIComponent(String(values.get(name)))}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** The fields of an example that go into the body. */
export function exampleBody(operation: Operation): Record<string, unknown> {
  const inBody = new Set(
    fieldsOf(operation)
      .filter((field) => field.in === 'body')
      .map(({ name }) => name),
  );
  return Object.fromEntries(
    Object.entries(operation.example.input).filter(([name]) => inBody.has(name)),
  );
}
