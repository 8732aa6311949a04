import type { DroppedItem, DueItem } from '../../ports.ts';
import type { PlanCheckTime } from '../history/account-history.ts';
import { processingPlaces } from './processing-places.ts';

/** What a sweep processes. */
export type SweepItem = DueItem | DroppedItem | ({ kind: 'plan' } & PlanCheckTime);

/** Each changes ten projects at once. */
const plansAtOnce = 4;

/** No project of an account is changed with less time than this. */
export const planReserveMs = 8000;

/** Each aborts and deletes up to thousands of files. */
const uploadsAtOnce = 4;

/** No abandoned upload is begun with less time than this. */
const uploadReserveMs = 5000;

/** No look begins with less time than this: DNS takes up to 8 s of it, and AWS the rest. */
const lookReserveMs = 20_000;

/** Each reads the opens of a project and sends a mail. */
const noticesAtOnce = 4;

/** Each removal has two lists of files in memory, with 20,000 files each in the largest plan. */
const dropsAtOnce = 2;

/**
 * No removal of a version begins with less time left than this; one that is still comparing files
 * by then is postponed for an hour.
 */
export const dropReserveMs = 3000;

/** No pack is begun with less time left than this: up to 70 MiB are read and written. */
export const eraseReserveMs = 5000;

/**
 * The places at which a sweep processes items. Each kind that strangers can make many of has places of its own, so
 * that none waits for another.
 * @param process never rejects
 */
export function sweepPlaces(
  process: (item: SweepItem) => Promise<void>,
  remainingMs: () => number,
) {
  const placesUntil = (reserveMs: number, size?: number) =>
    processingPlaces(process, {
      isClosed: () => remainingMs() <= reserveMs,
      ...(size && { size }),
    });
  const [purges, others] = [placesUntil(0), placesUntil(0)];
  const plans = placesUntil(planReserveMs, plansAtOnce);
  const uploads = placesUntil(uploadReserveMs, uploadsAtOnce);
  const domains = placesUntil(lookReserveMs);
  const notices = placesUntil(uploadReserveMs, noticesAtOnce);
  const webhooks = placesUntil(uploadReserveMs);
  const lastOnes = processingPlaces(process, { size: dropsAtOnce });
  const placesOf = {
    plan: plans,
    upload: uploads,
    domain: domains,
    certificate: domains,
    purge: purges,
    notice: notices,
    webhook: webhooks,
  };
  const all = [purges, others, plans, uploads, domains, notices, webhooks, lastOnes];
  return {
    /** Begins an item once there is a place for it. */
    enqueue(item: SweepItem): void {
      const places = isNamedIn(item.kind, placesOf) ? placesOf[item.kind] : others;
      places.enqueue(item);
    },
    /** For what nobody waits for: dropped versions and erasures. */
    lastOnes,
    async urgentDone(): Promise<void> {
      await Promise.all([purges.allDone(), others.allDone()]);
    },
    async allDone(): Promise<void> {
      await Promise.all(all.map((places) => places.allDone()));
    },
    unfinished: () => all.flatMap((places) => places.unfinished()),
  };
}

function isNamedIn<Names extends object>(kind: PropertyKey, names: Names): kind is keyof Names {
  return Object.hasOwn(names, kind);
}
