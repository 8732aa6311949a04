import type { APIGatewayProxyResult } from 'aws-lambda';
import { CodedError } from '../../core/errors.ts';
import {
  authorizationProblemPage,
  type AuthorizationProblem,
} from '../../web/pages/oauth/authorization-problem-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { requireSameOrigin } from '../http/origin-checks.ts';
import { authorizeServices } from './oauth-services.ts';
import { oauthPaths } from '../../contract/oauth/oauth-paths.ts';
import { type PageResponse, pageResponse } from '../http/page-response.ts';
import { withHeaders, withRetryAfter } from '../http/with-headers.ts';

const problemKinds: Partial<Record<CodedError['code'], AuthorizationProblem>> = {
  ORIGIN_REFUSED: 'begin-again',
  ACCOUNT_SUSPENDED: 'suspended',
  RATE_LIMITED: 'rate-limited',
  UNAVAILABLE: 'unavailable',
};

type ServePage = (request: ApiRequest) => Promise<APIGatewayProxyResult>;

/** A page and the forms on it, which only pages of our own host may send. Errors that a person can see are pages. */
export function pageBindings(route: string, show: ServePage, submit: ServePage): Binding[] {
  const shown = (serve: ServePage) => async (request: ApiRequest) => {
    try {
      return await serve(request);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return errorPageResponse(request, error);
    }
  };
  const checked: ServePage = async (request) => {
    requireSameOrigin(request, authorizeServices().baseUrl);
    return submit(request);
  };
  return [
    { method: 'GET', route, serve: shown(show) },
    { method: 'POST', route, serve: shown(checked) },
  ];
}

/** The page for an error that a person can see; rethrows other errors. */
export function errorPageResponse(request: ApiRequest, error: CodedError): APIGatewayProxyResult {
  const kind = problemKinds[error.code];
  if (kind === undefined) throw error;
  const detail = kind === 'begin-again' || kind === 'suspended' ? undefined : error.message;
  const answer = problemPageResponse(request, error.status, kind, detail);
  const wait = error.body['retryAfterSeconds'];
  return typeof wait === 'number' ? withRetryAfter(answer, wait) : answer;
}

/** A page that explains why a person cannot continue. */
export function problemPageResponse(
  request: ApiRequest,
  status: number,
  kind: AuthorizationProblem,
  detail: string | undefined,
): APIGatewayProxyResult {
  const { brand } = authorizeServices();
  return oauthPageResponse(request, {
    status,
    page: authorizationProblemPage({ brand, kind, detail }),
  });
}

/**
 * The HTTP response for a page below `/oauth`.
 *
 * The referrer is sent to our own host only. With `no-referrer`, which our other pages have, Chromium
 * sends `Origin: null` with forms, which cannot be distinguished from forms of other sites.
 */
export function oauthPageResponse(
  request: ApiRequest,
  pageAnswer: PageResponse,
  cookies: readonly string[] = [],
): APIGatewayProxyResult {
  const answer = pageResponse(request, { ...pageAnswer, cookies });
  return withHeaders(answer, { 'referrer-policy': 'same-origin' });
}

/** The address of the same authorization request. */
export function authorizationAddress({ queryParameters }: ApiRequest): string {
  return `${oauthPaths.authorize}?${queryParameters.toString()}`;
}
