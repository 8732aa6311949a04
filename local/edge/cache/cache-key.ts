import type { HttpRequest } from '../../http/http.ts';
import type { CachePolicy } from './cache-policy.ts';

/** The headers of a request that the cache policy selects for the key, and so for every origin request. */
export type KeyedHeaders = Readonly<Record<string, string>>;

/** Selects the keyed headers of a request. An absent header differs from an empty one. */
export function keyedHeaders(policy: CachePolicy, request: HttpRequest): KeyedHeaders {
  const headers: Record<string, string> = {};
  for (const name of policy.headers) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  const encoding = normalizedEncoding(policy, request.headers['accept-encoding'] ?? '');
  if (encoding !== undefined) headers['accept-encoding'] = encoding;
  return headers;
}

/**
 * The cache key of an answer. `scope` is the tenant, or the distribution where there is none. The Host
 * header is not part of it, so a tenant with several hosts must key on a header of its own.
 */
export function cacheKey(
  scope: string,
  behaviour: number,
  path: string,
  keyed: KeyedHeaders,
): string {
  const headers = Object.entries(keyed).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([scope, behaviour, path, headers]);
}

function normalizedEncoding(policy: CachePolicy, accepted: string): string | undefined {
  const offered = accepted
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]);
  const kept = [
    ...(policy.brotli && offered.includes('br') ? ['br'] : []),
    ...(policy.gzip && offered.includes('gzip') ? ['gzip'] : []),
  ];
  return kept.length > 0 ? kept.join(',') : undefined;
}
