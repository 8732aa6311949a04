import type { Operation } from '../operation.ts';
import { isWrite } from '../operation-errors.ts';
import { bodySchema, exampleBody, fieldsOf } from '../operation-parts.ts';

/** Path and query parameters of an operation, and the key that a write may carry. */
export function parametersOf(operation: Operation) {
  const examples = new Map(Object.entries(operation.example.input));
  const fields = fieldsOf(operation)
    .filter((field) => field.in !== 'body')
    .map(({ name, in: place, required, schema }) => ({
      name,
      in: place,
      required,
      schema,
      ...(examples.has(name) ? { example: examples.get(name) } : {}),
    }));
  const key = { $ref: '#/components/parameters/IdempotencyKey' };
  return isWrite(operation) ? [...fields, key] : fields;
}

/** An upload may be JSON as well: it names an `uploadId` in place of files. */
const mediaTypes = {
  json: ['application/json'],
  upload: ['multipart/form-data', 'application/json'],
} as const;

/** The body of an operation's request; nothing where it takes none. */
export function requestBodyOf(operation: Operation) {
  const schema = bodySchema(operation);
  if (operation.body === 'none' || schema === undefined) return {};
  const value = exampleBody(operation);
  // Files of a form cannot be written down as JSON.
  const { files: _, ...fields } = value;
  const content = { schema, examples: { request: { value: 'files' in value ? fields : value } } };
  const required = schema.required.length > 0;
  const types = mediaTypes[operation.body];
  const byType = Object.fromEntries(types.map((type) => [type, content]));
  return { requestBody: { required, content: byType } };
}
