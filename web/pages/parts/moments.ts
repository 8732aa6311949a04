import { count } from './sizes.ts';

let moment: Intl.DateTimeFormat | undefined;

const form = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
} as const;

/** An ISO 8601 instant in words. In UTC: no script runs here that knew the visitor's clock. */
export function spellMoment(at: string): string {
  // Made at its first use: it would be a tenth of a cold start, and few pages name a moment.
  moment ??= new Intl.DateTimeFormat('en-GB', form);
  return moment.format(new Date(at));
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** How long until `at`: `12 minutes`, `2 days`. Rounded down, so that it never promises too much. */
export function spellTimeLeft(at: string, now: Date): string {
  const seconds = (Date.parse(at) - now.getTime()) / 1000;
  const [unit, unitSeconds] = units.find(([, size]) => seconds >= size) ?? ['minute', 60];
  const amount = Math.floor(seconds / unitSeconds);
  if (amount < 1) return 'less than a minute';
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

/** How long to wait: `40 seconds`, `12 minutes`, `3 hours`. Rounded up, so that nobody comes too early. */
export function spellWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (seconds <= 60) return count(seconds, 'second');
  return minutes <= 120 ? count(minutes, 'minute') : count(Math.ceil(minutes / 60), 'hour');
}
