import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { commonHeaders } from '../../contract/common-headers.ts';
import { allowedMethods } from '../../contract/operation.ts';

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

/** Headers that they may send with a key. The last two name the file of an upload link. */
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

/** What a preflight allows. Every origin, and never cookies: without `allow-credentials` browsers send none. */
type Preflight = Record<string, string>;

/** For a path of MCP, OAuth or `/.well-known`. */
export function agentPreflight(methods: readonly string[]): Preflight {
  return preflight(methods, agentHeaders);
}

/** For a path whose operations take a key. */
export function keyPreflight(methods: readonly string[]): Preflight {
  const allowed = allowedMethods(methods);
  return {
    ...preflight(
      allowed.filter((method) => method !== 'OPTIONS'),
      keyHeaders,
    ),
    allow: allowed.join(', '),
  };
}

function preflight(methods: readonly string[], headers: readonly string[]): Preflight {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': methods.join(','),
    'access-control-allow-headers': headers.join(','),
    'access-control-max-age': String(MAX_AGE_SECONDS),
  };
}

/** Answers preflights of a path without a function. */
export function addPreflight(resource: apigateway.IResource, allowed: Preflight): void {
  const headers = { ...commonHeaders, ...allowed };
  const names = Object.entries(headers).map(
    ([name, value]) => [`method.response.header.${name}`, value] as const,
  );
  const mock = new apigateway.MockIntegration({
    // With any other setting, a request of a media type without a template would get a 500.
    passthroughBehavior: apigateway.PassthroughBehavior.NEVER,
    requestTemplates: { 'application/json': '{ statusCode: 204 }' },
    integrationResponses: [
      {
        statusCode: '204',
        responseParameters: Object.fromEntries(names.map(([name, value]) => [name, `'${value}'`])),
      },
    ],
  });
  resource.addMethod('OPTIONS', mock, {
    methodResponses: [
      {
        statusCode: '204',
        responseParameters: Object.fromEntries(names.map(([name]) => [name, true])),
      },
    ],
  });
}
