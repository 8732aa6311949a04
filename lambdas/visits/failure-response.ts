import { serviceFailure } from '../../adapters/failures/service-failure.ts';
import { unavailablePage } from '../../web/pages/visitor/unavailable-page.ts';
import { internalError, refusalResponse, type VisitResponse } from './response-parts.ts';
import { withRetryAfter } from '../http/with-headers.ts';

/**
 * A throttled partition has its throughput again each second; a few seconds later a site is less
 * busy.
 */
const retryAfterSeconds = 5;

/** The page for a visit that failed: 503 when a service failed or had too many requests, otherwise 500. */
export function failureResponse(
  brand: string,
  error: unknown,
  { requestId }: { requestId: string },
): VisitResponse {
  const failure = serviceFailure(error);
  if (failure === undefined) return internalError(brand, { requestId });
  const page = unavailablePage({ brand, failure, requestId });
  return withRetryAfter(refusalResponse(503, page), retryAfterSeconds);
}
