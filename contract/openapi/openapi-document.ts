import { type ErrorCode, errorCodes } from '../errors.ts';
import { neededPermissions, type Operation } from '../operation.ts';
import { errorsOf } from '../operation-errors.ts';
import { operationGroups } from '../operation-groups.ts';
import { errorComponents } from './errors.ts';
import { groupBy } from './group-by.ts';
import { headerComponents, idempotencyKey } from './headers.ts';
import { parametersOf, requestBodyOf } from './request.ts';
import { responsesOf } from './responses.ts';

/** Version of the interface description (docs/contract.md, "Versioning"). */
export const interfaceVersion = '1.0.0';

/** Address and name of the service in the document. */
export interface DocumentOptions {
  brand: string;
  baseUrl: string;
}

/** The OpenAPI 3.1 document, generated from the operations. */
export function openApiDocument(
  { brand, baseUrl }: DocumentOptions,
  operations: readonly Operation[],
) {
  const byPath = groupBy(operations, ({ path }) => path);
  const paths = [...byPath].map(([path, group]) => [
    path,
    Object.fromEntries(
      group.map((operation) => [operation.method.toLowerCase(), operationObject(operation)]),
    ),
  ]);
  return {
    openapi: '3.1.0' as const,
    info: {
      title: brand,
      version: interfaceVersion,
      description:
        'Publish files and sites as shareable links. Every error has `code`, `error` and `nextStep`; follow `nextStep`.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: tagsOf(operations),
    paths: Object.fromEntries(paths),
    components: {
      ...errorComponents(usedErrors(operations)),
      headers: headerComponents,
      parameters: { IdempotencyKey: idempotencyKey },
      securitySchemes,
    },
  };
}

const securitySchemes = {
  key: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key. A key may have fewer permissions than its account (`POST /v1/keys`).',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-slipway-session',
    description:
      'The session cookie of a signed-in browser. Writes are accepted only from pages of this service.',
  },
};

/**
 * Which credentials an operation takes, with the permissions that a key needs (OpenAPI 3.1, Security
 * Requirement Object). `optional`: an empty requirement means that no credential is needed.
 */
function securityOf(operation: Operation): Record<string, string[]>[] {
  const key = { key: [...neededPermissions(operation)] };
  const session = { session: [] };
  switch (operation.auth) {
    case 'none':
    case 'page':
      return [];
    case 'optional':
      return [{}, key, session];
    case 'key':
      return [key, session];
    case 'key-only':
      return [key];
    case 'session':
      return [session];
    default:
      return operation.auth satisfies never;
  }
}

function tagsOf(operations: readonly Operation[]) {
  return [...new Set(operations.map(({ group }) => group))].map((name) => ({
    name,
    'x-displayName': operationGroups[name].title,
    description: operationGroups[name].description,
  }));
}

function usedErrors(operations: readonly Operation[]): ErrorCode[] {
  const used = new Set(operations.flatMap(errorsOf));
  return errorCodes.filter((code) => used.has(code));
}

function operationObject(operation: Operation) {
  const { id, group, summary } = operation;
  return {
    operationId: id,
    tags: [group],
    summary,
    security: securityOf(operation),
    parameters: parametersOf(operation),
    ...requestBodyOf(operation),
    responses: responsesOf(operation),
  };
}
