import type { APIGatewayProxyResult } from 'aws-lambda';
import { CodedError } from '../../core/errors.ts';
import { missingPage } from '../../web/pages/missing-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { allowAnyOrigin } from '../http/cors.ts';
import { acceptsPage, pageResponse } from '../http/page-response.ts';
import { serveRoute } from '../http/serve-route.ts';
import { appPages } from '../http/app-pages.ts';
import { setting } from '../shared/settings.ts';
import { discoveryBindings } from './discovery-bindings.ts';

/** Every address of the app host that has no route of its own in API Gateway. */
export const missingAddressBinding: Binding = allowAnyOrigin({
  method: 'ANY',
  route: '/{rest+}',
  serve: serveRest,
});

async function serveRest(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const route = `/${(request.pathParameters['rest'] ?? '').replace(/\/+$/, '')}`;
  if (!discoveryBindings.some((binding) => binding.route === route)) return missingAddress(request);
  return serveRoute(discoveryBindings, appPages, { ...request, route });
}

/**
 * A page for a person in a browser, and JSON for a program. Addresses of the API always answer JSON.
 * @throws CodedError NOT_FOUND
 */
export function missingAddress(request: ApiRequest): APIGatewayProxyResult {
  const isOfApi = request.pathParameters['rest']?.startsWith('v1/') === true;
  if (isOfApi || !acceptsPage(request)) {
    throw new CodedError('NOT_FOUND', { error: 'There is nothing at this method and path.' });
  }
  return pageResponse(request, { status: 404, page: missingPage(setting('BRAND')) });
}
