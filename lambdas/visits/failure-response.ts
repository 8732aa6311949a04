import { AwsError, isThrottled } from '../../adapters/signed-calls/signed-calls.ts';
import { errorPage } from '../../web/pages/visitor/refusal-pages.ts';
import { internalError, refusalResponse, type VisitResponse } from './response-parts.ts';

/** A partition gives each second what it has; a few seconds later a site is less busy. */
const retryAfterSeconds = 5;

/** The page for a visit that failed: 503 when a service refused for too many requests, otherwise 500. */
export function failureResponse(
  brand: string,
  error: unknown,
  request: { requestId: string },
): VisitResponse {
  if (!(error instanceof AwsError) || !isThrottled(error)) return internalError(brand, request);
  const { headers, ...response } = refusalResponse(
    503,
    errorPage({
      brand,
      status: 503,
      title: 'This site is very busy',
      text: 'Too many people are visiting it right now. Please try again in a few seconds.',
    }),
  );
  return { ...response, headers: { ...headers, 'retry-after': String(retryAfterSeconds) } };
}
