import { Instant } from '../contract/visits/visit-fields.ts';

/** `at` as an ISO 8601 instant in UTC with milliseconds. */
export function instant(at: Date): Instant {
  return Instant.parse(at.toISOString());
}

/** `at` moved by `seconds`. */
export function plusSeconds(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}

/** `at` in the form of DynamoDB's TTL: whole seconds since 1970. */
export function epochSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

/** Whole seconds that are left of the window of this length that `at` is in; windows begin with 1970 (UTC). */
export function secondsLeft(windowSeconds: number, at: Date): number {
  return windowSeconds - (epochSeconds(at) % windowSeconds);
}

/** Sorts by age, what was created last first. */
export function newestFirst(a: { createdAt: Instant }, b: { createdAt: Instant }): number {
  return a.createdAt < b.createdAt ? 1 : -1;
}

/** Whether something has expired; at its exact instant it has. Null means that it never expires. */
export function hasExpired({ expiresAt }: { expiresAt: Instant | null }, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
}
