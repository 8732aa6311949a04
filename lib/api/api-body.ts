import * as cdk from 'aws-cdk-lib';
import {
  type ApiOperation,
  type PlacedOperation,
  fixedResponse,
  functionResponse,
  invocationUri,
} from './api-operation.ts';
import { busyPages } from './busy-page.ts';
import { gatewayResponses } from './gateway-responses.ts';
import { type Route, agentPaths, gatewayMethods, isForAgents, keyPaths } from './routes.ts';
import { commonHeaders } from '../../contract/common-headers.ts';
import { allowedMethods } from '../../contract/operation.ts';

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

/** Headers that browser apps of other origins may send to the MCP endpoint and the authorization server. */
const agentHeaders = [
  'Authorization',
  'Content-Type',
  'Accept',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
];

/** Headers that such apps may send with a key. The last two name the file of an upload link. */
const keyHeaders = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Idempotency-Key',
  'Content-Disposition',
  'X-Filename',
];

/** A day; browsers cap it lower. */
const MAX_AGE_SECONDS = 86_400;

/** Answers the preflight of a path of MCP, OAuth or `/.well-known`. */
function agentPreflight(methods: readonly string[]): ApiOperation {
  return preflight(crossOriginHeaders(methods, agentHeaders));
}

/** Answers the preflight of a path whose operations take a key. */
function keyPreflight(methods: readonly string[]): ApiOperation {
  const allowed = allowedMethods(methods);
  return preflight({
    ...crossOriginHeaders(
      allowed.filter((method) => method !== 'OPTIONS'),
      keyHeaders,
    ),
    allow: allowed.join(', '),
  });
}

function preflight(headers: Record<string, string>): ApiOperation {
  return fixedResponse({ status: 204, headers: { ...commonHeaders, ...headers } });
}

/** Allows every origin, and never cookies: without `allow-credentials` browsers send none. */
function crossOriginHeaders(
  methods: readonly string[],
  headers: readonly string[],
): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': methods.join(','),
    'access-control-allow-headers': headers.join(','),
    'access-control-max-age': String(MAX_AGE_SECONDS),
  };
}
