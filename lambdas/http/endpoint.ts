import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { CodedError } from '../../core/errors.ts';
import { type ApiRequest, readApiRequest, requireOrigin } from './api-request.ts';
import { errorResponse, limitHeaders } from './api-response.ts';
import type { Binding } from './bind.ts';
import { deployedSecret, freshSecrets } from '../shared/deployed-secrets.ts';
import { logger } from '../shared/logger.ts';

/** The handler of one endpoint group: every error becomes an answer here, and nowhere else. */
export function endpoint(bindings: readonly Binding[]) {
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use(errors())
    .use(injectLambdaContext(logger))
    .handler(async (event, context) => {
      const request = readApiRequest(event, context);
      await freshSecrets();
      requireOrigin(request, deployedSecret('ORIGIN_SECRET_ARN'));
      const startedAt = performance.now();
      const response = await answer(bindings, request);
      const ms = Math.round(performance.now() - startedAt);
      const { requestId } = request.caller;
      logger.info('served', { requestId, route: request.route, status: response.statusCode, ms });
      return response;
    });
}

/** Refusals tell of limits as well, so they become answers while the request is at hand. */
async function answer(
  bindings: readonly Binding[],
  request: ApiRequest,
): Promise<APIGatewayProxyResult> {
  const { requestId, limits } = request.caller;
  const response = await route(bindings, request).catch((error: unknown) =>
    errorResponse(error, requestId),
  );
  return { ...response, headers: { ...response.headers, ...limitHeaders(limits) } };
}

async function route(
  bindings: readonly Binding[],
  request: ApiRequest,
): Promise<APIGatewayProxyResult> {
  const binding = bindings.find(
    ({ method, route }) => method === request.method && route === request.route,
  );
  if (binding === undefined) throw new CodedError('NOT_FOUND', { error: 'There is nothing here.' });
  return binding.serve(request);
}

function errors(): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      request.response = errorResponse(request.error, request.event.requestContext.requestId);
    },
  };
}
