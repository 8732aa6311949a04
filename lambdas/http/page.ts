import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Page } from '../../web/pages/parts/page.ts';
import type { ApiRequest } from './api-request.ts';
import type { Binding } from './bind.ts';

/** A page of the app host as a route: HTML under its own strict policy, never framed, never stored. */
export function page(route: string, render: () => Page): Binding {
  return {
    method: 'GET',
    route,
    serve: async (request) => pageResponse(request, { status: 200, page: render() }),
  };
}

/** A page and the status it is sent with. */
export interface Shown {
  status: number;
  page: Page;
  /** Set-Cookie headers. */
  cookies?: readonly string[];
}

/** A page as the answer to a request. */
export function pageResponse(
  { caller }: ApiRequest,
  { status, page: { html, csp }, cookies = [] }: Shown,
): APIGatewayProxyResult {
  const headers = { ...pageHeaders(csp), 'x-request-id': caller.requestId };
  return {
    statusCode: status,
    headers,
    ...(cookies.length > 0 && { multiValueHeaders: { 'set-cookie': [...cookies] } }),
    body: html,
  };
}

/** Of every page that we write ourselves. */
export const pageType = 'text/html; charset=utf-8';

/** Headers of every page that we write ourselves. */
export function pageHeaders(csp: string) {
  return {
    'content-type': pageType,
    'content-security-policy': csp,
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
