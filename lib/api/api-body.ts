import * as cdk from 'aws-cdk-lib';
import { functionResponse, invocationUri, type PlacedOperation } from './api-operation.ts';
import { busyPages } from './busy-page.ts';
import { gatewayResponses } from './gateway-responses.ts';
import { agentPreflight, keyPreflight } from './preflights.ts';
import { agentPaths, gatewayMethods, isForAgents, keyPaths, type Route } from './routes.ts';

/** What the document needs in addition to the contract. */
export interface ApiBodyProps {
  name: string;
  /** ARN of the function that checks the credential of a call of the MCP endpoint. */
  authorizerArn: string;
  /** The app's origin, which `WWW-Authenticate` headers name. */
  baseUrl: string;
}

/**
 * The whole REST API as one OpenAPI document, which API Gateway imports (decision 0148). It has no
 * schemas of bodies: functions validate requests.
 */
export function apiBody({ name, authorizerArn, baseUrl }: ApiBodyProps): Record<string, unknown> {
  return {
    openapi: '3.0.1',
    info: {
      title: name,
      description: 'Slipway: everything but published pages',
      version: '1',
    },
    paths: byPath([...gatewayMethods().map(route), ...preflights(), ...busyPages()]),
    components: { securitySchemes: securitySchemes(authorizerArn) },
    'x-amazon-apigateway-api-key-source': 'HEADER',
    // Never `*/*`: every JSON body would then arrive as base64. API Gateway sends a response as
    // bytes only if the first type of `Accept` is one of these. app-viewer-request.js sets `Accept`
    // for PNG and for compressed documents, and `Content-Type` for upload links
    // (`application/octet-stream`) and for the MCP endpoint (the last type).
    'x-amazon-apigateway-binary-media-types': [
      'multipart/form-data',
      'image/png',
      'application/octet-stream',
      'application/mcp+json',
    ],
    'x-amazon-apigateway-gateway-responses': gatewayResponses(baseUrl),
  };
}

/** Every operation requires the API key, also one that no function answers: see `Api.acceptKeys`. */
const keyRequired = { api_key: [] };

/** API Gateway requires both. In OpenAPI itself, such a list means "one of these". */
const credentialAndKeyRequired = [{ agents: [] }, keyRequired];

function byPath(operations: readonly PlacedOperation[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { path, method, operation } of operations) {
    const name = method === 'ANY' ? 'x-amazon-apigateway-any-method' : method.toLowerCase();
    // API Gateway ignores security requirements at the root of the document.
    const security = isForAgents({ path, method }) ? credentialAndKeyRequired : [keyRequired];
    paths[path] = { ...paths[path], [name]: { security, ...operation } };
  }
  return paths;
}

function route({ path, method, group }: Route): PlacedOperation {
  return { path, method, operation: functionResponse(group) };
}

function preflights(): PlacedOperation[] {
  return [
    ...agentPaths().map(({ path, methods }) => ({ path, operation: agentPreflight(methods) })),
    ...keyPaths().map(({ path, methods }) => ({ path, operation: keyPreflight(methods) })),
  ].map((preflight) => ({ ...preflight, method: 'OPTIONS' }));
}

function securitySchemes(authorizerArn: string): Record<string, unknown> {
  return {
    api_key: { type: 'apiKey', name: 'x-api-key', in: 'header' },
    agents: {
      type: 'apiKey',
      name: 'Authorization',
      in: 'header',
      'x-amazon-apigateway-authtype': 'custom',
      'x-amazon-apigateway-authorizer': {
        type: 'request',
        authorizerUri: cdk.Fn.sub(invocationUri('${Authorizer}'), { Authorizer: authorizerArn }),
        identitySource: 'method.request.header.Authorization',
        // Nothing is cached, so that a revoked token is refused from the next request on.
        authorizerResultTtlInSeconds: 0,
      },
    },
  };
}
