import type { APIGatewayProxyResult } from 'aws-lambda';

/**
 * The same answer, in a form in which its `WWW-Authenticate` reaches the client.
 *
 * API Gateway renames that header of a function's answer, and CloudFront runs no function for an origin's
 * answer of 400 or more. So the answer leaves as a 200 with the true status and the challenge in headers
 * of ours; `lib/edge/app-viewer-response.js` restores both. Other answers are returned unchanged.
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
