import type { HttpResponse } from './http.ts';

/** The response to a request that arrives before the cloud is ready or after it has begun to stop. */
export function startingResponse(): HttpResponse {
  const body = {
    status: 'error',
    error: 'The local cloud is starting or stopping.',
    code: 'NOT_READY',
    nextStep: 'Send the same request again in a second.',
    retryAfterSeconds: 1,
  };
  return {
    status: 503,
    // Browsers load the page again by themselves.
    headers: { 'content-type': 'application/json', 'retry-after': '1', refresh: '1' },
    body: Buffer.from(JSON.stringify(body)),
  };
}
