import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ServiceFailure } from '../../adapters/failures/service-failure.ts';
import { unavailablePage } from '../../web/pages/visitor/unavailable-page.ts';
import { setting } from '../shared/settings.ts';
import type { ApiRequest } from './api-request.ts';
import { pageResponse } from './page-response.ts';
import { wrongMethodPage } from '../../web/pages/missing-page.ts';
import type { RouteOptions } from './serve-route.ts';

/** 503 for a browser, for functions with pages. */
export function unavailableResponse(
  request: ApiRequest,
  failure: ServiceFailure,
): APIGatewayProxyResult {
  const { requestId } = request.caller;
  const page = unavailablePage({ brand: setting('BRAND'), failure, requestId });
  return pageResponse(request, { status: 503, page });
}

/** Error pages for browsers, from functions with pages on the app's host. Programs get JSON. */
export const appPages = {
  wrongMethodPage: (request) =>
    pageResponse(request, { status: 405, page: wrongMethodPage(setting('BRAND')) }),
  unavailablePage: unavailableResponse,
} satisfies RouteOptions;
