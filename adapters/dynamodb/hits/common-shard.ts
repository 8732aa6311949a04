import type { CappedBatch } from '../../../core/analytics/cap-visits.ts';
import { hitName } from '../../../core/analytics/ports.ts';
import type { RecordedHit } from '../../../core/analytics/recorded-hit.ts';
import { blockSortKey } from './hit-rows.ts';

/**
 * At most this many hits of one kind and minute share the first shard of a project. More are rare,
 * and reading their blocks before each write would cost more than the shared write saves.
 */
const commonHits = 200;

interface Block {
  sk: string;
  count: number;
}

/**
 * The names of the hits that go to another shard, because their minute is full in the first. A minute fills only by a
 * change of its last block, so a write by a consumer that read the block before fails. So a hit is in one place: the
 * first shard, where every delivery looks first, or its own.
 */
export function withoutRoom(
  { hits }: CappedBatch,
  { found }: { found: readonly Block[] },
): string[] {
  const full = fullMinutes(found);
  return hits.flatMap(({ record }) => (full.has(minuteKey(record)) ? hitName(record) : []));
}

/** The minutes, by kind, whose blocks in the first shard are full. */
export function fullMinutes(found: readonly Block[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { sk, count } of found) {
    const minute = sk.slice(0, sk.lastIndexOf('#') + 1);
    counts.set(minute, (counts.get(minute) ?? 0) + count);
  }
  return new Set([...counts].flatMap(([minute, count]) => (count >= commonHits ? minute : [])));
}

function minuteKey({ kind, at }: RecordedHit): string {
  return blockSortKey(kind, at.slice(0, 16), '');
}
