import { abuseReportTable } from '../../adapters/abuse-report-table.ts';
import { counterTable } from '../../adapters/counter-table.ts';
import { documentClient } from '../../adapters/dynamodb.ts';
import { siteDirectory } from '../../adapters/site-directory.ts';
import type { ApiRequest } from './api-request.ts';
import { once } from './once.ts';
import { setting } from './settings.ts';

/** What visitors' forms need. */
export const visitorServices = once(() => {
  const client = documentClient();
  return {
    brand: setting('BRAND'),
    accessSecret: setting('ACCESS_SECRET'),
    sites: siteDirectory(client, setting('SITES_TABLE')),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    reports: abuseReportTable(client, setting('PROJECTS_TABLE')),
    now: () => new Date(),
  };
});

/** The site's host; believed together with the origin secret. On the app's host there is none. */
export function siteHost({ headers }: ApiRequest): string {
  return headers['x-slipway-host'] ?? '';
}
