import { randomUUID } from 'node:crypto';

/**
 * A new id: a UUID that begins with the time (version 7, RFC 9562 §5.7), so that things sorted by
 * their ids are sorted by age.
 */
export function timeOrderedId(at: Date): string {
  return `${firstIdAt(at)}-7${randomUUID().slice(15)}`;
}

/** What no id that was made at this time or later sorts before. */
export function firstIdAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
