const language = 'en';

const counts = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);
const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
const shortDays = new Intl.DateTimeFormat(language, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
const countryNames = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });

/** The form for a number; a language with more forms has more texts. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return counts.select(count) === 'one' ? forms.one : forms.other;
}

/** A number with its separators. */
export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** An instant with its time, in the reader's time zone. */
export function formatInstant(at: string): string {
  return dates.format(new Date(at));
}

/** The day of an instant, in the reader's time zone. */
export function formatDay(at: string): string {
  return days.format(new Date(at));
}

/** A calendar day without its year, for an axis: `Nov 5`. */
export function formatShortDay(day: string): string {
  return shortDays.format(new Date(`${day}T00:00:00Z`));
}

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** How long ago, or in how long: `2 hours ago`. */
export function formatRelative(at: string, now = Date.now()): string {
  const seconds = (Date.parse(at) - now) / 1000;
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return relative.format(0, 'second');
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A size in decimal units: `4.5 MB`. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(bytes / 1000 ** step);
}

/** The time that something still takes, rounded up: `40 seconds`, `3 minutes`, `11 hours`. */
export function formatDuration(seconds: number): string {
  const step = steps.find(([, length]) => seconds >= 1.5 * length);
  const [unit, length] = step ?? ['second', 1];
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 0,
  }).format(Math.ceil(seconds / length));
}

/** The name of a country (ISO 3166-1 alpha-2). An unknown code is shown as it is. */
export function formatCountry(code: string): string {
  try {
    return countryNames.of(code) ?? code;
  } catch {
    return code;
  }
}
