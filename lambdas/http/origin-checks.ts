import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from './api-request.ts';
import { isSignedWith, type RotatingSecret } from '../../core/secrets/rotating-secret.ts';

/**
 * Accepts only requests from our own pages: a browser sends the page's origin with every write, and
 * no page can change that (RFC 6454 §7.3). A cookie alone is not enough: browsers send it with
 * requests from other pages of the same site too.
 * @throws CodedError ORIGIN_REFUSED
 */
export function requireSameOrigin({ headers }: Pick<ApiRequest, 'headers'>, baseUrl: string): void {
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  if (headers['origin'] === new URL(baseUrl).origin && site === 'same-origin') return;
  throw new CodedError('ORIGIN_REFUSED', {
    error: 'This request was not sent from a page of this service.',
  });
}

/**
 * Whether a form was sent from one of our pages, as far as its browser tells. Pages with a secret in their
 * address send no referrer, and with it no origin: `Sec-Fetch-Site` tells then (Fetch Metadata §2.4; no page
 * can change it).
 */
export function isFromOwnPage({ headers }: Pick<ApiRequest, 'headers'>, baseUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined
    ? headers['origin'] === new URL(baseUrl).origin
    : site === 'same-origin';
}

/**
 * Accepts only requests from our own CloudFront distribution. A request that bypasses it could forge
 * the caller's address.
 * @throws CodedError FORBIDDEN
 */
export function requireEdge(
  { headers }: Pick<ApiRequest, 'headers'>,
  secret: RotatingSecret,
): void {
  if (!cameThroughEdge(headers, secret)) {
    throw new CodedError('FORBIDDEN', { error: 'This address does not accept direct requests.' });
  }
}

/** Whether a request has the secret header that only our CloudFront distribution adds. */
export function cameThroughEdge(headers: ApiRequest['headers'], secret: RotatingSecret): boolean {
  return isSignedWith(secret, headers['x-slipway-origin'] ?? '', (value) => value);
}
