import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ApiRequest } from './api-request.ts';
import { jsonResponse } from './api-response.ts';

/** A document by which clients find the MCP server. Caches may keep it for an hour (discovery of SEP-2127, "Caching"). */
export function discoveryResponse(
  { caller }: ApiRequest,
  type: string,
  content: object,
): APIGatewayProxyResult {
  return jsonResponse(200, content, caller.requestId, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'public, max-age=3600',
  });
}
