import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { commonHeaders, exposedHeaders } from '../../contract/common-headers.ts';
import { type ApiRequest, readApiRequest } from './api-request.ts';
import { requireEdge } from './origin-checks.ts';
import { errorResponse, limitHeaders } from './api-response.ts';
import type { Binding } from './bind.ts';
import { failedResponse, type RouteOptions, serveRoute } from './serve-route.ts';
import { deployedSecret, refreshSecrets } from '../shared/deployed-secrets.ts';
import { logger } from '../shared/logger.ts';

/** The handler of one endpoint group: every error becomes a response, by `errorResponse`. */
export function endpoint(bindings: readonly Binding[], options: RouteOptions = {}) {
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use(errors(bindings))
    .use(injectLambdaContext(logger))
    .handler(async (event, context) => {
      const request = readApiRequest(event, context);
      await refreshSecrets();
      requireEdge(request, deployedSecret('ORIGIN_SECRET_ARN'));
      const startedAt = performance.now();
      const response = await respond(bindings, options, request);
      const ms = Math.round(performance.now() - startedAt);
      const { requestId } = request.caller;
      logger.info('served', { requestId, route: request.route, status: response.statusCode, ms });
      return carryChallenge(response);
    });
}

/** Turns errors into responses here, because errors too get the rate limit headers of the request. */
async function respond(
  bindings: readonly Binding[],
  options: RouteOptions,
  request: ApiRequest,
): Promise<APIGatewayProxyResult> {
  // Rate limits that are checked below add themselves to `limits`.
  const { limits } = request.caller;
  const response = await serveRoute(bindings, options, request).catch((error: unknown) =>
    failedResponse(bindings, options, request, error),
  );
  const headers = { ...response.headers, ...limitHeaders(limits) };
  return completeResponse(bindings, request, { ...response, headers });
}

/** Adds the headers of every response, and those of routes for other origins. A HEAD gets no body. */
function completeResponse(
  bindings: readonly Binding[],
  { method, route }: Pick<ApiRequest, 'method' | 'route'>,
  response: APIGatewayProxyResult,
): APIGatewayProxyResult {
  const isOpen = bindings.some((one) => one.route === route && one.allowsAnyOrigin === true);
  return {
    ...response,
    headers: { ...commonHeaders, ...(isOpen && corsHeaders), ...response.headers },
    ...(method === 'HEAD' && { body: '', isBase64Encoded: false }),
  };
}

function errors(
  bindings: readonly Binding[],
): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      const { httpMethod: method, resource: route, requestContext } = request.event;
      const response = errorResponse(request.error, requestContext.requestId);
      request.response = carryChallenge(completeResponse(bindings, { method, route }, response));
    },
  };
}

/** Any page may read these responses. They depend on no cookie, so a page learns nothing that it could not fetch itself. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
};

/** A binding whose path serves pages of any origin, errors included: some clients run in a browser. */
export function allowAnyOrigin(binding: Binding): Binding {
  return { ...binding, allowsAnyOrigin: true };
}

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
