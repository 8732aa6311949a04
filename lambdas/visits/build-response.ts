import type { RotatingSecret } from '../../core/secrets/rotating-secret.ts';
import type { AddressedDecision } from '../../core/visit/large-file-address.ts';
import type { Decision } from '../../core/visit/decide-visit.ts';
import { mustForgetPages } from '../../core/visit/ended-access.ts';
import { clearedAddress } from '../../core/visit/former-tenant.ts';
import { isRefusal, type Refusal } from '../../core/visit/refuse-visit.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { type ProjectPageDeps, projectPage } from './project-page.ts';
import {
  clearingResponse,
  forgettingResponse,
  withoutReports,
  workerResponse,
} from './former-tenant-response.ts';
import { isLargeFileDecision, largeFileResponse } from './large-file-response.ts';
import { refusalPage } from './refusal-page.ts';
import {
  fileResponse,
  isHtmlResponse,
  notFoundFileResponse,
  preconditionFailed,
  previewResponse,
  privateRedirect,
  privateResponse,
  rangeNotSatisfiable,
  redirectResponse,
  redirectToNewOpen,
  redirectToPreviewEnd,
  refusalResponse,
  type VisitOutcome,
  type VisitResponse,
} from './response-parts.ts';
import type { EdgeRequest } from './edge-request.ts';

/** The dependencies for building a response. */
export interface ResponseDeps extends ProjectPageDeps {
  accessSecret: RotatingSecret;
}

/**
 * Turns the outcome of a visit into status, headers and body.
 *
 * Where two places set a header, the later one wins: `commonHeaders` of every response, which
 * `sendResponse` puts below all others; headers of the site and the file; headers of the site's own
 * rules (`_headers`); those that `limitAudience` and a former site's data require; and `limitEdgeTtl`.
 */
export async function buildResponse(
  deps: ResponseDeps,
  request: EdgeRequest,
  outcome: VisitOutcome,
  now: Date,
): Promise<VisitResponse> {
  const decided = await responseTo(deps, request, outcome, now);
  const response = limitAudience(deps, request, outcome, decided);
  const cleared = clearedResponse(deps, request, { outcome, response }, now);
  // A shortcut for nearly all sites, whose address had no former site.
  const isOrdinary = outcome.site?.handedOverAt === null && !isRefusal(outcome.decision);
  return isOrdinary ? cleared : withoutReports(cleared, outcome, now);
}

/** The same response, or another one, for a browser that may hold data of a former site. */
function clearedResponse(
  deps: ResponseDeps,
  request: EdgeRequest,
  { outcome, response }: { outcome: VisitOutcome; response: VisitResponse },
  now: Date,
): VisitResponse {
  if (request.isWorkerScript) return workerResponse(deps, request, { outcome, response }, now);
  const { site, decision } = outcome;
  if (site !== undefined && outcome.clearsBrowser) {
    const { address } = request;
    return clearingResponse(response, clearedAddress(deps.accessSecret, { site, address }, now));
  }
  return mustForgetPages(site, decision, { fetch: request.fetch, now })
    ? forgettingResponse(response)
    : response;
}

async function responseTo(
  deps: ResponseDeps,
  request: EdgeRequest,
  { site, files = new Map(), isPreview, decision }: VisitOutcome,
  now: Date,
): Promise<VisitResponse> {
  if (isRefusal(decision)) return refusedResponse(deps.brand, request, decision);
  if (site === undefined) throw new Error(`no site was loaded for ${decision.kind}`);
  if (isFileDecision(decision)) return responseWithFile(site, decision, now);
  if (isLargeFileDecision(decision)) return largeFileResponse(site, decision, request);
  switch (decision.kind) {
    case 'preview-ended':
      return redirectToPreviewEnd();
    case 'new-open':
      return redirectToNewOpen(request);
    case 'redirect':
      return redirectResponse(site, decision);
    case 'to-viewer':
      return privateRedirect(site, '/');
    case 'listing':
    case 'single-file-page':
      return projectPage(deps, request, { site, files, path: request.path, isPreview }, decision);
  }
}

function refusedResponse(
  brand: string,
  { path, query, domainId }: EdgeRequest,
  refusal: Refusal,
): VisitResponse {
  const returnTo = query === '' ? path : `${path}?${query}`;
  const { status, page } = refusalPage({ brand, domainId }, refusal, returnTo);
  return refusalResponse(status, page);
}

type FileDecision = Extract<
  Decision,
  { kind: 'file' | 'not-modified' | 'not-found-page' | 'precondition-failed' | 'unsatisfiable' }
>;

function isFileDecision(decision: AddressedDecision): decision is FileDecision {
  return [
    'file',
    'not-modified',
    'not-found-page',
    'precondition-failed',
    'unsatisfiable',
  ].includes(decision.kind);
}

function responseWithFile(site: ServingRecord, decision: FileDecision, now: Date): VisitResponse {
  switch (decision.kind) {
    case 'file':
    case 'not-modified':
      return fileResponse(site, decision, now);
    case 'not-found-page':
      return notFoundFileResponse(site, decision, now);
    case 'precondition-failed':
      return preconditionFailed(site);
    case 'unsatisfiable':
      return rangeNotSatisfiable(site, decision.size);
  }
}

/** Only responses of a public site may be cached, and only those tell other sites how to embed them. */
function limitAudience(
  deps: ResponseDeps,
  request: EdgeRequest,
  { isPreview, site }: VisitOutcome,
  response: VisitResponse,
): VisitResponse {
  if (isPreview) return previewResponse(response);
  return site?.access === 'public'
    ? withOEmbedLink(deps, request, site, response)
    : privateResponse(response);
}

/** CloudFront passes on 20,480 bytes of headers (CloudFront quota); programs read no longer link. */
const maxLinkLength = 2048;

/**
 * Adds a link to the oEmbed data of a page (oEmbed §4). A header leaves the page itself unchanged,
 * and a site's own `Link` header is kept instead.
 */
function withOEmbedLink(
  { heads }: ResponseDeps,
  { path }: EdgeRequest,
  { host }: ServingRecord,
  response: VisitResponse,
): VisitResponse {
  const { status, headers } = response;
  if (status !== 200 || !isHtmlResponse(response) || headers['link'] !== undefined) return response;
  const url = heads.oEmbedUrl(heads.siteUrl(host) + path);
  if (url.length > maxLinkLength) return response;
  const link = `<${url}>; rel="alternate"; type="application/json+oembed"`;
  return { ...response, headers: { ...headers, link } };
}
