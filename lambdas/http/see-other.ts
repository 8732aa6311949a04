import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ApiRequest } from './api-request.ts';

/** Sends a browser on: GET from here, whatever was sent (RFC 9110 §15.4.4). Nobody stores it or tells where it came from. */
export function seeOther(
  { caller }: Pick<ApiRequest, 'caller'>,
  location: string,
  cookies: readonly string[] = [],
): APIGatewayProxyResult {
  return {
    statusCode: 303,
    headers: {
      location,
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-request-id': caller.requestId,
    },
    ...(cookies.length > 0 && { multiValueHeaders: { 'set-cookie': [...cookies] } }),
    body: '',
  };
}
