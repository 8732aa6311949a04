import * as z from 'zod';
import type { Conditions } from '../../core/visit/preconditions.ts';

/** What we read of a Lambda Function URL event (payload format 2.0); header names are lowercase. */
const UrlEvent = z.object({
  headers: z.record(z.string(), z.string().optional()),
  rawPath: z.string(),
  requestContext: z.object({ requestId: z.string(), http: z.object({ method: z.string() }) }),
});

/** One visitor's request as the edge hands it over. */
export interface VisitRequest {
  method: string;
  host: string;
  /** Percent-encoded as the visitor sent it. */
  path: string;
  /** The token of the visitor's preview cookie, as the edge function passes it; `-` for none. */
  preview: string;
  conditions: Conditions;
  requestId: string;
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
    preview: headers['x-slipway-preview'] ?? '-',
    requestId: requestContext.requestId,
    conditions: {
      ifMatch: headers['if-match'],
      ifUnmodifiedSince: headers['if-unmodified-since'],
      ifNoneMatch: headers['if-none-match'],
      ifModifiedSince: headers['if-modified-since'],
      ifRange: headers['if-range'],
      range: headers['range'],
    },
  };
}
