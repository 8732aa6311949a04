import { type ErrorCode, errorCatalogue } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { errorsOf } from '../operation-errors.ts';
import { groupBy } from './group-by.ts';
import { headersOf } from './headers.ts';
import { binary, type JsonSchema, jsonSchema } from './json-schema.ts';

/** Every response of an operation, by status. */
export function responsesOf(operation: Operation) {
  const byStatus = groupBy(errorsOf(operation), (code) => errorCatalogue[code].status);
  const refusals = [...byStatus].map(([status, codes]) => [
    String(status),
    errorObject(operation, status, codes),
  ]);
  return { [String(operation.status)]: success(operation), ...Object.fromEntries(refusals) };
}

function success(operation: Operation) {
  return {
    description: operation.summary,
    headers: headersOf(operation, operation.status),
    content: contentOf(operation),
  };
}

function contentOf(operation: Operation) {
  const { mediaTypes } = operation;
  if (mediaTypes === undefined) {
    const value = exampleAnswer(operation);
    return { 'application/json': { schema: answerSchema(operation), examples: { ok: { value } } } };
  }
  return Object.fromEntries(
    mediaTypes.map((type) => [
      type,
      type.startsWith('text/') ? { schema: { type: 'string' } } : { schema: binary },
    ]),
  );
}

function answerSchema({ envelope, output }: Operation): JsonSchema {
  const data = jsonSchema(output, 'output');
  if (envelope === 'bare') return data;
  return {
    type: 'object',
    properties: { status: { const: 'success' }, data },
    required: ['status', 'data'],
    additionalProperties: false,
  };
}

/** The JSON response of an operation's example. */
export function exampleAnswer({ envelope, output, example }: Operation): unknown {
  const data = output.parse(example.output);
  return envelope === 'data' ? { status: 'success', data } : data;
}

function errorObject(operation: Operation, status: number, codes: readonly ErrorCode[]) {
  const schemas = codes.map((code) => ({ $ref: `#/components/schemas/${code}` }));
  const [only] = schemas;
  return {
    description: codes.join(', '),
    headers: headersOf(operation, status),
    content: {
      'application/json': {
        schema: schemas.length === 1 && only !== undefined ? only : { oneOf: schemas },
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}
