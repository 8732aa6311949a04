import { createHash } from 'node:crypto';
import type { CountedHit, HitBatch } from './hit-batches.ts';

/** More pages of one project than a person opens in a minute. */
const opensPerMinute = 120;

/** Bytes of a {@link networkMark}. */
export const networkMarkBytes = 3;

/** How many opens are counted, by {@link markName}. */
export type OpenCounts = ReadonlyMap<string, number>;

/**
 * The stored mark of an open's network: 24 bits of a hash of its pseudonym, the project and the
 * minute. A mark cannot be linked to another minute or project, and thousands of networks share
 * each value. Two networks with the same mark in one minute matter only if one of them is at its
 * limit.
 */
export function networkMark(
  { projectId }: Pick<HitBatch, 'projectId'>,
  { network, record }: Pick<CountedHit, 'network' | 'record'>,
): Uint8Array {
  return createHash('sha256')
    .update(JSON.stringify(['open', projectId, minuteOf(record), network]))
    .digest()
    .subarray(0, networkMarkBytes);
}

/** A network in a minute, as `2026-03-01T12:05 0b7e4c`. */
export function markName(minute: string, mark: Uint8Array): string {
  return `${minute} ${Buffer.from(mark).toString('hex')}`;
}

/**
 * A batch without the opens above the limit of their networks: at most 120 opens of one project by
 * one network in a minute count. `counted` has all earlier opens of these minutes. Pure.
 */
export function withoutExcessOpens<Batch extends HitBatch>(
  batch: Batch,
  counted: OpenCounts,
): Batch {
  const counts = new Map(counted);
  const hits = batch.hits.filter((hit) => {
    if (hit.record.kind !== 'open') return true;
    const name = markName(minuteOf(hit.record), networkMark(batch, hit));
    const before = counts.get(name) ?? 0;
    if (before >= opensPerMinute) return false;
    counts.set(name, before + 1);
    return true;
  });
  return { ...batch, hits };
}

function minuteOf({ at }: CountedHit['record']): string {
  return at.slice(0, 16);
}
