import type { APIGatewayProxyResult } from 'aws-lambda';
import { oauthPaths } from '../../contract/oauth/oauth.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { pageResponse, type Shown } from '../http/page.ts';

/**
 * A page below `/oauth` as the answer to a request.
 *
 * Its address is told to our own host: under `no-referrer`, which our other pages have, Chromium
 * sends `Origin: null` with its forms, and they could not be told from those of other sites.
 */
export function authorizePage(
  request: ApiRequest,
  shown: Shown,
  cookies: readonly string[] = [],
): APIGatewayProxyResult {
  const answer = pageResponse(request, { ...shown, cookies });
  return { ...answer, headers: { ...answer.headers, 'referrer-policy': 'same-origin' } };
}

/** The address of the same authorization request, to be opened anew. */
export function sameRequest({ queryParameters }: ApiRequest): string {
  return `${oauthPaths.authorize}?${queryParameters.toString()}`;
}
