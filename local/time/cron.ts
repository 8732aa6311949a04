import { StartError } from '../errors.ts';

/** Returns when a rule is due next, strictly after an instant. */
export type Schedule = (after: Date) => Date;

const UNIT_MS: Record<string, number> = {
  minute: 60_000,
  minutes: 60_000,
  hour: 3_600_000,
  hours: 3_600_000,
  day: 86_400_000,
  days: 86_400_000,
};

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

interface Field {
  min: number;
  max: number;
  names?: string[];
}

const FIELDS: Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 1, max: 7, names: DAYS },
  { min: 1970, max: 2199 },
];

function parseNumber(text: string, { min, max, names }: Field): number {
  const named = names?.indexOf(text.toUpperCase()) ?? -1;
  const value = named >= 0 ? named + min : Number(text);
  if (/^\d+$/.test(text) || named >= 0) {
    if (value >= min && value <= max) return value;
  }
  throw new StartError(`The local cloud does not understand "${text}" in a cron expression.`);
}

/** The values of one part of a cron field: `*`, `?`, `5`, `1-5`, `MON-FRI`, `0/15`; `L`, `W` and `#` are not supported. */
function parseValues(part: string, field: Field): number[] {
  const [range = '', step = '1'] = part.split('/');
  const isAll = range === '*' || range === '?';
  const [from = '', to] = range.split('-');
  const first = isAll ? field.min : parseNumber(from, field);
  const single = part.includes('/') ? field.max : first;
  const last = isAll ? field.max : to === undefined ? single : parseNumber(to, field);
  const every = Math.max(1, parseNumber(step, { min: 1, max: field.max }));
  return Array.from(
    { length: Math.max(0, Math.floor((last - first) / every) + 1) },
    (_, i) => first + i * every,
  );
}

function parseRate(expression: string): Schedule | undefined {
  const match = /^rate\((\d+) (minutes?|hours?|days?)\)$/.exec(expression);
  const period = Number(match?.[1]) * (UNIT_MS[match?.[2] ?? ''] ?? Number.NaN);
  if (!(period > 0)) return undefined;
  return (after) => new Date((Math.floor(after.getTime() / period) + 1) * period);
}

function parseCron(expression: string): Schedule | undefined {
  const parts = /^cron\((.*)\)$/.exec(expression)?.[1]?.trim().split(/\s+/);
  if (parts?.length !== FIELDS.length) return undefined;
  const sets = FIELDS.map((field, index) => {
    const text = parts[index] ?? '';
    return new Set(text.split(',').flatMap((part) => parseValues(part, field)));
  });
  const has = (index: number, value: number) => sets[index]?.has(value) === true;
  const isDay = (at: Date) =>
    has(2, at.getUTCDate()) &&
    has(3, at.getUTCMonth() + 1) &&
    has(4, at.getUTCDay() + 1) &&
    has(5, at.getUTCFullYear());
  return (after) => {
    let at = new Date((Math.floor(after.getTime() / 60_000) + 1) * 60_000);
    const end = after.getTime() + 5 * 366 * 86_400_000;
    while (at.getTime() < end) {
      if (isDay(at) && has(1, at.getUTCHours()) && has(0, at.getUTCMinutes())) return at;
      const step = isDay(at) ? 60_000 : 86_400_000;
      at = new Date((Math.floor(at.getTime() / step) + 1) * step);
    }
    return new Date(8.64e15);
  };
}

/** Parses a `ScheduleExpression` of EventBridge, in UTC; an unsupported one stops the start. */
export function parseSchedule(expression: string): Schedule {
  const schedule = parseRate(expression) ?? parseCron(expression);
  if (schedule !== undefined) return schedule;
  throw new StartError(`The local cloud does not understand the schedule ${expression}.`);
}
