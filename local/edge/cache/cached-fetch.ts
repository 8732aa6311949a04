import type { Clock } from '../../time/clock.ts';
import type { HttpRequest, HttpResponse } from '../../http/http.ts';
import { discard, readBody } from './body.ts';
import { cacheKey, type KeyedValues, keyedValues } from './cache-key.ts';
import { type CacheStore, cacheTags, type Entry } from './cache-store.ts';
import { validators } from './conditional.ts';
import { edgeError } from '../error-pages.ts';
import {
  cacheControl,
  DEFAULT_ERROR_TTL_SECONDS,
  timeToLiveSeconds,
  wholeSeconds,
} from './freshness.ts';
import { type OriginPort, originRequest } from '../origin/origin-request.ts';
import { headerOf } from '../request-parts.ts';
import { renewedHeaders, storedAnswer } from './stored-answer.ts';
import { tenantOrigin } from '../origin/tenant-origin.ts';
import { finish, scopeOf, type Visit, withoutBody } from '../visit.ts';

/** What the cache works with. */
export interface FetchDeps {
  clock: Clock;
  store: CacheStore;
  origins: OriginPort;
  /** Longer bodies pass through and are not kept. */
  maxBodyBytes: number;
  report(message: string): void;
}

const VIEWER_CONDITIONS = [
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
];

/**
 * Answers from the cache where it may, else from the origin.
 *
 * Nothing is collapsed: two misses at once are two requests to the origin. An answer is kept even when
 * its tag was purged while the origin was still answering; CloudFront gives no better promise.
 */
export async function cachedFetch(deps: FetchDeps, visit: Visit): Promise<HttpResponse> {
  const { request, route } = visit;
  const keyed = keyedValues(route.cachePolicy, request);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const response = await fetchOrigin(deps, visit, request, keyed);
    return finish(visit, response ?? edgeError(502), 'Miss', deps.clock.now());
  }
  const key = cacheKey(scopeOf(visit.site), route.behaviour.index, request.path, keyed);
  const entry = deps.store.get(key);
  const now = deps.clock.now();
  if (entry !== undefined && now.getTime() < Math.max(entry.freshUntil, entry.retryAt)) {
    return finish(visit, storedAnswer(entry, request, now), 'Hit', now);
  }
  return entry !== undefined && entry.status < 400
    ? revalidate(deps, visit, { key, keyed, entry })
    : fetchAnew(deps, visit, { key, keyed });
}

async function fetchAnew(
  deps: FetchDeps,
  visit: Visit,
  { key, keyed }: { key: string; keyed: KeyedValues },
): Promise<HttpResponse> {
  const response = await fetchOrigin(deps, visit, visit.request, keyed);
  if (response === undefined) return finish(visit, edgeError(502), 'Error', deps.clock.now());
  const kept = await keep(deps, visit, { key, keyed, response });
  return finish(visit, ofMethod(visit, kept.response), 'Miss', deps.clock.now());
}

/** Asks the origin whether what is kept still holds; a 5xx answer lets the expired one be served. */
async function revalidate(
  deps: FetchDeps,
  visit: Visit,
  { key, keyed, entry }: { key: string; keyed: KeyedValues; entry: Entry },
): Promise<HttpResponse> {
  const headers = { ...visit.request.headers };
  for (const name of VIEWER_CONDITIONS) delete headers[name];
  const conditional = { ...visit.request, headers: { ...headers, ...validators(entry.headers) } };
  const response = await fetchOrigin(deps, visit, conditional, keyed);
  const now = deps.clock.now();
  if (response === undefined || response.status >= 500) {
    return staleAnswer(deps, visit, { key, keyed, entry, response });
  }
  if (response.status === 304) {
    discard(response.body);
    const renewed = renew(visit, entry, response, now);
    if (renewed.ttlSeconds === undefined) deps.store.delete(key);
    else deps.store.set(key, renewed.entry);
    return finish(visit, storedAnswer(renewed.entry, visit.request, now), 'RefreshHit', now);
  }
  const kept = await keep(deps, visit, { key, keyed, response });
  if (kept.entry === undefined) {
    if (visit.request.method === 'GET') deps.store.delete(key);
    return finish(visit, ofMethod(visit, kept.response), 'Miss', now);
  }
  return finish(visit, storedAnswer(kept.entry, visit.request, now), 'Miss', now);
}

