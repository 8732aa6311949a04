const byteUnits = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;
const byteStep = 1024;

/** Bytes as people read them: `1 byte`, `987 bytes`, `1.5 kB`, `12 MB`. Steps of 1024, as the limits count. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (unit < byteUnits.length - 1 && rounded(size, unit) >= byteStep) {
    size /= byteStep;
    unit += 1;
  }
  return bytes === 1 ? '1 byte' : `${rounded(size, unit)} ${byteUnits[unit]}`;
}

/** A number with its noun: `1 file`, `12 files`, `4,500 files`. */
export function formatCount(amount: number, noun: string): string {
  // The first use of a locale takes 8 ms of a cold start.
  const digits =
    Number.isInteger(amount) && amount < 1000 ? amount : amount.toLocaleString('en-US');
  return `${digits} ${noun}${amount === 1 ? '' : 's'}`;
}

/** One decimal below ten, none above: more would only be noise. */
function rounded(size: number, unit: number): number {
  const tenths = Math.round(size * 10) / 10;
  return unit === 0 || tenths >= 10 ? Math.round(size) : tenths;
}

let instantFormat: Intl.DateTimeFormat | undefined;

const instantFields = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
} as const;

/** An ISO 8601 instant in words. In UTC, because the page has no script that could read the visitor’s time zone. */
export function formatInstant(at: string): string {
  // Made at its first use: it takes a tenth of a cold start, and few pages show a time.
  instantFormat ??= new Intl.DateTimeFormat('en-GB', instantFields);
  return instantFormat.format(new Date(at));
}

const timeUnits = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** How long until `at`: `12 minutes`, `2 days`. Rounded down, so that it never promises too much. */
export function formatTimeLeft(at: string, now: Date): string {
  const seconds = (Date.parse(at) - now.getTime()) / 1000;
  const [unit, unitSeconds] = timeUnits.find(([, size]) => seconds >= size) ?? ['minute', 60];
  const amount = Math.floor(seconds / unitSeconds);
  if (amount < 1) return 'less than a minute';
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

/** How long to wait: `40 seconds`, `12 minutes`, `3 hours`. Rounded up, so that nobody comes too early. */
export function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (seconds <= 60) return formatCount(seconds, 'second');
  return minutes <= 120
    ? formatCount(minutes, 'minute')
    : formatCount(Math.ceil(minutes / 60), 'hour');
}
