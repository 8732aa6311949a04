import { headerOf } from '../request-parts.ts';

/**
 * Whether the viewer already has what the cache holds (RFC 9110 sections 13.1.2 and 13.1.3).
 *
 * `If-None-Match` is compared weakly and makes `If-Modified-Since` count for nothing.
 */
export function isNotModified(
  request: Record<string, string>,
  stored: Record<string, string | string[]>,
): boolean {
  const wanted = request['if-none-match'];
  const etag = headerOf(stored, 'etag');
  if (wanted !== undefined) {
    if (wanted.trim() === '*') return true;
    return etag !== undefined && wanted.split(',').some((tag) => opaque(tag) === opaque(etag));
  }
  const since = Date.parse(request['if-modified-since'] ?? '');
  const modified = Date.parse(headerOf(stored, 'last-modified') ?? '');
  return modified <= since;
}

/** The headers with which a stored answer is checked at the origin; empty when it has no validator. */
export function validators(stored: Record<string, string | string[]>): Record<string, string> {
  const etag = headerOf(stored, 'etag');
  const modified = headerOf(stored, 'last-modified');
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  };
}

function opaque(etag: string): string {
  return etag.trim().replace(/^W\//, '');
}