async function staleAnswer(
  deps: FetchDeps,
  visit: Visit,
  failed: { key: string; keyed: KeyedValues; entry: Entry; response: HttpResponse | undefined },
): Promise<HttpResponse> {
  const { key, keyed, entry, response } = failed;
  const now = deps.clock.now();
  const directives = cacheControl(headerOf(entry.headers, 'cache-control'));
  const limitSeconds = wholeSeconds(directives.get('stale-if-error')) ?? Number.POSITIVE_INFINITY;
  if (now.getTime() <= entry.freshUntil + limitSeconds * 1000) {
    if (response !== undefined) discard(response.body);
    const retryAt = now.getTime() + errorTtlSeconds(visit, response?.status ?? 502) * 1000;
    deps.store.set(key, { ...entry, retryAt });
    return finish(visit, storedAnswer(entry, visit.request, now), 'Hit', now);
  }
  if (response === undefined) return finish(visit, edgeError(502), 'Error', now);
  const kept = await keep(deps, visit, { key, keyed, response });
  return finish(visit, ofMethod(visit, kept.response), 'Miss', now);
}

/** Keeps the answer to a GET where the policy lets it; gives it back with its body still readable. */
async function keep(
  deps: FetchDeps,
  visit: Visit,
  fetched: { key: string; keyed: KeyedValues; response: HttpResponse },
): Promise<{ response: HttpResponse; entry?: Entry }> {
  const { key, keyed, response } = fetched;
  const now = deps.clock.now();
  const ttlSeconds = lifetime(visit, response, now);
  const stated = wholeSeconds(headerOf(response.headers, 'content-length'));
  if (visit.request.method !== 'GET' || ttlSeconds === undefined) return { response };
  if (stated !== undefined && stated > deps.maxBodyBytes) return { response };
  const read = await readBody(response.body, deps.maxBodyBytes);
  const whole = { ...response, body: read.body };
  if (read.kind === 'too-long') return { response: whole };
  if (stated !== undefined && stated !== read.body.byteLength) return { response: whole };
  const entry: Entry = {
    distributionId: visit.site.distribution.id,
    scope: scopeOf(visit.site),
    paths: [visit.viewerPath, visit.request.path],
    query: keyed.query,
    status: response.status,
    body: read.body,
    ...keptUntil(visit, response.headers, ttlSeconds, now),
  };
  deps.store.set(key, entry);
  return { response: whole, entry };
}

function renew(visit: Visit, entry: Entry, response: HttpResponse, now: Date) {
  const headers = renewedHeaders(entry, response);
  const ttlSeconds = lifetime(visit, { status: entry.status, headers }, now);
  return { ttlSeconds, entry: { ...entry, ...keptUntil(visit, headers, ttlSeconds ?? 0, now) } };
}

function keptUntil(visit: Visit, headers: Entry['headers'], ttlSeconds: number, now: Date) {
  const tagHeader = visit.site.distribution.cacheTagHeader;
  return {
    headers,
    tags: cacheTags(tagHeader === undefined ? undefined : headerOf(headers, tagHeader)),
    storedAt: now.getTime(),
    freshUntil: now.getTime() + ttlSeconds * 1000,
    retryAt: 0,
  };
}

function lifetime(
  visit: Visit,
  answer: Pick<HttpResponse, 'status' | 'headers'>,
  now: Date,
): number | undefined {
  return timeToLiveSeconds(
    answer,
    visit.route.cachePolicy,
    errorTtlSeconds(visit, answer.status),
    now,
  );
}

function errorTtlSeconds(visit: Visit, status: number): number {
  return visit.site.distribution.errorTtlSeconds.get(status) ?? DEFAULT_ERROR_TTL_SECONDS;
}

function ofMethod(visit: Visit, response: HttpResponse): HttpResponse {
  return visit.request.method === 'HEAD' ? withoutBody(response) : response;
}

/** Asks the origin; undefined when it could not be reached at all. */
async function fetchOrigin(
  deps: FetchDeps,
  visit: Visit,
  request: HttpRequest,
  keyed: KeyedValues,
): Promise<HttpResponse | undefined> {
  const { route } = visit;
  const { origin, customHeaders } = tenantOrigin(route.origin, visit.site);
  const outgoing = originRequest(request, {
    origin,
    customHeaders,
    cachePolicy: route.cachePolicy,
    originRequestPolicy: route.originRequestPolicy,
    keyed,
    requestId: visit.requestId,
  });
  try {
    const response = await deps.origins.fetch(origin, outgoing);
    const takesCookies =
      route.cachePolicy.cookies.behaviour !== 'none' ||
      route.originRequestPolicy.cookies.behaviour !== 'none';
    if (takesCookies) return response;
    const { 'set-cookie': _dropped, ...headers } = response.headers;
    return { ...response, headers };
  } catch (error) {
    deps.report(`origin ${origin.id} failed: ${String(error)}`);
    return undefined;
  }
}
