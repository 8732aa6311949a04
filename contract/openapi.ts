import type { Operation } from './operation.ts';
import { errorComponents } from './openapi/errors.ts';
import { groupBy } from './openapi/group-by.ts';
import { headerComponents, idempotencyKey } from './openapi/headers.ts';
import { parametersOf, requestBodyOf } from './openapi/request.ts';
import { responsesOf } from './openapi/responses.ts';

/** Version of the interface description (docs/contract.md, "Versioning"). */
export const interfaceVersion = '1.0.0';

/** Where the document says that the service is, and what it is called. */
export interface Described {
  brand: string;
  baseUrl: string;
}

/** The OpenAPI 3.1 document of these operations; nothing in it is written by hand twice. */
export function openApiDocument({ brand, baseUrl }: Described, operations: readonly Operation[]) {
  const byPath = groupBy(operations, ({ path }) => path);
  const paths = [...byPath].map(([path, group]) => [
    path,
    Object.fromEntries(group.map((operation) => [operation.method.toLowerCase(), item(operation)])),
  ]);
  return {
    openapi: '3.1.0' as const,
    info: {
      title: brand,
      version: interfaceVersion,
      description:
        'Publish files and sites as links. Every error carries `code`, `error` and `nextStep`: follow `nextStep`.',
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
    paths: Object.fromEntries(paths),
    components: {
      ...errorComponents(),
      headers: headerComponents,
      parameters: { IdempotencyKey: idempotencyKey },
      securitySchemes,
    },
  };
}

const securitySchemes = {
  key: { type: 'http', scheme: 'bearer', description: 'An API key.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-slipway-session',
    description: 'A browser that is signed in; writes only from pages of the service.',
  },
};

function item(operation: Operation) {
  const { id, group, summary, auth } = operation;
  return {
    operationId: id,
    tags: [group],
    summary,
    security: auth === 'none' ? [] : [{ [auth]: [] }],
    parameters: parametersOf(operation),
    ...requestBodyOf(operation),
    responses: responsesOf(operation),
  };
}
