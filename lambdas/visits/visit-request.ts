import * as z from 'zod';
import type { VisitWithTokens } from '../../core/visit/visit-site.ts';

/** What we read of a Lambda Function URL event (payload format 2.0); header names are lowercase. */
const UrlEvent = z.object({
  headers: z.record(z.string(), z.string().optional()),
  rawPath: z.string(),
  requestContext: z.object({ requestId: z.string(), http: z.object({ method: z.string() }) }),
});

/** One visitor's request as the edge hands it over; what the visitor did not send is `''`. */
export interface VisitRequest extends VisitWithTokens {
  method: string;
  host: string;
  /** Whether a browser asks for the script of a service worker (`Service-Worker: script`). */
  isWorkerScript: boolean;
  requestId: string;
  address: string;
  userAgent: string;
  referrer: string;
  /** ISO 3166-1 alpha-2, as CloudFront knows it. */
  country: string;
}

/** The edge function packs the `Sec-Fetch-*` fields and `Sec-Purpose` into one: `mode,dest,site,purpose`. */
function readFetch(packed = '') {
  const [mode = '', dest = '', site = '', purpose = ''] = packed.split(',');
  return { mode, dest, site, purpose };
}

/** A header has to have a value. */
function queryOf(sent = '-'): string {
  return sent === '-' ? '' : sent;
}

/**
 * Reads a Function URL event. Host and path come from headers that our viewer-request function
 * sets: `Host` is the function's own, and `rawPath` arrives decoded, which would turn `%2f` into a
 * separator.
 */
export function readVisitRequest(event: unknown): VisitRequest {
  const { headers, rawPath, requestContext } = UrlEvent.parse(event);
  return {
    method: requestContext.http.method,
    host: headers['x-slipway-host'] ?? '',
    path: headers['x-slipway-path'] ?? rawPath,
    query: queryOf(headers['x-slipway-query']),
    access: headers['x-slipway-access'] ?? '-',
    preview: headers['x-slipway-preview'] ?? '-',
    cleared: headers['x-slipway-cleared'] ?? '-',
    isWorkerScript: headers['x-slipway-worker'] === 'script',
    fetch: readFetch(headers['x-slipway-fetch']),
    accept: headers['accept'] ?? '',
    acceptEncoding: headers['accept-encoding'] ?? '',
    address: headers['x-slipway-viewer'] ?? '',
    userAgent: headers['user-agent'] ?? '',
    referrer: headers['referer'] ?? '',
    country: headers['cloudfront-viewer-country'] ?? '',
    requestId: requestContext.requestId,
    conditions: readConditions(requestContext.http.method, headers),
  };
}

/** RFC 9110 §14.2: a Range is for GET alone. */
function readConditions(method: string, headers: Record<string, string | undefined>) {
  return {
    ifMatch: headers['if-match'],
    ifUnmodifiedSince: headers['if-unmodified-since'],
    ifNoneMatch: headers['if-none-match'],
    ifModifiedSince: headers['if-modified-since'],
    ...(method === 'GET' && { ifRange: headers['if-range'], range: headers['range'] }),
  };
}
