import type { CachePolicy } from './cache-policy.ts';
import { headerOf } from '../request-parts.ts';

/** What of an origin's answer decides how long it lives. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
}

const STORED_SUCCESS = new Set([200, 203, 300, 301, 302, 307, 308]);
/** CloudFront keeps these errors whatever the origin says, except as `NO_STORE_HONOURED` allows. */
const STORED_ERRORS = new Set([404, 405, 410, 414, 500, 501, 502, 503, 504]);
/** CloudFront keeps these errors only where the origin gives `max-age` or `s-maxage`. */
const STORED_ERRORS_WITH_MAX_AGE = new Set([400, 403, 412, 415]);
/** The only errors for which CloudFront obeys `no-store`, `no-cache` and `private`. */
const NO_STORE_HONOURED = new Set([404, 410, 414, 501]);

/** How long CloudFront keeps an error where the distribution sets nothing. */
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
 * For how many seconds an answer may be served without asking the origin; undefined when it is not kept.
 *
 * Zero means: keep the body, but ask before every use. The table is that of the CloudFront guide,
 * "Manage how long content stays in the cache" and "Control how long CloudFront caches errors".
 * `stale-while-revalidate` is not acted on.
 */
export function timeToLiveSeconds(
  answer: Answer,
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
  answer: Answer,
  policy: CachePolicy,
  errorTtlSeconds: number,
  now: Date,
): number | undefined {
  const directives = cacheControl(headerOf(answer.headers, 'cache-control'));
  const hasMaxAge = directives.has('max-age') || directives.has('s-maxage');
  const kept =
    STORED_ERRORS.has(answer.status) ||
    (STORED_ERRORS_WITH_MAX_AGE.has(answer.status) && hasMaxAge);
  const forbidden =
    NO_STORE_HONOURED.has(answer.status) &&
    ['no-store', 'no-cache', 'private'].some((name) => directives.has(name));
  if (!kept || forbidden) return undefined;
  const stated = Math.min(statedLifetime(answer, now) ?? 0, policy.maxTtlSeconds);
  const seconds = Math.max(stated, errorTtlSeconds);
  return seconds > 0 ? seconds : undefined;
}

/** What the origin itself says: `s-maxage`, else `max-age`, else `Expires`; less the age it had on arrival. */
function statedLifetime(answer: Answer, now: Date): number | undefined {
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
