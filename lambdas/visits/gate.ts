import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { siteDirectory, thriftySites } from '../../adapters/dynamodb/projects/site-directory.ts';
import { visitorReader } from '../../adapters/dynamodb/projects/people-row.ts';
import { shareLinkReader } from '../../adapters/dynamodb/projects/share-link-row.ts';
import { keptVersion, namedPreview } from '../../adapters/dynamodb/projects/version-row.ts';
import { signedCalls } from '../../adapters/signed-calls/signed-calls.ts';
import {
  signedValidators,
  signedItems,
  signedObjects,
} from '../../adapters/signed-calls/signed-services.ts';
import { classifyPageRequest, createHit, type Hit } from '../../core/analytics/hit.ts';
import { openPath } from '../../contract/visits/open-path.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { contentMemory } from '../../core/visit/content-memory.ts';
import { decideVisit } from '../../core/visit/decide-visit.ts';
import { decideAtAddress, readLargeFileAddress } from '../../core/visit/large-file-address.ts';
import { applicableConditions, loadSite, type LoadSiteDeps } from '../../core/visit/load-site.ts';
import { cacheControlAfter, withoutEdgeTtl } from '../../core/visit/protocol/cache-policy.ts';
import { settingTime } from '../../core/visit/setting-time.ts';
import type { Assets } from '../../web/pages/parts/page.ts';
import { deployedRoots } from '../shared/deployed-roots.ts';
import { deployedHitQueue } from '../shared/deployed-hit-queue.ts';
import { deployedSecret, refreshSecretsOnRead } from '../shared/deployed-secrets.ts';
import { logError, logger } from '../shared/logger.ts';
import { lazy } from '../shared/lazy.ts';
import { awsEnvironment, setting } from '../shared/settings.ts';
import { buildResponse, type ResponseDeps } from './build-response.ts';
import { failureResponse } from './failure-response.ts';
import { storedFileBytes } from './large-file-response.ts';
import { isHtmlResponse, type VisitOutcome, type VisitResponse } from './response-parts.ts';
import { sendResponse, sendText, sentBodies, type UrlResult } from './send-response.ts';
import { type EdgeRequest, readEdgeRequest } from './edge-request.ts';
import { serveOpenReport } from './open-report.ts';
import { isAlwaysCounted, trafficRecorder, visitorBytes } from './record-traffic.ts';
import { withHeaders } from '../http/with-headers.ts';

/** Every request of a visitor that the edge does not answer itself. */
export async function handler(event: unknown): Promise<APIGatewayProxyStructuredResultV2> {
  const startedAt = performance.now();
  const request = readEdgeRequest(event);
  if (request.path === openPath) {
    const deps = services();
    return serveOpenReport({ ...deps, sites: deps.sitesOfOpens }, request, new Date());
  }
  try {
    const { response, hit, outcome } = await answerVisit(services(), request, new Date());
    const [result] = await Promise.all([
      sendResponse(services(), request, response),
      recordVisit(hit),
    ]);
    const tookMs = performance.now() - startedAt;
    await services().recordTraffic(request, outcome.site, await bytesOf(request, outcome, result));
    return limitEdgeTtl(request, result, isAlwaysCounted(outcome) ? Infinity : tookMs);
  } catch (error) {
    logError('visit failed', error, { requestId: request.requestId });
    return sendText(request, failureResponse(setting('BRAND'), error, request));
  }
}

/** Request, site, decision, response. The body of a stored file is read afterwards, by `sendResponse`. */
export async function answerVisit(
  deps: LoadSiteDeps & ResponseDeps,
  received: EdgeRequest,
  now: Date,
) {
  const largeFile = readLargeFileAddress(received.path);
  if (largeFile === undefined && received.urlPath !== '/') {
    throw new Error(
      'the edge sent the path of an object, but the visitor’s address names no large file',
    );
  }
  const request = largeFile === undefined ? received : { ...received, path: largeFile.path };
  const loaded = await loadSite(deps, request, now);
  const visit = { ...request, conditions: applicableConditions(loaded, request.conditions) };
  const decide = () => {
    if (loaded.refusal !== undefined) return loaded.refusal;
    const { site, files } = loaded;
    if (largeFile === undefined) return decideVisit(site, files, visit, deps.heads);
    // The object that the edge would ask storage for.
    const object = received.urlPath.slice(1);
    return decideAtAddress(site, files, visit, { ...largeFile, object });
  };
  const outcome = { ...loaded, decision: decide() };
  const response = await buildResponse(deps, visit, outcome, now);
  const hit = visitHit(request, outcome, response, { secret: deps.accessSecret.current, now });
  return { response, hit, outcome };
}

