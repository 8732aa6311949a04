import * as z from 'zod/mini';
import type { Conditions } from '../../core/visit/protocol/conditional-request.ts';
import { noToken } from '../../core/visit/access/viewer.ts';
import type { SiteRequest } from '../../core/visit/load-site.ts';
import type { VisitorRequest } from '../../core/visit/route-visit.ts';

/** The part of a Lambda Function URL event (payload format 2.0) that we read; header names are lowercase. */
export const FunctionUrlEvent = z.object({
  rawPath: z.string(),
  headers: z.record(z.string(), z.optional(z.string())),
  requestContext: z.object({ requestId: z.string(), http: z.object({ method: z.string() }) }),
});

/** One visitor's request as the edge passes it on; an absent value is `''`. */
export interface EdgeRequest extends VisitorRequest, SiteRequest {
  method: string;
  /** The path that the function was called with: `/`, or of a large file its object, below the prefix of all content. */
  urlPath: string;
  fetch: VisitorRequest['fetch'];
  /** Whether a browser requests the script of a service worker (`Service-Worker: script`). */
  isWorkerScript: boolean;
  requestId: string;
  address: string;
  /**
   * The visitor's own method, cached copy (`ifNoneMatch`) and range; `conditions` and `method` may
   * be those of the edge.
   */
  viewer: Pick<Conditions, 'ifNoneMatch' | 'range' | 'ifRange'> & { method: string };
  userAgent: string;
  referrer: string;
  /** ISO 3166-1 alpha-2, from CloudFront. */
  country: string;
}

/** The path as the visitor sent it, still percent-encoded; from the edge function. */
export function pathOf(headers: Readonly<Record<string, string | undefined>>): string {
  return headers['x-slipway-path'] ?? '/';
}

/** The edge function joins the `Sec-Fetch-*` fields and `Sec-Purpose` into one: `mode,dest,site,purpose`. */
function readFetchMetadata(joined = '') {
  const [mode = '', dest = '', site = '', purpose = ''] = joined.split(',');
  return { mode, dest, site, purpose };
}

/** The edge function joins the method and three headers: `method,If-None-Match,Range,If-Range`, percent-encoded. */
function readWants(joined = ''): EdgeRequest['viewer'] {
  const [method = '', ...fields] = joined.split(',');
  const [ifNoneMatch, range, ifRange] = fields.map((field) =>
    field === '' ? undefined : decodeURIComponent(field),
  );
  return { method, ifNoneMatch, range, ifRange };
}

/** The edge function sends `-` for an empty query, because a header needs a value. */
function readQuery(sent = '-'): string {
  return sent === '-' ? '' : sent;
}

/** For the sites domain the edge function sends `-`, or nothing. */
function readDomain(sent = '-'): string | null {
  return sent === '-' ? null : sent;
}

/**
 * Reads a Function URL event. Host and path come from headers that our viewer-request function
 * sets: `Host` is the function's own, and its path the visitor's only by chance.
 */
export function readEdgeRequest(event: unknown): EdgeRequest {
  const { headers, rawPath, requestContext } = FunctionUrlEvent.parse(event);
  return {
    urlPath: rawPath,
    method: requestContext.http.method,
    host: headers['x-slipway-host'] ?? '',
    domainId: readDomain(headers['x-slipway-domain']),
    path: pathOf(headers),
    query: readQuery(headers['x-slipway-query']),
    access: headers['x-slipway-access'] ?? noToken,
    preview: headers['x-slipway-preview'] ?? noToken,
    cleared: headers['x-slipway-cleared'] ?? noToken,
    isPageView: headers['x-slipway-view'] !== 'data',
    isWorkerScript: headers['x-slipway-worker'] === 'script',
    fetch: readFetchMetadata(headers['x-slipway-fetch']),
    accept: headers['accept'] ?? '',
    acceptEncoding: headers['accept-encoding'] ?? '',
    address: headers['x-slipway-viewer'] ?? '',
    viewer: readWants(headers['x-slipway-wants']),
    userAgent: headers['user-agent'] ?? '',
    referrer: headers['referer'] ?? '',
    country: headers['cloudfront-viewer-country'] ?? '',
    requestId: requestContext.requestId,
    conditions: readConditions(requestContext.http.method, headers),
  };
}

/** Range applies to GET only (RFC 9110 §14.2). */
function readConditions(method: string, headers: Record<string, string | undefined>) {
  return {
    ifMatch: headers['if-match'],
    ifUnmodifiedSince: headers['if-unmodified-since'],
    ifNoneMatch: headers['if-none-match'],
    ifModifiedSince: headers['if-modified-since'],
    ...(method === 'GET' && { ifRange: headers['if-range'], range: headers['range'] }),
  };
}
