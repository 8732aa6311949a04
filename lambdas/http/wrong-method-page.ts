import type { APIGatewayProxyResult } from 'aws-lambda';
import { wrongMethodPage } from '../../web/pages/documentation/missing-page.ts';
import { setting } from '../shared/settings.ts';
import type { ApiRequest } from './api-request.ts';
import { pageResponse } from './page-response.ts';

/** 405 for a browser, for functions with pages on the app's host. */
export function wrongMethodResponse(request: ApiRequest): APIGatewayProxyResult {
  return pageResponse(request, { status: 405, page: wrongMethodPage(setting('BRAND')) });
}