async function bytesOf(request: EdgeRequest, outcome: VisitOutcome, result: UrlResult) {
  const { site, decision } = outcome;
  return decision.kind === 'left-to-storage' && site !== undefined
    ? storedFileBytes(services().readValidators, request, site, decision)
    : visitorBytes(request, outcome, result);
}

/** The row of the statistics for a visit; `undefined` where no page was shown, or the project records nothing. */
export function visitHit(
  request: EdgeRequest,
  outcome: VisitOutcome,
  response: VisitResponse,
  { secret, now }: { secret: string; now: Date },
): Hit | undefined {
  const { site, isOwner, isPreview, link, email } = outcome;
  if (site?.analyticsEnabled !== true || (isPreview && link === undefined)) return undefined;
  const kind = classifyPageRequest(request, {
    status: response.status,
    isHtml: isAboutHtml(outcome, response),
  });
  if (kind === undefined) return undefined;
  const { requestId: id, path } = request;
  const what = {
    id,
    path,
    isOwner,
    prefetch: kind === 'prefetch',
    kind: 'visit' as const,
    ...(link !== undefined && { link: { id: link.id, name: link.name } }),
    ...(email !== undefined && { email }),
  };
  return createHit(site, request, what, { secret, now });
}

/**
 * Whether the response is about HTML. A 304 has no type, so the requested file decides; a page of
 * ours is HTML.
 */
function isAboutHtml({ decision }: VisitOutcome, { headers, status }: VisitResponse): boolean {
  if (headers['content-type'] !== undefined) return isHtmlResponse({ headers });
  if (status !== 304) return false;
  return 'file' in decision ? decision.file.contentType.startsWith('text/html') : true;
}

/** A visit that cannot be counted still gets its page. */
async function recordVisit(hit: Hit | undefined): Promise<void> {
  if (hit === undefined) return;
  await services()
    .hits.send(hit)
    .catch((error: unknown) => logger.error('a visit was not counted', { error: String(error) }));
}

/**
 * A slow response may show a state that has changed meanwhile: the edge must not cache it. It
 * caches nothing at a custom domain either, because invalidations go only to the tenant of the
 * sites domain.
 */
function limitEdgeTtl(request: EdgeRequest, result: UrlResult, tookMs: number): UrlResult {
  const { 'cache-control': cacheControl } = result.headers;
  if (cacheControl === undefined) return result;
  const limited =
    request.domainId === null
      ? cacheControlAfter(cacheControl, tookMs)
      : withoutEdgeTtl(cacheControl);
  return withHeaders(result, { 'cache-control': limited });
}

/**
 * Bundling replaces these names (`scripts/bundle.ts`) by the files that pages load and by a hash of
 * the code that renders pages.
 */
declare const VIEWER_ASSETS: Assets;
declare const PAGES_BUILD: string;

/** The dependencies of the gate, created at the first visit. */
const services = lazy(() => {
  const calls = signedCalls(awsEnvironment());
  const readItem = signedItems(calls);
  const urls = addresses(setting('BASE_URL'), setting('SITES_DOMAIN'));
  const sites = refreshSecretsOnRead(siteDirectory(readItem, setting('SITES_TABLE')));
  const earlier = siteDirectory(
    signedItems(calls, { isConsistent: false }),
    setting('SITES_TABLE'),
  );
  // Readable once `sites` has read a site: it refreshes the secrets at the same time.
  const accessSecret = deployedSecret('ACCESS_SECRET_ARN');
  return {
    brand: setting('BRAND'),
    sites,
    // Eventually consistent reads are enough here: an open is only counted, and shows nobody a
    // page.
    sitesOfOpens: thriftySites(refreshSecretsOnRead(earlier), sites),
    roots: deployedRoots(readItem),
    keptVersion: keptVersion(readItem, setting('PROJECTS_TABLE')),
    namedPreview: namedPreview(readItem, setting('PROJECTS_TABLE')),
    shareLinks: { find: shareLinkReader(readItem, setting('PROJECTS_TABLE')) },
    visitors: visitorReader(readItem, setting('PROJECTS_TABLE')),
    accessSecret,
    recordTraffic: trafficRecorder(deployedHitQueue(), accessSecret),
    content: signedObjects(calls, setting('CONTENT_BUCKET')),
    addresses: urls,
    assets: () => VIEWER_ASSETS,
    build: PAGES_BUILD,
    settingTime: settingTime(),
    readValidators: signedValidators(calls, setting('CONTENT_BUCKET')),
    contents: contentMemory(),
    bodies: sentBodies(),
    heads: { ...urls, openScriptPath: VIEWER_ASSETS.open },
    hits: deployedHitQueue(),
  };
});
