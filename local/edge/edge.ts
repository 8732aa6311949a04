import { randomBytes } from 'node:crypto';
import type { Clock } from '../time/clock.ts';
import type { HttpRequest, HttpResponse } from '../http/http.ts';
import type { Resource } from '../assembly/resource.ts';
import { cacheStore } from './cache/cache-store.ts';
import { type CacheDeps, cachedFetch } from './cache/cached-fetch.ts';
import { type Catalog, type OriginKindOfDomain, readCatalog, type Route } from './catalog.ts';
import { withoutCloudFrontHeaders } from './cloudfront-headers.ts';
import { edgeError, hostName, pathWithQuery } from './request-parts.ts';
import { customerSite, type CustomerTenants, tenantOfFunction } from './customer-tenants.ts';
import {
  type ConnectionGroup,
  findSite,
  matchesPath,
  normalizedPath,
  type Site,
} from './host-routing.ts';
import type { OriginPort } from './origin/origin-request.ts';
import type { FunctionContext } from './viewer-function/viewer-function-event.ts';
import { finishResponse, type ViewerRequest, withoutBody } from './viewer-request.ts';

/** The configuration and dependencies of an edge. */
export interface EdgeOptions {
  /** All resources of the templates; other services' resources are ignored. */
  resources: readonly Resource[];
  clock: Clock;
  origins: OriginPort;
  /** Needed only for origins whose domain name shows neither `execute-api` nor `lambda-url`. */
  kindOfDomain?: OriginKindOfDomain;
  /** Receives failures of functions and origins, which are never shown to a viewer. */
  report?: (message: string) => void;
  maxCacheBytes?: number;
  maxBodyBytes?: number;
  /** Tenants that the templates do not define. */
  tenants?: CustomerTenants | undefined;
  /** Called for each unit of CloudFront's price list. */
  onBilled?: (unit: 'CloudFront requests' | 'CloudFront functions') => void;
}

/** CloudFront with the distributions of the templates. */
export interface Edge {
  handle(request: HttpRequest): Promise<HttpResponse>;
  /** Invalidates paths, optionally with a trailing `*`, or tags (`#tag`). Throws for an unknown id. */
  invalidate(distributionIdOrTenantId: string, items: string[]): void;
  /** The custom headers of a distribution's origins, by the origin's id. */
  originHeaders(distributionId: string): Record<string, Record<string, string>> | undefined;
  /** The parameters of a distribution's tenants; undefined if it has no tenants. */
  tenantParameters(distributionId: string): readonly string[] | undefined;
  connectionGroup(id: string): ConnectionGroup | undefined;
  /** Whether the templates give this domain to a distribution or a tenant. */
  hasDomain(domain: string): boolean;
  /** Replaces the custom headers, as UpdateDistribution does. */
  setOriginHeaders(distributionId: string, headers: Record<string, Record<string, string>>): void;
}

const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024;
const DEFAULT_BODY_BYTES = 32 * 1024 * 1024;

type EdgeDeps = CacheDeps & Pick<Required<EdgeOptions>, 'onBilled'>;

/** Creates the edge from the templates' CloudFront resources. */
export function createEdge(options: EdgeOptions): Edge {
  const catalog = readCatalog(options.resources, options.kindOfDomain ?? (() => undefined));
  const deps: EdgeDeps = {
    onBilled: options.onBilled ?? (() => undefined),
    clock: options.clock,
    store: cacheStore(options.maxCacheBytes ?? DEFAULT_CACHE_BYTES),
    origins: options.origins,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_BODY_BYTES,
    report: options.report ?? ((message) => console.error(`edge: ${message}`)),
  };
  return {
    async handle(request) {
      deps.onBilled('CloudFront requests');
      const siteOf = (domain: string) =>
        catalog.hosts.get(domain) ?? customerSite(catalog, options.tenants, domain);
      const response = await answer({ ...catalog, siteOf }, deps, request);
      return request.method === 'HEAD' ? withoutBody(response) : response;
    },
    invalidate(id, items) {
      const isKnown = catalog.ids.has(id) || options.tenants?.has(id) === true;
      if (!isKnown) throw new Error(`Local edge: no distribution or tenant ${id}`);
      deps.store.invalidate(id, items);
    },
    originHeaders(id) {
      const routes = catalog.routes.get(id);
      if (routes === undefined) return undefined;
      return Object.fromEntries(
        routes.map(({ origin }) => [origin.id, { ...origin.customHeaders }]),
      );
    },
    tenantParameters(id) {
      const distribution = catalog.distributions.get(id);
      return distribution?.isTenantOnly === true ? distribution.parameters : undefined;
    },
    connectionGroup: (id) => catalog.connectionGroups.get(id),
    hasDomain: (domain) => catalog.hosts.has(domain),
    setOriginHeaders(id, headers) {
      for (const { origin } of catalog.routes.get(id) ?? []) {
        origin.customHeaders = headers[origin.id] ?? {};
      }
    },
  };
}

