import type { AccountId, ProjectId } from '../../../contract/fields.ts';
import type { CappedBatch } from '../../../core/analytics/cap-visits.ts';
import { type HitBatch, hitShards } from '../../../core/analytics/hit-batches.ts';
import { hitKey } from '../../../core/analytics/join-opens.ts';
import type { HitQuery } from '../../../core/analytics/ports.ts';
import type { RecordedHit } from '../../../core/analytics/recorded-hit.ts';

const daySeconds = 86_400;
/** For so long single hits are kept. */
export const hitKeptSeconds = 90 * daySeconds;
/** A week of minutes is asked for; the rest is for hits that waited. */
export const hourKeptSeconds = 15 * daySeconds;
/** Sums last as long as their project; only those of a project that is gone are ever this old. */
export const totalKeptSeconds = 5 * 365 * daySeconds;
/** A month's visits, for questions about last year's. */
export const monthKeptSeconds = 400 * daySeconds;

/** A hit may wait for four days and be given up after five tries, and must still find its day. */
export const networkDayKeptSeconds = 8 * daySeconds;

type Place = Pick<CappedBatch, 'projectId' | 'shard'>;

const prefixes = { visit: 'VISIT#', open: 'OPEN#', 'owner-open': 'OWNER#' } as const;

/** Every partition of a project's hits. */
export function shardsOf(projectId: ProjectId): string[] {
  return Array.from({ length: hitShards }, (_, shard) => shardPartition(projectId, shard));
}

export function shardPartition(projectId: ProjectId, shard: number): string {
  return `P#${projectId}#${shard}`;
}

export function rowKey(batch: Place, record: RecordedHit) {
  const pk = shardPartition(batch.projectId, batch.shard);
  return { pk, sk: prefixes[kindOf(record)] + hitKey(record) };
}

/** Holds an id against an open that comes again with another time. */
export function seenKey(batch: Place, { id }: RecordedHit) {
  return { pk: shardPartition(batch.projectId, batch.shard), sk: `SEEN#${id}` };
}

/** Hours sort before the total, so that one query gives both. */
export const totalSortKey = 'COUNT#TOTAL';
export const hourSortKey = (hour: string) => `COUNT#${hour}`;

export function monthPartition(accountId: AccountId): string {
  return `A#${accountId}`;
}

/**
 * What one network added on one day; in a partition of its own, because many networks come at once.
 * While nobody owns a project it goes with the project.
 */
export function networkDayKey(
  { ownerId, projectId, shard, hour }: Omit<HitBatch, 'hits'>,
  network: string,
) {
  const day = hour.slice(0, 10);
  if (ownerId !== null) return { pk: `N#${ownerId}#${network}`, sk: `DAY#${day}` };
  return { pk: shardPartition(projectId, shard), sk: `NETWORK#${day}#${network}` };
}

export const monthSortKey = (month: string, shard: number | 'MARKS') => `MONTH#${month}#${shard}`;

/** The range of sort keys that a query is about, both ends inclusive. */
export function sortKeyRange({ kind, before, from = '' }: HitQuery) {
  return { from: prefixes[kind] + from, to: prefixes[kind] + before };
}

function kindOf({ kind, reason }: RecordedHit): HitQuery['kind'] {
  return kind === 'open' && reason === 'owner' ? 'owner-open' : kind;
}
