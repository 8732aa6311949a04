import { example as sample, exampleFileText } from '../examples.ts';
import type { Operation } from '../operation.ts';
import type { JsonSchema, ObjectSchema } from './json-schema.ts';
import { isWrite } from '../operation-errors.ts';
import { bodySchema, exampleBody, fieldsOf } from '../operation-parts.ts';

/** Path and query parameters of an operation, and `Idempotency-Key` for a write. */
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
  const named = operation.takesPlainFile === true ? [...fields, fileNameHeader] : fields;
  return isWrite(operation) ? [...named, key] : named;
}

const fileNameHeader = {
  name: 'X-Filename',
  in: 'header',
  required: false,
  description: 'Name of a file that is sent as the plain body; may be percent-encoded.',
  schema: { type: 'string' },
  example: 'report.pdf',
};

/** The request body of an operation; empty if it has none. */
export function requestBodyOf(operation: Operation) {
  const schema = bodySchema(operation);
  if (operation.body === 'none' || schema === undefined) return {};
  const example = exampleBody(operation);
  const content =
    operation.body === 'json'
      ? { 'application/json': media(schema, example) }
      : {
          'multipart/form-data': uploadForm(schema, example),
          'application/json': uploadJson(schema, example),
          ...(operation.takesPlainFile === true && {
            'application/octet-stream': { schema: { format: 'binary' } },
          }),
        };
  return { requestBody: { required: true, content } };
}

function media(schema: ObjectSchema, value: Record<string, unknown>) {
  return { schema, examples: { request: { value } } };
}

/** A form carries the files themselves, or names a staged upload. The example shows each file as its text. */
function uploadForm(schema: ObjectSchema, example: Record<string, unknown>) {
  const { files, ...properties } = schema.properties;
  const parts = { type: 'array', minItems: 1, items: files?.items ?? {} } satisfies JsonSchema;
  const value = { ...example, files: [exampleFileText] };
  const oneSource = [{ required: ['files'] }, { required: ['uploadId'] }];
  return media({ ...schema, properties: { files: parts, ...properties }, oneOf: oneSource }, value);
}

/** JSON holds no files, so it names a staged upload. */
function uploadJson(schema: ObjectSchema, example: Record<string, unknown>) {
  const { files: _parts, ...properties } = schema.properties;
  const { files: _files, ...fields } = example;
  const required = [...schema.required, 'uploadId'];
  return media({ ...schema, properties, required }, { ...fields, uploadId: sample.uploadId });
}
