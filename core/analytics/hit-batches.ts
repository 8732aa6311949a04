import { createHash } from 'node:crypto';
import type { AccountId, ProjectId } from '../../contract/fields.ts';
import type { Project } from '../projects/project.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { type HitCounts, isCapped, type RecordedHit, toRecordedHit } from './recorded-hit.ts';
import type { Hit } from './hit.ts';

/** Partitions of one project's hits; each accepts about 500 hits a second. */
export const hitShards = 8;

/** A recorded hit, with what it adds to the totals. */
export interface CountedHit {
  record: RecordedHit;
  counts: HitCounts;
  network: string;
}

/** A project whose opens are events for webhooks. */
export interface WatchedProject {
  project: Project;
  webhooks: readonly Webhook[];
}

/**
 * Hits that are written in one transaction: of one project, one shard and one hour. All hits of a
 * project go to the first shard until that has no more room for their minute; then each hit goes to
 * its own shard.
 */
export interface HitBatch {
  projectId: ProjectId;
  ownerId: AccountId | null;
  shard: number;
  /** Whether each hit is in its own shard, because the first one had no more room. */
  isSpread: boolean;
  /** As `2026-03-01T12`, in UTC. */
  hour: string;
  hits: CountedHit[];
  /** Its project, where its opens are events for webhooks. */
  watched?: WatchedProject | undefined;
}

/**
 * The most blocks and network days of a batch; with the counters, a transaction has at most 100
 * rows (DynamoDB quota).
 */
const maxRows = 95;
/** Two events for ten webhooks are thirty rows more. */
const maxRowsWithEvents = 65;
/** The most hits of a batch; those in one block are read and written together. */
const maxHits = 200;

/** Groups hits into batches, without duplicates. Pure; the same hit always belongs to the same rows. */
export function groupHits(
  hits: readonly Hit[],
  watched: ReadonlyMap<ProjectId, WatchedProject> = new Map(),
): HitBatch[] {
  const countedNames = new Set<string>();
  const open = new Map<string, { batch: HitBatch; rows: Set<string> }>();
  const batches: HitBatch[] = [];
  for (const hit of hits) {
    const { projectId, ownerId, kind, id } = hit;
    const name = `${projectId} ${kind} ${id}`;
    const counted = toRecordedHit(hit);
    if (counted === undefined || countedNames.has(name)) continue;
    countedNames.add(name);
    const { network } = hit;
    const hour = hit.at.slice(0, 13);
    const group = `${projectId} ${ownerId} ${hour}`;
    const rows = rowsOf({ ...counted, network });
    const current = open.get(group);
    if (current !== undefined && hasRoom(current, rows)) {
      current.batch.hits.push({ ...counted, network });
      for (const row of rows) current.rows.add(row);
      continue;
    }
    const of = { projectId, ownerId, shard: 0, isSpread: false, hour };
    const events = { watched: watched.get(projectId) };
    const batch = { ...of, ...events, hits: [{ ...counted, network }] };
    open.set(group, { batch, rows: new Set(rows) });
    batches.push(batch);
  }
  return batches;
}

/**
 * The rows that a hit may change, which other hits of its batch may share: its block, the day of its
 * network, and the count of an open's share link.
 */
function rowsOf({ record, network }: CountedHit): string[] {
  const block = `${record.kind} ${record.at.slice(0, 16)}`;
  if (isCapped(record)) return [block, network];
  return record.link === undefined ? [block] : [block, `link ${record.link.id}`];
}

function hasRoom({ batch, rows }: { batch: HitBatch; rows: Set<string> }, more: string[]): boolean {
  const newRows = more.filter((row) => !rows.has(row)).length;
  const most = batch.watched === undefined ? maxRows : maxRowsWithEvents;
  return batch.hits.length < maxHits && rows.size + newRows <= most;
}

/** The hits of a batch that the first shard has no room for, in their own shards. Pure. */
export function spreadBatch({ hits, ...batch }: HitBatch): HitBatch[] {
  const shards = new Map<number, CountedHit[]>();
  for (const hit of hits) {
    const shard = ownShard(hit);
    shards.set(shard, [...(shards.get(shard) ?? []), hit]);
  }
  return Array.from(shards, ([shard, own]) => ({ ...batch, shard, isSpread: true, hits: own }));
}

/**
 * The hits of one network share a shard, so that their transactions do not conflict at its row, and its
 * opens of a minute are counted there.
 */
export function ownShard({ network }: Pick<CountedHit, 'network'>): number {
  return shardOf(network);
}

/** The shard that belongs to a name. */
export function shardOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt8(0) % hitShards;
}
