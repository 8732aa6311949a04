import type { APIGatewayProxyResult } from 'aws-lambda';

/**
 * The same response, in a form in which its `WWW-Authenticate` reaches the client.
 *
 * API Gateway renames that header in responses of functions, and CloudFront runs no function for an
 * origin's response with status 400 or more. So the response is sent as a 200, with the real status
 * and the challenge in headers of ours; `lib/edge/app-viewer-response.js` restores both. Other
 * responses are returned unchanged.
 */
export function carryChallenge(response: APIGatewayProxyResult): APIGatewayProxyResult {
  const { 'www-authenticate': challenge, ...headers } = response.headers ?? {};
  if (challenge === undefined) return response;
  return {
    ...response,
    statusCode: 200,
    headers: {
      ...headers,
      'x-slipway-status': String(response.statusCode),
      'x-slipway-challenge': challenge,
    },
  };
}
