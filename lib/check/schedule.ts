import type { CheckedResource } from './template.ts';

/** The six fields of an EventBridge cron expression, in order, with their limits. */
const fields = [
  { name: 'minutes', min: 0, max: 59 },
  { name: 'hours', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31, extra: /^(?:\?|L|LW|\d{1,2}W)$/ },
  { name: 'month', min: 1, max: 12, names: 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC' },
  {
    name: 'day of week',
    min: 1,
    max: 7,
    names: 'SUN MON TUE WED THU FRI SAT',
    extra: /^(?:\?|L|[1-7]L|[1-7]#[1-5])$/,
  },
  { name: 'year', min: 1970, max: 2199 },
] as const;

interface Field {
  name: string;
  min: number;
  max: number;
  names?: string;
  extra?: RegExp;
}

/** Finds invalid schedules, which EventBridge would refuse only at deployment. */
export function checkSchedule({ type, properties }: CheckedResource): string[] {
  const expression = properties.ScheduleExpression;
  if (type !== 'AWS::Events::Rule' || typeof expression !== 'string') return [];
  const [, kind, body = ''] = expression.match(/^(rate|cron)\((.*)\)$/) ?? [];
  if (kind === 'rate') return checkRate(body);
  if (kind === 'cron') return checkCron(body.split(' '));
  return [`the schedule ${expression} is neither rate(…) nor cron(…)`];
}

function checkRate(body: string): string[] {
  const valid = /^(?:1 (?:minute|hour|day)|(?:[2-9]|[1-9]\d+) (?:minutes|hours|days))$/;
  return valid.test(body) ? [] : [`rate(${body}) is not a rate`];
}

function checkCron(parts: string[]): string[] {
  if (parts.length !== fields.length) return [`cron(${parts.join(' ')}) must have six fields`];
  const wrong = fields
    .filter((field, index) => !isValid(field, parts[index] ?? ''))
    .map((field) => `cron(${parts.join(' ')}) has a wrong ${field.name}`);
  const questionMarks = [parts[2], parts[4]].filter((part) => part === '?').length;
  const days = questionMarks === 1 ? [] : ['exactly one of day of month and day of week must be ?'];
  return [...wrong, ...days];
}

function isValid(field: Field, text: string): boolean {
  return text.split(',').every((part) => field.extra?.test(part) || isRange(field, part));
}

function isRange(field: Field, part: string): boolean {
  const [range = '', step, ...rest] = part.split('/');
  if (rest.length > 0 || (step !== undefined && !/^[1-9]\d*$/.test(step))) return false;
  if (range === '*') return true;
  const bounds = range.split('-');
  if (bounds.length > 2) return false;
  const [low = Number.NaN, high = low] = bounds.map((bound) => valueOf(field, bound));
  return low >= field.min && high <= field.max && low <= high;
}

function valueOf(field: Field, text: string): number {
  const named = field.names?.split(' ').indexOf(text) ?? -1;
  if (named >= 0) return named + 1;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
