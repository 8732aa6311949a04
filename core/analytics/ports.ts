import type { AccountId, Instant, ProjectId } from '../../contract/fields.ts';
import type { CappedBatch, NetworkDay } from './cap-visits.ts';
import type { HitBatch } from './hit-batches.ts';
import type { RecordedHit } from './recorded-hit.ts';

/** Where hits are kept and counted. */
export interface HitStore {
  /** What the networks of a batch have added to its account on its day, by their names. */
  networkDays(batch: HitBatch): Promise<ReadonlyMap<string, NetworkDay>>;
  /** Writes all of a batch, or nothing and says why. */
  write(batch: CappedBatch): Promise<RefusedBatch | undefined>;
}

/** Why nothing of a batch was written: hits are kept already, or the room of a network was taken. */
export interface RefusedBatch {
  /** See {@link hitName}. */
  kept: ReadonlySet<string>;
}

/** Tells the hits of a project apart. */
export function hitName({ kind, id }: Pick<RecordedHit, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** Makes forget what is known of who looked at a project. */
export interface HitRemoval {
  forget(projectId: ProjectId): Promise<void>;
}

/** What was counted of one project. */
export interface ProjectCounts {
  totals: { visits: number; opens: number; ownerOpens: number };
  lastOpenedAt: Instant | null;
  /** Opens by country, ISO 3166-1 alpha-2. */
  countries: Readonly<Record<string, number>>;
  /** By minute, in no order; none older than was asked for. */
  minutes: readonly MinuteCount[];
}

/** What was counted in the minute that began at `at`. */
export interface MinuteCount {
  at: Date;
  visits: number;
  opens: number;
}

/** Where what was counted is read. */
export interface HitReader {
  counts(projectId: ProjectId, since: Date): Promise<ProjectCounts>;
  /** The newest opens, without the owner's. */
  latestOpens(projectId: ProjectId, limit: number): Promise<RecordedHit[]>;
  /** Visits, opens or the owner's opens, newest first, each older than `before`; see {@link hitKey}. */
  newest(query: HitQuery): Promise<RecordedHit[]>;
}

/** Which hits: those between two keys, the newest first. */
export interface HitQuery {
  projectId: ProjectId;
  kind: 'visit' | 'open' | 'owner-open';
  /** Exclusive. */
  before: string;
  /** Inclusive. */
  from?: string;
  limit: number;
}

/** How a month of an account stands. */
export interface VisitMonth {
  visits: number;
  /** The plan's limits for which the owner was told, or the projects put to rest, this month. */
  told: Readonly<Partial<Record<VisitMark, number>>>;
}

/** What is done once in a month for one limit. */
export type VisitMark = 'at80' | 'at100' | 'rested';

/** The visits of accounts, by month (`2026-03`, in UTC). */
export interface VisitMonths {
  get(accountId: AccountId, month: string): Promise<VisitMonth>;
  /** Notes what is about to be done for a limit; false when it was noted for that limit, or a higher one. */
  note(accountId: AccountId, month: string, mark: VisitMark, limit: number): Promise<boolean>;
}

/** Tells owners how their month stands. */
export interface LimitMailer {
  send(email: string, told: { percent: 80 | 100; visits: number; limit: number }): Promise<void>;
}
