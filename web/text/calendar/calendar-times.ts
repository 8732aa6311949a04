import type { CalendarLine } from './read-calendar.ts';

/** A time as a calendar writes it: on the clock of `zone`, or of whoever reads it where there is none. */
export interface CalendarTime {
  /** Of the clock's numbers, as if they were UTC. */
  date: Date;
  isDay: boolean;
  zone: string | undefined;
}

/** Reads `20260301`, `20260301T090000` and `20260301T090000Z` (RFC 5545, sections 3.3.4 and 3.3.5). */
export function timeOf({ value, parameters }: CalendarLine): CalendarTime | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value.trim());
  if (found === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', utc] = found;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:00.000Z`);
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return undefined;
  const zone = utc === 'Z' ? 'UTC' : parameters.get('TZID');
  return { date, isDay: found[4] === undefined, zone: zone || undefined };
}

/** `Sunday, 1 March 2026, 09:00 – 10:00 (Europe/Berlin)`; the last day of whole days is the one before the end. */
export function formatSpan(start: CalendarTime, end: CalendarTime | undefined): string {
  const last = end && lastOf(end);
  if (last === undefined || last.isDay !== start.isDay || last.date <= start.date)
    return formatTime(start);
  if (start.isDay || last.zone !== start.zone) return `${formatTime(start)} – ${formatTime(last)}`;
  const isSameDay = dayOf(last.date) === dayOf(start.date);
  const until = isSameDay ? clockOf(last.date) : `${dayOf(last.date)}, ${clockOf(last.date)}`;
  return `${dayOf(start.date)}, ${clockOf(start.date)} – ${until}${zoneOf(start)}`;
}

function formatTime(time: CalendarTime): string {
  const day = dayOf(time.date);
  return time.isDay ? day : `${day}, ${clockOf(time.date)}${zoneOf(time)}`;
}

function zoneOf({ zone }: CalendarTime): string {
  return zone === undefined ? '' : ` (${zone})`;
}

/** The last day of whole days: the file gives the day after it. */
function lastOf(end: CalendarTime): CalendarTime {
  return end.isDay ? { ...end, date: new Date(end.date.getTime() - dayMs) } : end;
}

const dayMs = 86_400_000;

/** `Sunday, 1 March 2026`. Not by `Intl`, whose commas differ between releases of Node. */
function dayOf(date: Date): string {
  const weekday = [...dayNames.values()][(date.getUTCDay() + 6) % 7];
  return `${weekday}, ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

const months =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

function clockOf(date: Date): string {
  return date.toISOString().slice(11, 16);
}

const units: ReadonlyMap<string, string> = new Map([
  ['YEARLY', 'year'],
  ['MONTHLY', 'month'],
  ['WEEKLY', 'week'],
  ['DAILY', 'day'],
  ['HOURLY', 'hour'],
  ['MINUTELY', 'minute'],
  ['SECONDLY', 'second'],
]);

const dayNames: ReadonlyMap<string, string> = new Map([
  ['MO', 'Monday'],
  ['TU', 'Tuesday'],
  ['WE', 'Wednesday'],
  ['TH', 'Thursday'],
  ['FR', 'Friday'],
  ['SA', 'Saturday'],
  ['SU', 'Sunday'],
]);

/** `Every 2 weeks on Monday and Friday, 4 times`. A rule of more parts is shown as it is written (section 3.3.10). */
export function formatRule(rule: string): string {
  const parts = new Map(
    rule.split(';').map((part): [string, string] => {
      const [key = '', value = ''] = part.split('=');
      return [key.toUpperCase(), value];
    }),
  );
  const take = (key: string) => {
    const value = parts.get(key);
    parts.delete(key);
    return value;
  };
  const unit = units.get(take('FREQ') ?? '');
  const interval = Number(take('INTERVAL') ?? 1);
  const days = (take('BYDAY') ?? '').split(',').filter((day) => day !== '');
  const names = days.flatMap((day) => dayNames.get(day) ?? []);
  const end = endOf(take('COUNT'), take('UNTIL'));
  parts.delete('WKST');
  const isPlain = parts.size === 0 && names.length === days.length && end !== undefined;
  if (unit === undefined || !isPlain || !Number.isInteger(interval)) return rule;
  const every = interval === 1 ? `Every ${unit}` : `Every ${interval} ${unit}s`;
  return `${every}${names.length === 0 ? '' : ` on ${listed(names)}`}${end}`;
}

function endOf(count: string | undefined, until: string | undefined): string | undefined {
  if (count !== undefined) return /^\d+$/.test(count) ? `, ${count} times` : undefined;
  if (until === undefined) return '';
  const time = timeOf({ name: 'UNTIL', parameters: new Map(), value: until });
  return time && `, until ${dayOf(time.date)}`;
}

function listed(names: readonly string[]): string {
  const [last = '', ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}