type RoutingCatalog = Catalog & { siteOf: (domain: string) => Site | undefined };

async function answer(
  catalog: RoutingCatalog,
  deps: EdgeDeps,
  request: HttpRequest,
): Promise<HttpResponse> {
  const limit = limitStatus(request);
  if (limit !== undefined) return edgeError(limit);
  const site = findSite(catalog.siteOf, hostName(request));
  if (site === undefined) return edgeError(403);
  const route = findRoute(catalog, site, request);
  if (route === undefined || !route.behaviour.allowedMethods.has(request.method)) {
    return edgeError(403);
  }
  return runViewerFunction(deps, {
    site,
    route,
    request: withoutCloudFrontHeaders(request),
    viewerPath: request.path,
    requestId: randomBytes(42).toString('base64url'),
  });
}

function findRoute(catalog: Catalog, site: Site, request: HttpRequest): Route | undefined {
  const path = normalizedPath(request.path);
  return catalog.routes
    .get(site.distribution.id)
    ?.find(({ behaviour }) => matchesPath(behaviour.pathPattern, path));
}

async function runViewerFunction(
  deps: EdgeDeps,
  viewerRequest: ViewerRequest,
): Promise<HttpResponse> {
  if (viewerRequest.route.viewerFunction !== undefined) deps.onBilled('CloudFront functions');
  const context = {
    distributionId: viewerRequest.site.distribution.id,
    requestId: viewerRequest.requestId,
    tenant: tenantOfFunction(viewerRequest.site),
  };
  const outcome = viewerRequest.route.viewerFunction?.run(viewerRequest.request, context) ?? {
    kind: 'request' as const,
    request: viewerRequest.request,
    originGroup: undefined,
  };
  switch (outcome.kind) {
    case 'request': {
      const rewritten = {
        ...viewerRequest,
        request: outcome.request,
        originGroup: outcome.originGroup,
      };
      return runResponseFunction(deps, rewritten, await cachedFetch(deps, rewritten), context);
    }
    case 'response':
      return finishResponse(
        viewerRequest,
        outcome.response,
        'FunctionGeneratedResponse',
        deps.clock.now(),
      );
    case 'failed':
    case 'invalid':
      return functionError(deps, 'viewer-request', outcome);
    default:
      return outcome satisfies never;
  }
}

/** CloudFront runs no function for an answer of 400 or more ("Restrictions on all edge functions"). */
function runResponseFunction(
  deps: EdgeDeps,
  { route, request }: ViewerRequest,
  response: HttpResponse,
  context: FunctionContext,
): HttpResponse {
  if (route.responseFunction === undefined || response.status >= 400) return response;
  deps.onBilled('CloudFront functions');
  const outcome = route.responseFunction.runForResponse(request, response, context);
  if (outcome.kind === 'response') return outcome.response;
  if (!Buffer.isBuffer(response.body)) response.body.destroy();
  return functionError(deps, 'viewer-response', outcome);
}

function functionError(
  deps: CacheDeps,
  event: string,
  { kind, reason }: { kind: 'failed' | 'invalid'; reason: string },
): HttpResponse {
  deps.report(`${event} function: ${reason}`);
  return kind === 'failed'
    ? edgeError(503, 'FunctionExecutionError from cloudfront')
    : edgeError(502, 'FunctionValidationError from cloudfront');
}

const MAX_URL_BYTES = 8192;

/** Request line and headers together ("Quotas", general). */
const MAX_REQUEST_BYTES = 20_480;

/** The status for a request beyond CloudFront's limits; undefined if it is within them. */
function limitStatus(request: HttpRequest): 403 | 413 | 414 | undefined {
  const target = pathWithQuery(request.path, request.query);
  const url = `http://${request.headers['host'] ?? ''}${target}`;
  if (Buffer.byteLength(url) > MAX_URL_BYTES) return 414;
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = Buffer.byteLength(`${request.method} ${target} HTTP/1.1\r\n${headers.join('')}`);
  if (bytes > MAX_REQUEST_BYTES) return 413;
  return request.method === 'GET' && request.body.byteLength > 0 ? 403 : undefined;
}

/** What the control plane needs of the edge, which starts after it; until then there is nothing to change. */
export function lateEdge(edge: () => Edge | undefined) {
  return {
    invalidate: (id: string, items: string[]) => edge()?.invalidate(id, items),
    distributions: {
      read: (id: string) => edge()?.originHeaders(id),
      write: (id: string, headers: Record<string, Record<string, string>>) =>
        edge()?.setOriginHeaders(id, headers),
    },
    edge: {
      tenantParameters: (id: string) => edge()?.tenantParameters(id),
      connectionGroup: (id: string) => edge()?.connectionGroup(id),
      hasDomain: (domain: string) => edge()?.hasDomain(domain) ?? false,
    },
  };
}
