import { commonHeaders } from '../../contract/common-headers.ts';
import { allowedMethods } from '../../contract/operation.ts';
import { type ApiOperation, fixedResponse } from './api-operation.ts';

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
export function agentPreflight(methods: readonly string[]): ApiOperation {
  return preflight(crossOriginHeaders(methods, agentHeaders));
}

/** Answers the preflight of a path whose operations take a key. */
export function keyPreflight(methods: readonly string[]): ApiOperation {
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
