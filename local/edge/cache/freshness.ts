import type { CachePolicy } from './cache-policy.ts';
import { headerOf } from '../request-parts.ts';

/** The part of an origin's answer that decides its lifetime. */
export interface OriginAnswer {
  status: number;
  headers: Record<string, string | string[]>;
}

const STORED_SUCCESS = new Set([200, 203, 300, 301, 302, 307, 308]);
/**
 * CloudFront caches these errors regardless of the origin's headers, except for
 * `NO_STORE_HONOURED`.
 */
const STORED_ERRORS = new Set([404, 405, 410, 414, 500, 501, 502, 503, 504]);
/** CloudFront caches these errors only if the origin sends `max-age` or `s-maxage`. */
const STORED_ERRORS_WITH_MAX_AGE = new Set([400, 403, 412, 415]);
/** The errors for which CloudFront honours `no-store`, `no-cache` and `private`. */
const NO_STORE_HONOURED = new Set([404, 410, 414, 501]);

/** How long CloudFront caches an error by default. */
export const DEFAULT_ERROR_TTL_SECONDS = 10;

/** The directives of a Cache-Control header; a directive without a value maps to the empty string. */
export function cacheControl(header: string | undefined): Map<string, string> {
  const directives = new Map<string, string>();
  for (const part of (header ?? '').split(',')) {
    const [name = '', value = ''] = part.split('=', 2);
    const key = name.trim().toLowerCase();
    if (key !== '') directives.set(key, value.trim().replace(/^"|"$/g, ''));
  }
  return directives;
}

/**
 * How many seconds an answer may be served without revalidation; undefined if it is not cached.
 *
 * Zero means: cached, but revalidated before every use. The rules are those of the CloudFront guide,
 * "Manage how long content stays in the cache" and "Control how long CloudFront caches errors".
 * `stale-while-revalidate` is ignored.
 */
export function timeToLiveSeconds(
  answer: OriginAnswer,
  policy: CachePolicy,
  errorTtlSeconds: number,
  now: Date,
): number | undefined {
  if (headerOf(answer.headers, 'vary')?.trim() === '*') return undefined;
  if (answer.status >= 400) return errorLifetime(answer, policy, errorTtlSeconds, now);
  if (!STORED_SUCCESS.has(answer.status) || policy.maxTtlSeconds === 0) return undefined;
  const directives = cacheControl(headerOf(answer.headers, 'cache-control'));
  if (['no-store', 'private'].some((name) => directives.get(name) === '')) {
    return policy.minTtlSeconds > 0 ? policy.minTtlSeconds : undefined;
  }
  if (directives.get('no-cache') === '') return policy.minTtlSeconds;
  const stated = statedLifetime(answer, now);
  if (stated === undefined) return Math.max(policy.minTtlSeconds, policy.defaultTtlSeconds);
  return Math.min(Math.max(stated, policy.minTtlSeconds), policy.maxTtlSeconds);
}

function errorLifetime(
  answer: OriginAnswer,
  policy: CachePolicy,
  errorTtlSeconds: number,
  now: Date,
): number | undefined {
  const directives = cacheControl(headerOf(answer.headers, 'cache-control'));
  const hasMaxAge = directives.has('max-age') || directives.has('s-maxage');
  const isStored =
    STORED_ERRORS.has(answer.status) ||
    (STORED_ERRORS_WITH_MAX_AGE.has(answer.status) && hasMaxAge);
  const isForbidden =
    NO_STORE_HONOURED.has(answer.status) &&
    ['no-store', 'no-cache', 'private'].some((name) => directives.has(name));
  if (!isStored || isForbidden) return undefined;
  const stated = Math.min(statedLifetime(answer, now) ?? 0, policy.maxTtlSeconds);
  const seconds = Math.max(stated, errorTtlSeconds);
  return seconds > 0 ? seconds : undefined;
}

/** The lifetime that the origin states: `s-maxage`, else `max-age`, else `Expires`; minus the age on arrival. */
function statedLifetime(answer: OriginAnswer, now: Date): number | undefined {
  const directives = cacheControl(headerOf(answer.headers, 'cache-control'));
  const seconds =
    wholeSeconds(directives.get('s-maxage')) ?? wholeSeconds(directives.get('max-age'));
  const age = wholeSeconds(headerOf(answer.headers, 'age')) ?? 0;
  if (seconds !== undefined) return Math.max(0, seconds - age);
  const expires = headerOf(answer.headers, 'expires');
  if (expires === undefined) return undefined;
  const until = Date.parse(expires);
  return Number.isNaN(until) ? 0 : Math.max(0, Math.floor((until - now.getTime()) / 1000));
}

/** A non-negative whole number of seconds, or undefined. */
export function wholeSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
