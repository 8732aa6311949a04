import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ServiceFailure } from '../../adapters/failures/service-failure.ts';
import { unavailablePage } from '../../web/pages/visitor/unavailable-page.ts';
import { setting } from '../shared/settings.ts';
import type { ApiRequest } from './api-request.ts';
import { pageResponse } from './page-response.ts';

/** 503 for a browser, for functions with pages. */
export function unavailableResponse(
  request: ApiRequest,
  failure: ServiceFailure,
): APIGatewayProxyResult {
  const { requestId } = request.caller;
  const page = unavailablePage({ brand: setting('BRAND'), failure, requestId });
  return pageResponse(request, { status: 503, page });
}
