import type { RotatingSecret } from '../../core/secrets/rotating-secret.ts';
import type { AddressedDecision } from '../../core/visit/large-file-address.ts';
import {
  isCleared,
  isHandoverRecent,
  workerRemoval,
  workerRemovalScript,
} from '../../core/visit/former-tenant.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { isHtmlResponse, privateResponse, type VisitResponse } from './response-parts.ts';
import { withHeaders } from '../http/with-headers.ts';

/** The site that was loaded, if there is one, and the decision about the request. */
interface SiteOutcome {
  site?: ServingRecord | undefined;
  decision: AddressedDecision;
}

const clearSiteData = { 'clear-site-data': '"cache", "storage"' };

/**
 * Ends reports that a former site told browsers to send it about every address that is opened at
 * the host (Network Error Logging §5.3, Reporting API of 2018 §3.4). Sites can no longer set these
 * headers.
 */
const endOfReports = { nel: '{"max_age":0}', 'report-to': '{"max_age":0,"endpoints":[]}' };

/**
 * The same response, which also ends reports to a former site: for 90 days after an address changed
 * hands, and where a visitor sees no site, so that an unpublished one looks like an address that
 * nobody has. It deletes nothing of the present site, so every response may do it, in frames too.
 */
export function withoutReports(
  response: VisitResponse,
  { site, decision }: SiteOutcome,
  now: Date,
): VisitResponse {
  const isNoSite = decision.kind === 'missing' && decision.what === 'site';
  const mayBeReported = isNoSite || (site !== undefined && isHandoverRecent(site, now));
  if (!mayBeReported) return response;
  return withHeaders(response, endOfReports);
}

/**
 * The same refusal for a browser that may hold pages from before a change of access: the browser
 * deletes them.
 */
export function forgettingResponse(response: VisitResponse): VisitResponse {
  return withHeaders(response, clearSiteData);
}

/**
 * The same page for a browser that may hold data of a former site: the browser deletes that data,
 * then gets its cookie.
 */
export function clearingResponse(response: VisitResponse, clearedAddress: string): VisitResponse {
  if (!isHtmlResponse(response)) return response;
  const { headers, ...rest } = privateResponse(response);
  const mark = `<${clearedAddress}>; rel=preload; as=image`;
  const { link } = headers;
  return {
    ...rest,
    headers: {
      ...headers,
      ...clearSiteData,
      link: link === undefined ? mark : `${link}, ${mark}`,
    },
  };
}

/**
 * The response for a browser that requests the script of a service worker; `response` is the normal
 * one.
 */
export function workerResponse(
  { accessSecret }: { accessSecret: RotatingSecret },
  { cleared }: { cleared: string },
  { outcome, response }: { outcome: SiteOutcome; response: VisitResponse },
  now: Date,
): VisitResponse {
  const { site = null, decision } = outcome;
  const update = {
    site,
    decision,
    isScript: isScript(response),
    isCleared: site !== null && isCleared(accessSecret, site, cleared),
  };
  const removal = workerRemoval(update, now);
  if (removal === 'none') return response;
  return {
    status: 200,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'private, no-store',
      // The former worker may have had a larger scope than its folder; this script must replace it there too.
      'service-worker-allowed': '/',
    },
    text: workerRemovalScript(removal),
  };
}

function isScript({ status, headers }: VisitResponse): boolean {
  const type = headers['content-type'] ?? '';
  const exists = status === 200 || status === 304;
  return exists && /^(?:text|application)\/(?:javascript|ecmascript|x-javascript)\b/.test(type);
}
