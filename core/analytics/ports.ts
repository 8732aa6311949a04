import type { AccountId, Instant, ProjectId } from '../../contract/fields.ts';
import type { AccountEvent } from '../webhooks/webhook.ts';
import type { CappedBatch, NetworkDay } from './cap-visits.ts';
import type { HitBatch } from './hit-batches.ts';
import type { RecordedHit } from './recorded-hit.ts';

/** Stores and counts hits. */
export interface HitStore {
  /** The amounts that the networks of a batch have added to its account on its day, by network. */
  networkDays(batch: HitBatch): Promise<ReadonlyMap<string, NetworkDay>>;
  /**
   * Writes a whole batch, except opens above the limit of their networks; otherwise writes nothing and
   * returns why.
   */
  write(batch: CappedBatch): Promise<RefusedBatch | undefined>;
}

/**
 * Why a batch was not written: some hits are stored already, the first shard has no room for some, or a block
 * or a network's day has changed.
 */
export interface RefusedBatch {
  /** See {@link hitName}. */
  kept: ReadonlySet<string>;
  /** The hits that belong to their own shards: see `spreadBatch`. */
  spread?: ReadonlySet<string>;
}

/** Identifies a hit within its project. */
export function hitName({ kind, id }: Pick<RecordedHit, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** Deletes the statistics of a project. */
export interface HitRemoval {
  removeHits(projectId: ProjectId): Promise<void>;
}

/** The totals of one project. */
export interface ProjectCounts {
  totals: { visits: number; opens: number; ownerOpens: number };
  lastOpenedAt: Instant | null;
  /** Opens by country, ISO 3166-1 alpha-2. */
  countries: Readonly<Record<string, number>>;
  /** By minute, unordered, none older than requested. */
  minutes: readonly MinuteCount[];
}

/** The totals of the minute that began at `at`. */
export interface MinuteCount {
  at: Date;
  visits: number;
  opens: number;
}

/** The opens of a share link: how many, the first and the last. */
export interface CountedOpens {
  opens: number;
  firstOpenedAt: Instant;
  lastOpenedAt: Instant;
}

/** The opens of share links. */
export interface LinkOpens {
  /** By the id of the link; only links that were opened. */
  ofLinks(projectId: ProjectId): Promise<ReadonlyMap<string, CountedOpens>>;
  /** Forgets the opens of a link that is deleted. */
  removeLink(projectId: ProjectId, linkId: string): Promise<void>;
}

/** Reads statistics. */
export interface HitReader {
  /**
   * The counts of a project with its minutes from `since` on, and its newest opens, up to a number,
   * without the owner's. Behind very many opens of the owner, older ones are not found.
   */
  summary(
    projectId: ProjectId,
    query: { since: Date; latest: number },
  ): Promise<ProjectCounts & { latestOpens: RecordedHit[] }>;
  /** Visits or opens, newest first, each older than `before`; see {@link hitKey}. */
  newest(query: HitQuery): Promise<ReadHits>;
}

/** Tells whether projects were opened anew. */
export interface LastOpens {
  /**
   * Of each project that was opened, the last open and the number of opens, without those of minutes that its first
   * partition had no room for: one call for up to 100 projects.
   */
  lastOpens(
    projectIds: readonly ProjectId[],
  ): Promise<ReadonlyMap<ProjectId, { opens: number; lastOpenedAt: Instant }>>;
}

/** Hits that one query read. */
export interface ReadHits {
  hits: RecordedHit[];
  /**
   * All hits of the query from this key on were read, and it is older than `before`: the next query
   * continues there. Undefined if there are no older ones. Fewer hits than `limit` do not mean that
   * there are no more, because one query reads a limited number of rows.
   */
  readFrom: string | undefined;
}

/** A query for the hits between two keys, newest first. */
export interface HitQuery {
  projectId: ProjectId;
  /** `open` excludes the owner's opens, `any-open` includes them. */
  kind: 'visit' | 'open' | 'any-open';
  /** Exclusive. */
  before: string;
  /** Inclusive. */
  from?: string;
  limit: number;
  /** Blocks of hits that are read in one call. Few calls are quick, and few blocks are cheap where each has many hits. */
  pageBlocks?: number;
}

/** An account's visits and sent bytes in a month, and the steps that were taken. */
export interface VisitMonth {
  visits: number;
  bytes: number;
  /** For each step, the plan limit for which it was taken this month. */
  notified: Readonly<Partial<Record<MonthlyLimitStep, number>>>;
}

/** A step that is taken once a month for one limit of visits or bytes: a mail at 80 % or 100 %, or resting. */
export type MonthlyLimitStep =
  | 'at80'
  | 'at100'
  | 'rested'
  | 'bytesAt80'
  | 'bytesAt100'
  | 'bytesRested';

/** The visits and sent bytes of accounts, by month (`2026-03`, in UTC). */
export interface VisitMonths {
  get(accountId: AccountId, month: string): Promise<VisitMonth>;
  addBytes(accountId: AccountId, month: string, bytes: number): Promise<void>;
  /**
   * Records that a step is taken for a limit, with the events that it causes; false when it was recorded for that
   * limit or a higher one.
   */
  recordStep(
    month: { accountId: AccountId; month: string },
    step: { mark: MonthlyLimitStep; limit: number; events: readonly AccountEvent[] },
  ): Promise<boolean>;
}

/** Mails owners about their monthly visits and bytes. */
export interface LimitMailer {
  sendMonthlyNotice(email: string, notice: MonthlyLimitNotice): Promise<void>;
}

/** How much of a monthly limit an account has used. */
export interface MonthlyLimitNotice {
  what: 'visits' | 'bytes';
  percent: 80 | 100;
  used: number;
  limit: number;
}
