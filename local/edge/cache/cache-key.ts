import type { HttpRequest } from '../../http/http.ts';
import type { CachePolicy } from './cache-policy.ts';
import { cookiePairs, queryPairs } from '../request-parts.ts';
import { selectPairs } from '../selection.ts';

/** The parts of a request that the cache policy puts into the key, and with that into every origin request. */
export interface KeyedValues {
  headers: Record<string, string>;
  cookies: string;
  query: string;
}

/** What the cache policy takes of a request. A header that is absent differs from one that is empty. */
export function keyedValues(policy: CachePolicy, request: HttpRequest): KeyedValues {
  const headers: Record<string, string> = {};
  for (const name of policy.headers) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  const encoding = normalizedEncoding(policy, request.headers['accept-encoding'] ?? '');
  if (encoding !== undefined) headers['accept-encoding'] = encoding;
  return {
    headers,
    cookies: joinRaw(selectPairs(cookiePairs(request.headers['cookie']), policy.cookies), '; '),
    query: joinRaw(selectPairs(queryPairs(request.query), policy.query), '&'),
  };
}

/**
 * The name under which an answer is kept. `scope` is the tenant, or the distribution where there is none;
 * the Host header is no part of it, which is why a tenant with several hosts must key on a header of its own.
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

function joinRaw(pairs: { raw: string }[], separator: string): string {
  return pairs.map(({ raw }) => raw).join(separator);
}
