/** Sizes as in the pages of visitors and in the limits. */
export { formatBytes } from '../../pages/parts/format.ts';

const language = 'en';

/** Makes a format at its first use: `Intl` loads more for one than a command needs to start. */
function lazy<Format extends object | string>(make: () => Format): () => Format {
  let format: Format | undefined;
  return () => (format ??= make());
}

/** English words, with dates and clocks as in the reader's country: `29 Nov 2026, 21:02` for `de-DE`. */
const readersLocale = lazy(() => {
  const own = new Intl.DateTimeFormat().resolvedOptions().locale;
  const { region } = new Intl.Locale(own).maximize();
  return region === undefined ? language : `${language}-${region}`;
});

const counts = new Intl.PluralRules(language);
const numbers = lazy(() => new Intl.NumberFormat(language));
const dates = lazy(
  () => new Intl.DateTimeFormat(readersLocale(), { dateStyle: 'medium', timeStyle: 'short' }),
);
const days = lazy(() => new Intl.DateTimeFormat(readersLocale(), { dateStyle: 'medium' }));
const shortDays = lazy(
  () =>
    new Intl.DateTimeFormat(readersLocale(), { month: 'short', day: 'numeric', timeZone: 'UTC' }),
);
const relative = lazy(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
const countryNames = lazy(
  () => new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }),
);

/** The form for a number; a language with more forms has more texts. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return counts.select(count) === 'one' ? forms.one : forms.other;
}

/** A number with its separators. */
export function formatNumber(value: number): string {
  return numbers().format(value);
}

/** An instant with its time, in the reader's time zone. */
export function formatInstant(at: string): string {
  return dates().format(new Date(at));
}

/** The day of an instant, in the reader's time zone. */
export function formatDay(at: string): string {
  return days().format(new Date(at));
}

/** A calendar day without its year, for an axis: `Nov 5`. */
export function formatShortDay(day: string): string {
  return shortDays().format(new Date(`${day}T00:00:00Z`));
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
    if (Math.abs(seconds) >= length) return relative().format(Math.trunc(seconds / length), unit);
  }
  return relative().format(0, 'second');
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
    return countryNames().of(code) ?? code;
  } catch {
    return code;
  }
}
