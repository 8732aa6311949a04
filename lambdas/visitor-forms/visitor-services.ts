import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ProjectId } from '../../contract/fields.ts';
import { abuseReportTable } from '../../adapters/dynamodb/abuse-report-table.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { tryBudgetTable } from '../../adapters/dynamodb/visitor-tries/try-budget-table.ts';
import { wrongTryTable } from '../../adapters/dynamodb/visitor-tries/wrong-try-table.ts';
import { projectReader } from '../../adapters/dynamodb/projects/project-reader.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb/document-client.ts';
import { siteDirectory } from '../../adapters/dynamodb/projects/site-directory.ts';
import { refuseVisit } from '../../core/visit/decide-visit.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { deployedSecret } from '../shared/deployed-secrets.ts';
import { once } from '../shared/once.ts';
import { pageResponse, type Shown } from '../http/page.ts';
import { setting } from '../shared/settings.ts';

/** What visitors' forms need. */
export const visitorServices = once(() => {
  const client = documentClient();
  const projects = projectReader(client, setting('PROJECTS_TABLE'));
  return {
    brand: setting('BRAND'),
    accessSecret: deployedSecret('ACCESS_SECRET_ARN'),
    sites: siteDirectory(documentItems(client), setting('SITES_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    budgets: tryBudgetTable(client, setting('COUNTERS_TABLE')),
    wrongTries: wrongTryTable(client, setting('COUNTERS_TABLE')),
    passwordHashOf: async (projectId: ProjectId) =>
      (await projects.get(projectId))?.passwordHash ?? null,
    reports: abuseReportTable(client, setting('PROJECTS_TABLE')),
    now: () => new Date(),
  };
});

/** A page of ours on a site's host; search engines keep none of them. */
export function visitorPage(request: ApiRequest, shown: Shown): APIGatewayProxyResult {
  const answer = pageResponse(request, shown);
  return { ...answer, headers: { ...answer.headers, 'x-robots-tag': 'noindex' } };
}

/** The site at the host that a visitor asked for; one that answers like none is none. */
export async function visitedSite(request: ApiRequest): Promise<ServingRecord | undefined> {
  const host = siteHost(request);
  if (host === '') return undefined;
  const { sites, now } = visitorServices();
  const site = await sites.get(host);
  return refuseVisit(site, 'nobody', now())?.kind === 'missing' ? undefined : site;
}

/** The site's host; believed together with the origin secret. Empty on the app's host. */
export function siteHost({ headers }: ApiRequest): string {
  return headers['x-slipway-host'] ?? '';
}
