import * as z from 'zod';
import { randomUUID } from 'node:crypto';
import { type AbuseReportInput, ReportOutcome, ReportReason } from '../../contract/abuse-report.ts';
import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import { addressPlaces } from '../limits/address-limits.ts';
import type { Counters } from '../limits/counters.ts';
import { reservePlaces } from '../limits/reserve-places.ts';
import { findSite, type FindSiteDeps, type VisitedAddress } from '../visit/find-site.ts';
import { refuseVisit } from '../visit/refuse-visit.ts';
import { AccountId, Instant, ProjectId } from '../../contract/fields.ts';

/** Dependencies of {@link reportAbuse}. */
export interface ReportAbuseDeps extends FindSiteDeps {
  counters: Pick<Counters, 'reserve' | 'release'>;
  reports: Pick<AbuseReports, 'add'>;
  now(): Date;
}

const reportsPerCaller = [{ limit: 5, windowSeconds: 3600 }];

/**
 * Stores a visitor's report about the site at an address for the operators.
 * @throws CodedError NOT_FOUND, RATE_LIMITED
 */
export async function reportAbuse(
  deps: ReportAbuseDeps,
  caller: Caller,
  { host, domainId, ...input }: AbuseReportInput & VisitedAddress,
): Promise<AbuseReport> {
  const site = await findSite(deps, { host, domainId });
  const now = deps.now();
  // A site that visitors cannot tell from a missing one counts as missing here too.
  if (site === undefined || refuseVisit(site, 'stranger', now)?.kind === 'missing')
    throw siteNotFound();
  const places = addressPlaces('reports', caller.address, reportsPerCaller);
  const outcome = await reservePlaces(deps.counters, places, now);
  if (!outcome.reserved) throw tooManyReports(outcome.rule.limit, outcome.retryAfterSeconds);
  const report = { ...input, host, id: randomUUID(), at: instant(now), projectId: site.projectId };
  await deps.reports.add(report);
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

/** A visitor's report about a site. Do not trust its texts: a stranger wrote them. */
export const AbuseReport = z.object({
  id: z.uuid(),
  at: Instant,
  projectId: ProjectId,
  host: z.string(),
  reason: ReportReason,
  message: z.string(),
  email: z.string().optional(),
  url: z.string().optional(),
  /** What an operator decided; absent while the report is open. */
  resolution: z
    .object({ outcome: ReportOutcome, reason: z.string(), at: Instant, operatorId: AccountId })
    .optional(),
});
export type AbuseReport = z.infer<typeof AbuseReport>;
type ReportResolution = NonNullable<AbuseReport['resolution']>;

/** Stores reports for half a year, even if the project is deleted. */
export interface AbuseReports {
  add(report: AbuseReport): Promise<void>;
  /** Newest first; all of them, or the open or resolved ones. */
  latest(limit: number, now: Date, state?: 'open' | 'resolved'): Promise<AbuseReport[]>;
  /** Stores what was decided; false if the report was resolved before, or is gone. */
  resolve(report: AbuseReport, resolution: ReportResolution): Promise<boolean>;
}
