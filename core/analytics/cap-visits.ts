import type { CountedHit, HitBatch } from './hit-batches.ts';

/** What one network has added to an account on one day. */
export interface NetworkDay {
  /** Visits that count for the plan. */
  counted: number;
  /** Hits that are kept one by one. */
  kept: number;
  /** `counted` by hour and project; see {@link hourSlot}. */
  slots: Readonly<Record<string, number>>;
}

/** How much of one network's visits counts and is kept; see docs/decisions/0036. */
export const networkCaps = {
  /** Counted for the plan: of one project in an hour. */
  slot: 60,
  /** Counted for the plan: of all projects of an account in a day. Thirty-one of them are less than what rests the smallest plan. */
  counted: 300,
  /** Kept one by one: of all projects of an account in a day. Whatever comes after is a number. */
  kept: 1000,
} as const;

/** A hit with what became of it under the caps. */
export interface CappedHit extends CountedHit {
  /** Visits that it adds to the month of the project's owner. */
  planVisits: 0 | 1;
  /** False where it is only added to the sums. */
  isKept: boolean;
}

/** What a batch adds to one network's day. */
export interface NetworkGrowth {
  network: string;
  counted: number;
  kept: number;
}

/** A batch as it is written. */
export interface CappedBatch extends Omit<HitBatch, 'hits'> {
  hits: CappedHit[];
  /** Only of networks whose day grows. */
  growth: NetworkGrowth[];
}

const nothingYet: NetworkDay = { counted: 0, kept: 0, slots: {} };

/** The name of one hour of one project within a day: `12-0b7e4c1a`. */
export function hourSlot({ hour, projectId }: Pick<HitBatch, 'hour' | 'projectId'>): string {
  return `${hour.slice(-2)}-${projectId.slice(0, 8)}`;
}

/**
 * What of a batch counts for the plan and what is kept one by one, after what its networks added
 * before. What they ask for beyond the caps counts as visits of the project all the same. Pure.
 */
export function capVisits(
  { hits, ...batch }: HitBatch,
  days: ReadonlyMap<string, NetworkDay>,
): CappedBatch {
  const slot = hourSlot(batch);
  const grown = new Map<string, NetworkGrowth>();
  const capped = hits.map((hit): CappedHit => {
    const { network } = hit;
    if (network === null) return { ...hit, planVisits: 0, isKept: true };
    const day = days.get(network) ?? nothingYet;
    const growth = grown.get(network) ?? { network, counted: 0, kept: 0 };
    const isKept = day.kept + growth.kept < networkCaps.kept;
    const isCounted = isKept && hit.counts.visits > 0 && hasRoom(day, slot, growth.counted);
    grown.set(network, {
      network,
      counted: growth.counted + (isCounted ? 1 : 0),
      kept: growth.kept + (isKept ? 1 : 0),
    });
    return isCounted
      ? { ...hit, planVisits: 1, isKept }
      : { ...beyond(hit), planVisits: 0, isKept };
  });
  return { ...batch, hits: capped, growth: [...grown.values()].filter(({ kept }) => kept > 0) };
}

function hasRoom({ counted, slots }: NetworkDay, slot: string, more: number): boolean {
  return counted + more < networkCaps.counted && (slots[slot] ?? 0) + more < networkCaps.slot;
}

/** What is no visit anyway keeps its own reason. */
function beyond(hit: CountedHit): CountedHit {
  if (hit.counts.visits === 0) return hit;
  return { ...hit, record: { ...hit.record, reason: 'excess' } };
}
