/**
 * How many tries may fail within a window, and how long to wait between them.
 *
 * Every failed try holds one place for the whole window. So no window of that length, whenever it
 * begins, has more failed tries than there are places.
 */
export interface TrySchedule {
  windowSeconds: number;
  /** Places that can be used without waiting. */
  free: number;
  /** For each further place: how long after the previous further place it can be used. */
  waitSeconds: readonly number[];
}

/** The places of a budget: when each was last used, in milliseconds; `undefined` if it never was. */
export interface TryPlaces {
  reservedAt: readonly (number | undefined)[];
  /** When the last place with a wait was used. */
  lastWaitedAt: number | undefined;
  /** Tries that have neither succeeded nor failed yet, and those whose function ended meanwhile. */
  running: number;
}

/** A place that a try holds, as needed for its release. */
export interface TryReservation {
  key: string;
  place: number;
  reservedAt: Date;
  /** Whether the place had a wait, and the `lastWaitedAt` before this try. */
  waits: boolean;
  waitedBefore?: number | undefined;
}

/** The place of a try, or when one may be free. */
export type TryOutcome =
  | { kind: 'reserved'; reservation: TryReservation }
  | {
      kind: 'refused';
      freeAt: Date;
      /** When the newest try reserved its place, if any is running: it may release it. */
      newestAt: Date | undefined;
    };

/** Counts tries; exact under concurrency. */
export interface TryBudgets {
  /** Reserves a place, before the secret is compared. */
  reserve(key: string, schedule: TrySchedule, now: Date): Promise<TryOutcome>;
  /** Releases the place of a successful try. */
  release(reservation: TryReservation): Promise<void>;
  /** Keeps the place of a failed try for its window: no other try needs to wait for it. */
  keep(reservation: TryReservation): Promise<void>;
}

/** The place that a try can use now, or when to retry. */
export type PlaceChoice =
  | { kind: 'free'; place: number }
  | { kind: 'waited'; place: number; lastWaitedAt: number | undefined }
  | { kind: 'none'; freeAt: Date; newestAt: Date | undefined };

/**
 * Chooses a place. Pure; `random` (0 to 1) spreads concurrent tries over the free places, so that
 * they do not collide.
 */
export function choosePlace(
  { reservedAt, lastWaitedAt, running }: TryPlaces,
  schedule: TrySchedule,
  now: Date,
  random: number,
): PlaceChoice {
  const at = now.getTime();
  const windowMs = schedule.windowSeconds * 1000;
  const isOpen = (place: number) =>
    at >= (reservedAt[place] ?? Number.NEGATIVE_INFINITY) + windowMs;
  const open = Array.from({ length: placesOf(schedule) }, (_, place) => place).filter(isOpen);
  const free = open.filter((place) => place < schedule.free);
  const chosen = free[Math.floor(random * free.length)];
  if (chosen !== undefined) return { kind: 'free', place: chosen };
  const [next] = open;
  const readyAt = next === undefined ? Number.POSITIVE_INFINITY : waitEnd(next);
  if (next !== undefined && at >= readyAt) return { kind: 'waited', place: next, lastWaitedAt };
  const times = reservedAt.filter((time) => time !== undefined);
  // A place is in use for at most one window; the place whose window ends first becomes free first.
  const leaves = Math.min(...times.map((time) => time + windowMs).filter((end) => end > at));
  return {
    kind: 'none',
    freeAt: new Date(Math.min(readyAt, leaves)),
    newestAt: running > 0 ? new Date(Math.max(...times)) : undefined,
  };

  function waitEnd(place: number): number {
    const wait = schedule.waitSeconds[place - schedule.free] ?? 0;
    return (lastWaitedAt ?? Number.NEGATIVE_INFINITY) + wait * 1000;
  }
}

/** How many places a schedule has in all. */
export function placesOf({ free, waitSeconds }: TrySchedule): number {
  return free + waitSeconds.length;
}
