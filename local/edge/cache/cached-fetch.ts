import type { Clock } from '../../time/clock.ts';
import type { HttpResponse } from '../../http/http.ts';
import { discard, readBody } from './body.ts';
import { cacheKey, type KeyedHeaders, keyedHeaders } from './cache-key.ts';
import { type CacheStore, cacheTags, type Entry } from './cache-store.ts';
import { renewedHeaders, storedAnswer, validators } from './stored-answer.ts';
import { edgeError, headerOf } from '../request-parts.ts';
import {
  cacheControl,
  DEFAULT_ERROR_TTL_SECONDS,
  timeToLiveSeconds,
  wholeSeconds,
} from './freshness.ts';
import { fetchOrigin, type OriginDeps } from '../origin/fetch-origin.ts';
import { finishResponse, scopeOf, type ViewerRequest, withoutBody } from '../viewer-request.ts';

/** The dependencies of the cache. */
export interface CacheDeps extends OriginDeps {
  clock: Clock;
  store: CacheStore;
  /** Longer bodies are passed through and not cached. */
  maxBodyBytes: number;
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
 * Answers from the cache if possible, else from the origin.
 *
 * Simultaneous misses are not collapsed: each goes to the origin. An answer is cached even if its tag
 * was invalidated while the origin was still answering; CloudFront guarantees no more.
 */
export async function cachedFetch(
  deps: CacheDeps,
  viewerRequest: ViewerRequest,
): Promise<HttpResponse> {
  const { request, route } = viewerRequest;
  const keyed = keyedHeaders(route.cachePolicy, request);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const response = await fetchOrigin(deps, viewerRequest, request, keyed);
    return finishResponse(viewerRequest, response ?? edgeError(502), 'Miss', deps.clock.now());
  }
  const key = cacheKey(scopeOf(viewerRequest.site), route.behaviour.index, request.path, keyed);
  const entry = deps.store.get(key);
  const now = deps.clock.now();
  if (entry !== undefined && now.getTime() < Math.max(entry.freshUntil, entry.retryAt)) {
    return finishResponse(viewerRequest, storedAnswer(entry, request, now), 'Hit', now);
  }
  return entry !== undefined && entry.status < 400
    ? revalidate(deps, viewerRequest, { key, keyed, entry })
    : fetchAndStore(deps, viewerRequest, { key, keyed });
}

async function fetchAndStore(
  deps: CacheDeps,
  viewerRequest: ViewerRequest,
  { key, keyed }: { key: string; keyed: KeyedHeaders },
): Promise<HttpResponse> {
  const response = await fetchOrigin(deps, viewerRequest, viewerRequest.request, keyed);
  if (response === undefined)
    return finishResponse(viewerRequest, edgeError(502), 'Error', deps.clock.now());
  const stored = await storeAnswer(deps, viewerRequest, { key, response });
  return finishResponse(
    viewerRequest,
    forMethod(viewerRequest, stored.response),
    'Miss',
    deps.clock.now(),
  );
}

/** Revalidates a stale entry at the origin; a 5xx response allows serving the stale entry. */
async function revalidate(
  deps: CacheDeps,
  viewerRequest: ViewerRequest,
  { key, keyed, entry }: { key: string; keyed: KeyedHeaders; entry: Entry },
): Promise<HttpResponse> {
  const headers = { ...viewerRequest.request.headers };
  for (const name of VIEWER_CONDITIONS) delete headers[name];
  const conditional = {
    ...viewerRequest.request,
    headers: { ...headers, ...validators(entry.headers) },
  };
  const response = await fetchOrigin(deps, viewerRequest, conditional, keyed);
  const now = deps.clock.now();
  if (response === undefined || response.status >= 500) {
    return staleAnswer(deps, viewerRequest, { key, entry, response });
  }
  if (response.status === 304) {
    discard(response.body);
    const renewed = renew(viewerRequest, entry, response, now);
    if (renewed.ttlSeconds === undefined) deps.store.delete(key);
    else deps.store.set(key, renewed.entry);
    return finishResponse(
      viewerRequest,
      storedAnswer(renewed.entry, viewerRequest.request, now),
      'RefreshHit',
      now,
    );
  }
  const stored = await storeAnswer(deps, viewerRequest, { key, response });
  if (stored.entry === undefined) {
    if (viewerRequest.request.method === 'GET') deps.store.delete(key);
    return finishResponse(viewerRequest, forMethod(viewerRequest, stored.response), 'Miss', now);
  }
  return finishResponse(
    viewerRequest,
    storedAnswer(stored.entry, viewerRequest.request, now),
    'Miss',
    now,
  );
}

