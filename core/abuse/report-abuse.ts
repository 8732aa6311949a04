import { randomUUID } from 'node:crypto';
import type { AbuseReportInput } from '../../contract/abuse-report.ts';
import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import { callerKey } from '../limits/caller-key.ts';
import type { Counters } from '../limits/counters.ts';
import type { SiteDirectory } from '../ports.ts';
import { refuseVisit } from '../visit/decide-visit.ts';
import type { AbuseReport, AbuseReports } from './abuse-report.ts';

/** What taking a report needs. */
export interface ReportAbuseDeps {
  sites: SiteDirectory;
  counters: Pick<Counters, 'take'>;
  reports: Pick<AbuseReports, 'add'>;
  now(): Date;
}

const perCaller = [{ limit: 5, windowSeconds: 3600 }];

/**
 * Keeps what a visitor reports of the site at `host` for the operators.
 * @throws CodedError NOT_FOUND, RATE_LIMITED
 */
export async function reportAbuse(
  deps: ReportAbuseDeps,
  caller: Caller,
  { host, ...said }: AbuseReportInput & { host: string },
): Promise<AbuseReport> {
  const site = await deps.sites.get(host);
  const now = deps.now();
  // What answers like no site is none here either.
  if (site === undefined || refuseVisit(site, 'nobody', now)?.kind === 'missing') throw noSite();
  const key = `reports#${callerKey(caller.address)}`;
  const taken = await deps.counters.take(key, perCaller, now);
  if (!taken.taken) throw tooMany(taken.rule.limit, taken.retryAfterSeconds);
  const report = { ...said, host, id: randomUUID(), at: instant(now), projectId: site.projectId };
  await deps.reports.add(report);
  return report;
}

/** Whoever asks for a host that serves nothing. */
export function noSite(): CodedError {
  return new CodedError('NOT_FOUND', {
    error: 'No site is published at this address.',
    nextStep: 'Check the address letter by letter.',
  });
}

function tooMany(limit: number, retryAfterSeconds: number): CodedError {
  return new CodedError('RATE_LIMITED', {
    error: `At most ${limit} reports in an hour from one address.`,
    retryAfterSeconds,
  });
}
