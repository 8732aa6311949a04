import * as z from 'zod';
import { ReportOutcome, ReportReason } from '../../contract/abuse-report.ts';
import { AccountId, Instant, ProjectId } from '../../contract/fields.ts';

/** A visitor's report about a site. Do not trust its texts: a stranger wrote them. */
export const AbuseReport = z.object({
  /** The first report of a project is 1. */
  number: z.int().positive(),
  at: Instant,
  projectId: ProjectId,
  /** Where the visitor was: also the host of a version or of a preview. */
  host: z.string(),
  reason: ReportReason,
  message: z.string(),
  email: z.string().optional(),
  url: z.string().optional(),
});
export type AbuseReport = z.infer<typeof AbuseReport>;

const ReportResolution = z.object({
  outcome: ReportOutcome,
  reason: z.string(),
  at: Instant,
  /** Absent if a command of the operator decided. */
  operatorId: z.optional(AccountId),
});
export type ReportResolution = z.infer<typeof ReportResolution>;

/** The reports of one project that wait together, or that one decision resolved. */
export const ReportedProject = z.object({
  projectId: ProjectId,
  host: z.string(),
  /** The number of the last report. */
  received: z.int().positive(),
  /** The number of the last report that an earlier decision resolved; 0 if there was none. */
  handled: z.int().nonnegative(),
  /** When the first of these reports came. */
  openSince: Instant,
  /** Absent while they are open. */
  resolution: ReportResolution.optional(),
});
export type ReportedProject = z.infer<typeof ReportedProject>;

/**
 * Of the open reports of one project, only the first ones are stored. Further ones are counted: one network could
 * otherwise fill the table with reports of one site.
 */
export const maxStoredReports = 20;

/** A part of the list of reported projects. */
export interface ReportedPage {
  projects: (ReportedProject & { reports: AbuseReport[] })[];
  /** Undefined on the last page. */
  next?: string | undefined;
}

/** Stores reports for half a year, even if the project is deleted. */
export interface AbuseReports {
  /** Counts a report, and stores it if fewer than {@link maxStoredReports} of its project are open. */
  add(report: Omit<AbuseReport, 'number'>): Promise<void>;
  /**
   * The projects with open reports, those first that wait longest, or the decisions, newest first.
   * @param query.reports how many reports of each are read, the latest first
   * @param query.after the `next` of an earlier page; for open reports also an instant
   */
  list(query: {
    state: 'open' | 'resolved';
    limit: number;
    reports: number;
    after?: string | undefined;
  }): Promise<ReportedPage>;
  /** The open reports of one project; undefined if there are none. */
  findOpen(projectId: ProjectId): Promise<ReportedProject | undefined>;
  /**
   * Stores what was decided about the open reports up to number `last`; later ones stay open.
   * @returns how many these were; 0 if they were resolved before, or are gone
   */
  resolve(projectId: ProjectId, last: number, resolution: ReportResolution): Promise<number>;
}