async function staleAnswer(
  deps: CacheDeps,
  viewerRequest: ViewerRequest,
  failed: { key: string; entry: Entry; response: HttpResponse | undefined },
): Promise<HttpResponse> {
  const { key, entry, response } = failed;
  const now = deps.clock.now();
  const directives = cacheControl(headerOf(entry.headers, 'cache-control'));
  const limitSeconds = wholeSeconds(directives.get('stale-if-error')) ?? Number.POSITIVE_INFINITY;
  if (now.getTime() <= entry.freshUntil + limitSeconds * 1000) {
    if (response !== undefined) discard(response.body);
    const retryAt = now.getTime() + errorTtlSeconds(viewerRequest, response?.status ?? 502) * 1000;
    deps.store.set(key, { ...entry, retryAt });
    return finishResponse(
      viewerRequest,
      storedAnswer(entry, viewerRequest.request, now),
      'Hit',
      now,
    );
  }
  if (response === undefined) return finishResponse(viewerRequest, edgeError(502), 'Error', now);
  const stored = await storeAnswer(deps, viewerRequest, { key, response });
  return finishResponse(viewerRequest, forMethod(viewerRequest, stored.response), 'Miss', now);
}

/** Caches the answer to a GET if the policy allows it; the returned body is still readable. */
async function storeAnswer(
  deps: CacheDeps,
  viewerRequest: ViewerRequest,
  fetched: { key: string; response: HttpResponse },
): Promise<{ response: HttpResponse; entry?: Entry }> {
  const { key, response } = fetched;
  const now = deps.clock.now();
  const ttlSeconds = ttlOf(viewerRequest, response, now);
  const stated = wholeSeconds(headerOf(response.headers, 'content-length'));
  if (viewerRequest.request.method !== 'GET' || ttlSeconds === undefined) return { response };
  if (stated !== undefined && stated > deps.maxBodyBytes) return { response };
  const read = await readBody(response.body, deps.maxBodyBytes);
  const whole = { ...response, body: read.body };
  if (read.kind === 'too-long') return { response: whole };
  if (stated !== undefined && stated !== read.body.byteLength) return { response: whole };
  const entry: Entry = {
    distributionId: viewerRequest.site.distribution.id,
    scope: scopeOf(viewerRequest.site),
    paths: [viewerRequest.viewerPath, viewerRequest.request.path],
    status: response.status,
    body: read.body,
    ...storageFields(viewerRequest, response.headers, ttlSeconds, now),
  };
  deps.store.set(key, entry);
  return { response: whole, entry };
}

function renew(viewerRequest: ViewerRequest, entry: Entry, response: HttpResponse, now: Date) {
  const headers = renewedHeaders(entry, response);
  const ttlSeconds = ttlOf(viewerRequest, { status: entry.status, headers }, now);
  return {
    ttlSeconds,
    entry: { ...entry, ...storageFields(viewerRequest, headers, ttlSeconds ?? 0, now) },
  };
}

function storageFields(
  viewerRequest: ViewerRequest,
  headers: Entry['headers'],
  ttlSeconds: number,
  now: Date,
) {
  const tagHeader = viewerRequest.site.distribution.cacheTagHeader;
  return {
    headers,
    tags: cacheTags(tagHeader === undefined ? undefined : headerOf(headers, tagHeader)),
    storedAt: now.getTime(),
    freshUntil: now.getTime() + ttlSeconds * 1000,
    retryAt: 0,
  };
}

function ttlOf(
  viewerRequest: ViewerRequest,
  answer: Pick<HttpResponse, 'status' | 'headers'>,
  now: Date,
): number | undefined {
  return timeToLiveSeconds(
    answer,
    viewerRequest.route.cachePolicy,
    errorTtlSeconds(viewerRequest, answer.status),
    now,
  );
}

function errorTtlSeconds(viewerRequest: ViewerRequest, status: number): number {
  return viewerRequest.site.distribution.errorTtlSeconds.get(status) ?? DEFAULT_ERROR_TTL_SECONDS;
}

function forMethod(viewerRequest: ViewerRequest, response: HttpResponse): HttpResponse {
  return viewerRequest.request.method === 'HEAD' ? withoutBody(response) : response;
}
