import type { SiteFields } from '../../core/site-rules/site-rules.ts';
import type { VisitResponse } from './response-parts.ts';

const refused = {
  status: 'error',
  error: 'Pages of other origins may not read this address.',
  code: 'METHOD_NOT_ALLOWED',
  nextStep:
    'Use one of these methods: GET, HEAD. `_headers` opens a path with Access-Control-Allow-Origin.',
};

/**
 * Answers a browser that asks whether a page of another origin may read a path: 204 with the headers that
 * open it, else 405.
 */
export function preflightResponse(fields: SiteFields | undefined): VisitResponse {
  if (fields !== undefined)
    return { status: 204, headers: { ...Object.fromEntries(fields), 'cache-control': 'no-store' } };
  const headers = {
    allow: 'GET, HEAD',
    'content-type': 'application/json',
    'cache-control': 'no-store',
  };
  return { status: 405, headers, text: JSON.stringify(refused) };
}
