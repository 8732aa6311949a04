import { Instant } from '../contract/fields.ts';

/** `at` as an ISO 8601 instant in UTC with milliseconds. */
export function instant(at: Date): Instant {
  return Instant.parse(at.toISOString());
}

/** `at` moved by `seconds`. */
export function plusSeconds(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}

/** `at` as DynamoDB's TTL wants it: whole seconds since 1970. */
export function epochSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
