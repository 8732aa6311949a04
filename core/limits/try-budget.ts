/**
 * How many tries may fail within a window, and how long they have to wait for each other.
 *
 * Every try holds one place for the whole window, so that no window of that length, wherever it
 * begins, has more failed tries than there are places.
 */
export interface TrySchedule {
  windowSeconds: number;
  /** Places that may be taken at once. */
  free: number;
  /** Of each further place: how long after the further one before it a try may take it. */
  waitSeconds: readonly number[];
}

/** The places of a budget: when each was taken, in milliseconds; `undefined` where it never was. */
export interface TryPlaces {
  takenAt: readonly (number | undefined)[];
  /** When the last of the places that have to wait was taken. */
  lastWaitedAt: number | undefined;
}

/** A place that a try holds, as it is given back. */
export interface TryReservation {
  key: string;
  place: number;
  takenAt: Date;
  /** Whether it is a place that had to wait, and what `lastWaitedAt` was before then. */
  waits: boolean;
  waitedBefore?: number | undefined;
}

/** What a try meets: its place, or when one may be free. */
export type TryOutcome =
  | { kind: 'reserved'; reservation: TryReservation }
  | {
      kind: 'refused';
      freeAt: Date;
      /** When the newest try took its place: it may still be under way and give it back. */
      newestAt: Date;
    };

/** Where tries are counted; exact when many come at once. */
export interface TryBudgets {
  /** Takes a place before anything is compared. */
  reserve(key: string, schedule: TrySchedule, now: Date): Promise<TryOutcome>;
  /** Gives the place of a try back that turned out right. */
  release(reservation: TryReservation): Promise<void>;
}

/** The place that a try may take now, or when to come again. */
export type PlaceChoice =
  | { kind: 'free'; place: number }
  | { kind: 'waited'; place: number; lastWaitedAt: number | undefined }
  | { kind: 'none'; freeAt: Date; newestAt: Date };

/**
 * Chooses a place. Pure; `random` (0 to 1) spreads tries that come at once over the free places, so
 * that they do not meet at the same one.
 */
export function choosePlace(
  { takenAt, lastWaitedAt }: TryPlaces,
  schedule: TrySchedule,
  now: Date,
  random: number,
): PlaceChoice {
  const at = now.getTime();
  const windowMs = schedule.windowSeconds * 1000;
  const isOpen = (place: number) => at >= (takenAt[place] ?? Number.NEGATIVE_INFINITY) + windowMs;
  const open = Array.from({ length: placesOf(schedule) }, (_, place) => place).filter(isOpen);
  const free = open.filter((place) => place < schedule.free);
  const chosen = free[Math.floor(random * free.length)];
  if (chosen !== undefined) return { kind: 'free', place: chosen };
  const [next] = open;
  const readyAt = next === undefined ? Number.POSITIVE_INFINITY : waitEnd(next);
  if (next !== undefined && at >= readyAt) return { kind: 'waited', place: next, lastWaitedAt };
  const times = takenAt.filter((time) => time !== undefined);
  // No place is taken for longer than a window, and the first that leaves makes room.
  const leaves = Math.min(...times.map((time) => time + windowMs).filter((end) => end > at));
  return {
    kind: 'none',
    freeAt: new Date(Math.min(readyAt, leaves)),
    newestAt: new Date(Math.max(...times)),
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
