import { daySeconds } from '../../../contract/limits.ts';
import type { AccountId, ProjectId } from '../../../contract/fields.ts';
import type { CappedBatch } from '../../../core/analytics/cap-visits.ts';
import { type HitBatch, hitShards, shardOf } from '../../../core/analytics/hit-batches.ts';
import type { RecordedHit } from '../../../core/analytics/recorded-hit.ts';

/** The lifetime of a single hit. */
export const hitKeptSeconds = 90 * daySeconds;
/** The statistics show one week of minutes; the rest is for delayed hits. */
export const hourKeptSeconds = 15 * daySeconds;
/** Totals are deleted with their project; the TTL only removes leftovers. */
export const totalKeptSeconds = 5 * 365 * daySeconds;
/** Monthly visits are kept for a comparison with the previous year. */
export const monthKeptSeconds = 400 * daySeconds;

/**
 * A hit may wait in the queue for four days and be retried five times; its day must still exist
 * then.
 */
export const networkDayKeptSeconds = 8 * daySeconds;

type Place = Pick<CappedBatch, 'projectId' | 'shard'>;

/** All partitions of a project's hits. */
export function shardsOf(projectId: ProjectId): string[] {
  return Array.from({ length: hitShards }, (_, shard) => shardPartition(projectId, shard));
}

export function shardPartition(projectId: ProjectId, shard: number): string {
  return `P#${projectId}#${shard}`;
}

/** Blocks of one kind sort by the minute of their hits, then in the order in which they were begun. */
export function blockSortKey(kind: RecordedHit['kind'], minute: string, number: string): string {
  return `${blockPrefixes[kind]}${minute}#${number}`;
}

export const blockPrefixes = { visit: 'VISITS#', open: 'OPENS#' } as const;

/** Days sort before the total, so one query returns both. */
export const totalSortKey = 'COUNT#TOTAL';
/** The row that counts the opens of a share link in one partition. */
export const linkOpensKey = (id: string) => `LINK#${id}`;
/** The row with the minutes of a day, of all partitions. */
export function rollupKey(projectId: ProjectId, day: string) {
  return { pk: shardPartition(projectId, 0), sk: `COUNT#${day}${rollupSuffix}` };
}
export const isRollupKey = (sk: string) => sk.endsWith(rollupSuffix);
const rollupSuffix = '#ROLLUP';

export function monthPartition(accountId: AccountId): string {
  return `A#${accountId}`;
}

/**
 * The row that counts what one network added on one day. It has its own partition, because many
 * networks write at the same time. It is deleted with a project that has no owner.
 */
export function networkDayKey(
  { ownerId, projectId, hour }: Pick<HitBatch, 'ownerId' | 'projectId' | 'hour'>,
  network: string,
) {
  const day = hour.slice(0, 10);
  if (ownerId !== null) return { pk: `N#${ownerId}#${network}`, sk: `DAY#${day}` };
  return { pk: shardPartition(projectId, shardOf(network)), sk: `NETWORK#${day}#${network}` };
}

/**
 * The row that several networks share for one day of an account: the first row of the day, or one
 * of its parts.
 */
export function sharedDaysKey(
  { ownerId, projectId, hour }: Pick<HitBatch, 'ownerId' | 'projectId' | 'hour'>,
  part: string,
) {
  const day = hour.slice(0, 10);
  if (ownerId !== null) return { pk: `N#${ownerId}#${part}`, sk: `DAY#${day}` };
  return { pk: shardPartition(projectId, 0), sk: `NETWORK#${day}#${part}` };
}

/** The row of an account's month that a project and its shard add to, so that writes are spread. */
export function monthShard({ projectId, shard }: Place): number {
  return (shard + shardOf(projectId)) % hitShards;
}

export const monthSortKey = (month: string, shard: number | 'MARKS' | 'BYTES') =>
  `MONTH#${month}#${shard}`;
