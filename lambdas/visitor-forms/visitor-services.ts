import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ProjectId } from '../../contract/fields.ts';
import { abuseReportTable } from '../../adapters/dynamodb/abuse-report-table.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { tryBudgetTable } from '../../adapters/dynamodb/visitor-tries/try-budget-table.ts';
import { wrongTryTable } from '../../adapters/dynamodb/visitor-tries/wrong-try-table.ts';
import { shareLinkOpens } from '../../adapters/dynamodb/projects/share-link-opens.ts';
import { visitorTable } from '../../adapters/dynamodb/projects/visitor-table.ts';
import { projectReader } from '../../adapters/dynamodb/projects/project-reader.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb/document-client.ts';
import { siteDirectory } from '../../adapters/dynamodb/projects/site-directory.ts';
import { instant } from '../../core/instants.ts';
import type { TooManyTries } from '../../core/visit/access/unlock-site.ts';
import { findSite, type VisitedAddress } from '../../core/visit/find-site.ts';
import { refuseVisit } from '../../core/visit/refuse-visit.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { formatInstant, formatWait } from '../../web/pages/parts/format.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { deployedSecret } from '../shared/deployed-secrets.ts';
import { deployedRoots } from '../shared/deployed-roots.ts';
import { lazy } from '../shared/lazy.ts';
import { pageResponse, type PageResponse } from '../http/page-response.ts';
import { setting } from '../shared/settings.ts';
import { withHeaders } from '../http/with-headers.ts';

/** Stores, counters and secrets of the visitor forms. */
export const visitorServices = lazy(() => {
  const client = documentClient();
  const projects = projectReader(client, setting('PROJECTS_TABLE'));
  return {
    brand: setting('BRAND'),
    accessSecret: deployedSecret('ACCESS_SECRET_ARN'),
    sites: siteDirectory(documentItems(client), setting('SITES_TABLE')),
    roots: deployedRoots(documentItems(client)),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    budgets: tryBudgetTable(client, setting('COUNTERS_TABLE')),
    wrongTries: wrongTryTable(client, setting('COUNTERS_TABLE')),
    projects,
    passwordHashOf: async (projectId: ProjectId) =>
      (await projects.get(projectId))?.passwordHash ?? null,
    shareLinks: shareLinkOpens(client, {
      projects: setting('PROJECTS_TABLE'),
      accounts: setting('ACCOUNTS_TABLE'),
    }),
    visitors: visitorTable(client, setting('PROJECTS_TABLE')),
    reports: abuseReportTable(client, setting('PROJECTS_TABLE')),
    now: () => new Date(),
  };
});

/** A page of ours on a site's host, hidden from search engines. */
export function visitorPage(request: ApiRequest, answer: PageResponse): APIGatewayProxyResult {
  return withHeaders(pageResponse(request, answer), { 'x-robots-tag': 'noindex' });
}

/**
 * The site at the requested address; `undefined` also for a site that visitors must not know of,
 * such as an unpublished one.
 */
export async function visitedSite(request: ApiRequest): Promise<ServingRecord | undefined> {
  const services = visitorServices();
  const site = await findSite(services, siteAddress(request));
  return refuseVisit(site, 'stranger', services.now())?.kind === 'missing' ? undefined : site;
}

/**
 * The address at which the request arrived; the host is `''` for the app's own. Only the edge can
 * set these headers: the origin secret proves that a request came from there.
 */
export function siteAddress({ headers }: ApiRequest): VisitedAddress {
  const domain = headers['x-slipway-domain'] ?? '-';
  return { host: headers['x-slipway-host'] ?? '', domainId: domain === '-' ? null : domain };
}

/**
 * Whether a page of another site sent a form to this one (cross-site request forgery): its answer would put a
 * visitor's browser into an access that the visitor did not choose, use up a link or a report. Browsers without
 * `Sec-Fetch-Site` send `Origin: null` from pages without a referrer, as these are; programs send neither.
 */
export function isFromOtherSite(request: ApiRequest): boolean {
  const { 'sec-fetch-site': site, origin = 'null' } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== 'null' && URL.parse(origin)?.hostname !== siteAddress(request).host;
}

/** The site's own scripts cannot read it, and browsers send it to no other host. */
export const accessCookie = (value: string, maxAgeSeconds: number) =>
  `__Host-slipway-access=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;

/** A path of this site with its query, or `/`. A browser reads `//` and `/\\` as the start of another host. */
export function localPath(to = '/'): string {
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,4000}$/.test(to) ? to : '/';
}

/** Why no password is compared at the moment, and until when. */
export function tooManyTriesText({ by, freeAt, retryAfterSeconds }: TooManyTries): string {
  const wait = formatWait(retryAfterSeconds);
  if (by === 'visitor') return `Too many attempts. Wait ${wait}, then try again.`;
  const at = formatInstant(instant(roundUpToMinute(freeAt)));
  return `Too many wrong passwords were entered for this page, by you or by others. Wait ${wait}: you can try again at ${at}.`;
}

/** The page shows minutes without seconds; rounding down would be too early. */
function roundUpToMinute(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / 60_000) * 60_000);
}
