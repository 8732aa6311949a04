import type { CountedHit, HitBatch } from './hit-batches.ts';
import { isCapped } from './recorded-hit.ts';

/** The amounts that one network has added to an account's statistics on one day. */
export interface NetworkDay {
  /** Visits that count towards the plan. */
  counted: number;
  /** Hits that are stored as rows. */
  kept: number;
  /** `counted` by hour and project; see {@link hourSlot}. */
  slots: Readonly<Record<string, number>>;
}

/** How many visits of one network are counted and stored; see docs/decisions/0036. */
export const networkCaps = {
  /** Visits that count for the plan: for one project in an hour. */
  slot: 60,
  /**
   * Visits that count for the plan: for all projects of an account in a day. Thirty-one such days
   * stay below the visits at which projects of the smallest plan rest.
   */
  counted: 300,
  /**
   * Bytes that count fully for the plan: for all projects of an account in a day. Thirty-one such
   * days stay below the bytes at which projects of the smallest plan rest.
   */
  bytes: 600 * 1024 ** 2,
  /** Beyond `bytes`, one of this many sent bytes counts, because the operator pays for all of them. */
  bytesPart: 100,
  /**
   * Hits that are stored as rows: for all projects of an account in a day. Further hits are only
   * added to the totals.
   */
  kept: 1000,
  /**
   * Opens of the owner are stored as rows only while their network has fewer rows on that day than
   * this; further ones are only added to the totals. A screen that reloads itself would otherwise
   * hide the opens of others.
   */
  ownOpens: 100,
} as const;

/** A hit with the caps applied. */
export interface CappedHit extends CountedHit {
  /** Visits that it adds to the month of the project's owner. */
  planVisits: 0 | 1;
  /** Whether it is stored as a row; otherwise it is only added to the totals. */
  isKept: boolean;
}

/** The amounts that a batch adds to one network's day. */
export interface NetworkGrowth {
  network: string;
  counted: number;
  kept: number;
}

/** A batch with the caps applied, ready to be written. */
export interface CappedBatch extends Omit<HitBatch, 'hits'> {
  hits: CappedHit[];
  /** Only networks that add something. */
  growth: NetworkGrowth[];
}

/** The day of a network that has added nothing. */
export const emptyDay: NetworkDay = { counted: 0, kept: 0, slots: {} };

/** The name of one hour of one project within a day: `12-0b7e4c1a`. */
export function hourSlot({ hour, projectId }: Pick<HitBatch, 'hour' | 'projectId'>): string {
  return `${hour.slice(-2)}-${projectId.slice(0, 8)}`;
}

/**
 * Applies the caps to a batch: which hits count towards the plan and which are stored as rows,
 * given the earlier amounts of their networks. Visits beyond the caps still count as visits of the
 * project. Pure.
 */
export function capVisits(
  { hits, ...batch }: HitBatch,
  days: ReadonlyMap<string, NetworkDay>,
): CappedBatch {
  const slot = hourSlot(batch);
  const grown = new Map<string, NetworkGrowth>();
  const capped = hits.map((hit): CappedHit => {
    const { network, record } = hit;
    if (!isCapped(record)) return { ...hit, planVisits: 0, isKept: true };
    const most = record.kind === 'open' ? networkCaps.ownOpens : networkCaps.kept;
    const day = days.get(network) ?? emptyDay;
    const growth = grown.get(network) ?? { network, counted: 0, kept: 0 };
    const isKept = day.kept + growth.kept < most;
    const isCounted = isKept && hit.counts.visits > 0 && hasRoom(day, slot, growth.counted);
    grown.set(network, {
      network,
      counted: growth.counted + (isCounted ? 1 : 0),
      kept: growth.kept + (isKept ? 1 : 0),
    });
    return isCounted
      ? { ...hit, planVisits: 1, isKept }
      : { ...markAsExcess(hit), planVisits: 0, isKept };
  });
  return { ...batch, hits: capped, growth: [...grown.values()].filter(({ kept }) => kept > 0) };
}

function hasRoom({ counted, slots }: NetworkDay, slot: string, more: number): boolean {
  return counted + more < networkCaps.counted && (slots[slot] ?? 0) + more < networkCaps.slot;
}

/** A hit that is not a visit keeps its own reason. */
function markAsExcess(hit: CountedHit): CountedHit {
  if (hit.counts.visits === 0) return hit;
  return { ...hit, record: { ...hit.record, reason: 'excess' } };
}
