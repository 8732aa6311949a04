import { invalidField } from '../errors.ts';
import { plusSeconds } from '../instants.ts';

/** Where a listener is: it has the events before `from`, and of those since then the ones that are `seen`. */
export interface EventCursor {
  from: Date;
  /** Ids of events. */
  seen: ReadonlySet<string>;
}

/** An open is counted up to so much later than it happened; two minutes also bear a slow queue. */
export const lateSeconds = 120;

/** The most events that a cursor names. */
const maxSeen = 100;

/** Ids of events have this length. */
export const eventIdLength = 6;

const form = /^([0-9a-z]{1,9})\.((?:[\w-]{6})*)$/;

/**
 * Reads a cursor; without one, events from now on.
 * @throws CodedError INVALID_REQUEST
 */
export function readCursor(text: string | undefined, now: Date): EventCursor {
  if (text === undefined) return { from: now, seen: new Set() };
  const [, at = '', ids = ''] = form.exec(text) ?? [];
  if (at !== '') {
    const from = new Date(Math.min(Number.parseInt(at, 36), now.getTime()));
    return { from, seen: new Set(ids.match(/.{6}/g)) };
  }
  throw invalidField('after', 'is not the `nextCursor` of an answer', {
    nextStep: 'Send the `nextCursor` of the previous answer, or omit `after` to begin now.',
  });
}

/**
 * The cursor of an answer: it goes on two minutes before now, and leaves out what the listener has. Behind more events
 * than it can name, it goes on at the oldest that it names. Pure.
 * @param had the time of each event that the listener has, by its id
 * @param heldBackAt when the first event happened that did not fit into the answer
 */
export function writeCursor(
  { from }: EventCursor,
  had: ReadonlyMap<string, Date>,
  { now, heldBackAt }: { now: Date; heldBackAt?: Date | undefined },
): string {
  const settled = Math.min(
    plusSeconds(now, -lateSeconds).getTime(),
    heldBackAt?.getTime() ?? Infinity,
  );
  const start = Math.max(from.getTime(), settled);
  const named = [...had]
    .filter(([, at]) => at.getTime() >= start)
    .toSorted(([, a], [, b]) => b.getTime() - a.getTime())
    .slice(0, maxSeen);
  const oldest = named.length === maxSeen ? named.at(-1)?.[1].getTime() : undefined;
  return `${(oldest ?? start).toString(36)}.${named.map(([id]) => id).join('')}`;
}
