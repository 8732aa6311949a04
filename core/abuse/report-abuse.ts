import type { AbuseReportInput } from '../../contract/abuse-report.ts';
import { daySeconds } from '../../contract/limits.ts';
import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import { addressPlaces } from '../limits/address-limits.ts';
import type { Counters } from '../limits/counters.ts';
import { reservePlaces } from '../limits/reserve-places.ts';
import { findSite, type FindSiteDeps, type VisitedAddress } from '../visit/find-site.ts';
import { refuseVisit } from '../visit/refuse-visit.ts';
import type { AbuseReport, AbuseReports } from './abuse-reports.ts';

/** Dependencies of {@link reportAbuse}. */
export interface ReportAbuseDeps extends FindSiteDeps {
  counters: Pick<Counters, 'reserve' | 'release'>;
  reports: Pick<AbuseReports, 'add'>;
  now(): Date;
}

const reportsPerCaller = [{ limit: 5, windowSeconds: 3600 }];
/** Of one site, more reports of one network than that say nothing new, and would take the place of others' texts. */
const reportsOfSite = [{ limit: 3, windowSeconds: daySeconds }];

/**
 * Stores a visitor's report about the site at an address for the operators. What one network sends beyond its place
 * in a day is not stored, and its senders do not learn that.
 * @throws CodedError NOT_FOUND, RATE_LIMITED
 */
export async function reportAbuse(
  deps: ReportAbuseDeps,
  caller: Caller,
  { host, domainId, ...input }: AbuseReportInput & VisitedAddress,
): Promise<Omit<AbuseReport, 'number'>> {
  const site = await findSite(deps, { host, domainId });
  const now = deps.now();
  // A site that visitors cannot tell from a missing one counts as missing here too.
  if (site === undefined || refuseVisit(site, 'stranger', now)?.kind === 'missing')
    throw siteNotFound();
  const places = addressPlaces('reports', caller.address, reportsPerCaller);
  const outcome = await reservePlaces(deps.counters, places, now);
  if (!outcome.reserved) throw tooManyReports(outcome.rule.limit, outcome.retryAfterSeconds);
  const report = { ...input, host, at: instant(now), projectId: site.projectId };
  const key = `reports-of#${site.projectId}`;
  const ofSite = addressPlaces(key, caller.address, reportsOfSite, reportsOfSite);
  if ((await reservePlaces(deps.counters, ofSite, now)).reserved) await deps.reports.add(report);
  return report;
}

/** The error for a host without a site. */
export function siteNotFound(): CodedError {
  return new CodedError('NOT_FOUND', {
    error: 'No site is published at this address.',
    nextStep: 'Check the address letter by letter.',
  });
}

function tooManyReports(limit: number, retryAfterSeconds: number): CodedError {
  return new CodedError('RATE_LIMITED', {
    error: `At most ${limit} reports in an hour from one IP address.`,
    retryAfterSeconds,
  });
}
