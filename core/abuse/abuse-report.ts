import * as z from 'zod';
import { ReportReason } from '../../contract/abuse-report.ts';
import { Instant, ProjectId } from '../../contract/fields.ts';

/** What a visitor reported of a site, as operators read it. Every text in it is a stranger's. */
export const AbuseReport = z.object({
  id: z.uuid(),
  at: Instant,
  projectId: ProjectId,
  host: z.string(),
  reason: ReportReason,
  message: z.string(),
  email: z.string().optional(),
  url: z.string().optional(),
});
export type AbuseReport = z.infer<typeof AbuseReport>;

/** Where reports are kept, for half a year, whatever becomes of the project. */
export interface AbuseReports {
  add(report: AbuseReport): Promise<void>;
  /** Newest first. */
  latest(limit: number, now: Date): Promise<AbuseReport[]>;
}

/** Days after which a report is forgotten. */
export const reportKeptDays = 180;
