import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Page } from '../../web/pages/parts/page.ts';
import type { ApiRequest } from './api-request.ts';
import type { Binding } from './bind.ts';

/** A route that serves an HTML page with its own strict Content-Security-Policy. */
export function page(route: string, render: () => Page): Binding {
  return {
    method: 'GET',
    route,
    serve: async (request) => pageResponse(request, { status: 200, page: render() }),
  };
}

/** Whether the caller is a browser that wants to show a page. Programs get JSON. */
export function acceptsPage({ headers }: Pick<ApiRequest, 'headers'>): boolean {
  return /\btext\/html\b/i.test(headers['accept'] ?? '');
}

/** A page, its status and its cookies. */
export interface PageResponse {
  status: number;
  page: Page;
  /** Set-Cookie headers. */
  cookies?: readonly string[];
}

/** The HTTP response for a page. */
export function pageResponse(
  { caller }: ApiRequest,
  { status, page: { html, csp }, cookies = [] }: PageResponse,
): APIGatewayProxyResult {
  const headers = { ...pageHeaders(csp), 'x-request-id': caller.requestId };
  return {
    statusCode: status,
    headers,
    ...(cookies.length > 0 && { multiValueHeaders: { 'set-cookie': [...cookies] } }),
    body: html,
  };
}

/** Content-Type of our own pages. */
export const pageType = 'text/html; charset=utf-8';

/** Headers of our own pages. */
export function pageHeaders(csp: string) {
  return {
    'content-type': pageType,
    'content-security-policy': csp,
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
  };
}

/** A redirect that the browser follows with GET (303, RFC 9110 §15.4.4). It is not cached and sends no referrer. */
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
