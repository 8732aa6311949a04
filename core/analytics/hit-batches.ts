import { createHash } from 'node:crypto';
import type { AccountId, ProjectId } from '../../contract/fields.ts';
import { type Counts, type RecordedHit, recordOf } from './recorded-hit.ts';
import type { Hit } from './hit.ts';

/** How many partitions share the hits of one project: each takes about 500 a second. */
export const hitShards = 8;

/** A hit that is kept, with what it adds. */
export interface CountedHit {
  record: RecordedHit;
  counts: Counts;
  /** Of a visit: the network that it came from. */
  network: string | null;
}

/** Hits that are written in one transaction: of one project, one shard and one hour. */
export interface HitBatch {
  projectId: ProjectId;
  ownerId: AccountId | null;
  shard: number;
  /** As `2026-03-01T12`, in UTC. */
  hour: string;
  hits: CountedHit[];
}

/** An open takes two rows, a visit one and its network's, and a transaction has at most 100 (DynamoDB quota), a few of them counters. */
const maxHits = 45;

/** Hits as they are written: grouped, each once. Pure; the same hit always comes to the same rows. */
export function hitBatches(hits: readonly Hit[]): HitBatch[] {
  const seen = new Set<string>();
  const open = new Map<string, HitBatch>();
  const batches: HitBatch[] = [];
  for (const hit of hits) {
    const { projectId, ownerId, kind, id } = hit;
    const name = `${projectId} ${kind} ${id}`;
    const counted = recordOf(hit);
    if (counted === undefined || seen.has(name)) continue;
    seen.add(name);
    const network = kind === 'visit' ? (hit.network ?? hit.visitor) : null;
    // Those of one network are counted together, and do not wait for each other at its row.
    const shard = shardOf(network ?? id);
    const hour = hit.at.slice(0, 13);
    const group = `${projectId} ${ownerId} ${shard} ${hour}`;
    const begun = open.get(group);
    if (begun !== undefined && begun.hits.length < maxHits) {
      begun.hits.push({ ...counted, network });
      continue;
    }
    const batch = { projectId, ownerId, shard, hour, hits: [{ ...counted, network }] };
    open.set(group, batch);
    batches.push(batch);
  }
  return batches;
}

function shardOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt8(0) % hitShards;
}
