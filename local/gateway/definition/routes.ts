import { createHash } from 'node:crypto';
import type { Route } from './api-model.ts';
import { parseIntegration, parseScheme, parseSecurity, type StageVariables } from './method.ts';
import type { OpenApiBody } from './openapi-body.ts';

/** The routes of the document; `where` is for messages. */
export function parseRoutes(where: string, body: OpenApiBody, variables: StageVariables): Route[] {
  const schemes = new Map(
    Object.entries(body.components.securitySchemes).map(([id, scheme]) => [
      id,
      parseScheme(`${where}.components.securitySchemes`, id, scheme),
    ]),
  );
  return Object.entries(body.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([name, operation]) => {
      if (operation === undefined) return [];
      const place = `${where}.paths.${path}.${name}`;
      const integration = operation['x-amazon-apigateway-integration'];
      return {
        resourceId: resourceId(path),
        path,
        httpMethod: name === 'x-amazon-apigateway-any-method' ? 'ANY' : name.toUpperCase(),
        integration: parseIntegration(
          `${place}.x-amazon-apigateway-integration`,
          integration,
          variables,
        ),
        ...parseSecurity(place, operation, schemes),
      };
    }),
  );
}

/** The service gives each path an id of its own making. */
function resourceId(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 10);
}
