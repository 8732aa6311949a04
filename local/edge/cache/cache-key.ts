import type { HttpRequest } from '../../http/http.ts';
import type { CachePolicy } from './cache-policy.ts';
import { cookiePairs, queryPairs } from '../request-parts.ts';
import { selectPairs } from '../selection.ts';

/** The parts of a request that the cache policy selects for the key, and so for every origin request. */
export type KeyedValues = ReturnType<typeof keyedValues>;

/** Selects the keyed parts of a request. An absent header differs from an empty one. */
export function keyedValues(policy: CachePolicy, request: HttpRequest) {
  const headers: Record<string, string> = {};
  for (const name of policy.headers) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  const encoding = normalizedEncoding(policy, request.headers['accept-encoding'] ?? '');
  if (encoding !== undefined) headers['accept-encoding'] = encoding;
  return {
    headers,
    cookies: joinPairs(selectPairs(cookiePairs(request.headers['cookie']), policy.cookies), '; '),
    query: joinPairs(selectPairs(queryPairs(request.query), policy.query), '&'),
  };
}

/**
 * The cache key of an answer. `scope` is the tenant, or the distribution where there is none. The Host
 * header is not part of it, so a tenant with several hosts must key on a header of its own.
 */
export function cacheKey(
  scope: string,
  behaviour: number,
  path: string,
  values: KeyedValues,
): string {
  const headers = Object.entries(values.headers).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([scope, behaviour, path, values.query, headers, values.cookies]);
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

function joinPairs(pairs: { raw: string }[], separator: string): string {
  return pairs.map(({ raw }) => raw).join(separator);
}
