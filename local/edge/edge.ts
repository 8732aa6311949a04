import { randomBytes } from 'node:crypto';
import type { Clock } from '../time/clock.ts';
import type { HttpRequest, HttpResponse, Resource } from '../http/http.ts';
import { cacheStore } from './cache/cache-store.ts';
import { cachedFetch, type FetchDeps } from './cache/cached-fetch.ts';
import { type Catalog, type KindOfDomain, readCatalog, type Route } from './catalog.ts';
import { withCloudFrontHeaders } from './cloudfront-headers.ts';
import { edgeError, signatureError } from './error-pages.ts';
import { type Site, siteOf } from './host-routing.ts';
import type { OriginPort } from './origin/origin-request.ts';
import { matchesPath } from './path-pattern.ts';
import { limitStatus } from './request-limits.ts';
import { hostName } from './request-parts.ts';
import { checkSignature, withoutSignature } from './signed-url.ts';
import { finish, type Visit, withoutBody } from './visit.ts';

/** What an edge is made of. */
export interface EdgeOptions {
  /** All resources of the templates; those that are not of CloudFront are left alone. */
  resources: readonly Resource[];
  clock: Clock;
  origins: OriginPort;
  /** Needed only for domain names from which `execute-api` or `lambda-url` is gone. */
  kindOfDomain?: KindOfDomain;
  /** Where failures of functions and origins are told; they never reach a viewer. */
  report?: (message: string) => void;
  maxCacheBytes?: number;
  maxBodyBytes?: number;
}

/** CloudFront, for the distributions of the templates. */
export interface Edge {
  handle(request: HttpRequest): Promise<HttpResponse>;
  /** Forgets what the items name: paths, optionally with a trailing `*`, or `#tag`. Throws for an id that it does not know. */
  invalidate(distributionIdOrTenantId: string, items: string[]): void;
  /** Headers that the origins of a distribution get, by the origin's id. */
  originHeaders(distributionId: string): Record<string, Record<string, string>> | undefined;
  /** Replaces them, as UpdateDistribution does. */
  setOriginHeaders(distributionId: string, headers: Record<string, Record<string, string>>): void;
}

const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024;
const DEFAULT_BODY_BYTES = 32 * 1024 * 1024;

/** Reads the templates' CloudFront resources and answers requests as CloudFront would. */
export function createEdge(options: EdgeOptions): Edge {
  const catalog = readCatalog(options.resources, options.kindOfDomain ?? (() => undefined));
  const deps: FetchDeps = {
    clock: options.clock,
    store: cacheStore(options.maxCacheBytes ?? DEFAULT_CACHE_BYTES),
    origins: options.origins,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_BODY_BYTES,
    report: options.report ?? ((message) => console.error(`edge: ${message}`)),
  };
  return {
    async handle(request) {
      const response = await answer(catalog, deps, request);
      return request.method === 'HEAD' ? withoutBody(response) : response;
    },
    invalidate(id, items) {
      if (!catalog.ids.has(id)) throw new Error(`Local edge: no distribution or tenant ${id}`);
      deps.store.invalidate(id, items);
    },
    originHeaders(id) {
      const routes = catalog.routes.get(id);
      if (routes === undefined) return undefined;
      return Object.fromEntries(
        routes.map(({ origin }) => [origin.id, { ...origin.customHeaders }]),
      );
    },
    setOriginHeaders(id, headers) {
      for (const { origin } of catalog.routes.get(id) ?? []) {
        origin.customHeaders = headers[origin.id] ?? {};
      }
    },
  };
}

async function answer(
  catalog: Catalog,
  deps: FetchDeps,
  request: HttpRequest,
): Promise<HttpResponse> {
  const limit = limitStatus(request);
  if (limit !== undefined) return edgeError(limit);
  const site = siteOf(catalog.hosts, hostName(request));
  if (site === undefined) return edgeError(403);
  const route = routeOf(catalog, site, request);
  if (route === undefined || !route.behaviour.allowedMethods.has(request.method)) {
    return edgeError(403);
  }
  const refusal =
    route.keys === undefined ? undefined : checkSignature(request, route.keys, deps.clock.now());
  if (refusal !== undefined) return signatureError(refusal);
  return afterFunction(deps, {
    site,
    route,
    request: withCloudFrontHeaders(request, route.cloudFrontHeaders),
    viewerPath: request.path,
    requestId: randomBytes(42).toString('base64url'),
  });
}

function routeOf(catalog: Catalog, site: Site, request: HttpRequest): Route | undefined {
  return catalog.routes
    .get(site.distribution.id)
    ?.find(({ behaviour }) => matchesPath(behaviour.pathPattern, request.path));
}

/** Runs the viewer-request function, which comes after the signature check and before the cache. */
async function afterFunction(deps: FetchDeps, visit: Visit): Promise<HttpResponse> {
  const context = { distributionId: visit.site.distribution.id, requestId: visit.requestId };
  const outcome = visit.route.viewerFunction?.run(visit.request, context) ?? {
    kind: 'request' as const,
    request: visit.request,
  };
  switch (outcome.kind) {
    case 'request':
      return cachedFetch(deps, { ...visit, request: forCache(visit, outcome.request) });
    case 'response':
      return finish(visit, outcome.response, 'FunctionGeneratedResponse', deps.clock.now());
    case 'failed':
      deps.report(`viewer-request function: ${outcome.reason}`);
      return edgeError(503, 'FunctionExecutionError from cloudfront');
    case 'invalid':
      deps.report(`viewer-request function: ${outcome.reason}`);
      return edgeError(502, 'FunctionValidationError from cloudfront');
    default:
      return outcome satisfies never;
  }
}

/** Signature parameters end here, and `/` becomes the default root object. */
function forCache(visit: Visit, request: HttpRequest): HttpRequest {
  const root = visit.site.distribution.defaultRootObject;
  return {
    ...request,
    path: request.path === '/' && root !== '' ? `/${root}` : request.path,
    query: visit.route.keys === undefined ? request.query : withoutSignature(request.query),
  };
}
