import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from './api-request.ts';

/**
 * Lets in only what a page of our own sends: a browser names the page's origin in every write and
 * no page can change that (RFC 6454 §7.3). A cookie alone would come along with what other pages
 * of the same site send.
 * @throws CodedError ORIGIN_REFUSED
 */
export function requireOwnPage({ headers }: Pick<ApiRequest, 'headers'>, baseUrl: string): void {
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  if (headers['origin'] === new URL(baseUrl).origin && site === 'same-origin') return;
  throw new CodedError('ORIGIN_REFUSED', {
    error: 'This request does not come from a page of this service.',
  });
}
