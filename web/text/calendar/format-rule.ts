export const monthNames =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

const units: ReadonlyMap<string, string> = new Map([
  ['YEARLY', 'year'],
  ['MONTHLY', 'month'],
  ['WEEKLY', 'week'],
  ['DAILY', 'day'],
  ['HOURLY', 'hour'],
  ['MINUTELY', 'minute'],
  ['SECONDLY', 'second'],
]);

export const dayNames: ReadonlyMap<string, string> = new Map([
  ['MO', 'Monday'],
  ['TU', 'Tuesday'],
  ['WE', 'Wednesday'],
  ['TH', 'Thursday'],
  ['FR', 'Friday'],
  ['SA', 'Saturday'],
  ['SU', 'Sunday'],
]);

const positions = ['first', 'second', 'third', 'fourth', 'fifth'];

/**
 * `Every 2 weeks on Monday and Friday, 4 times`, `Every month on the second Tuesday`. A rule of more parts is shown as it
 * is written (RFC 5545, section 3.3.10).
 * @param endOf the end of the rule in words, by its count and its last day
 */
export function formatRule(
  rule: string,
  endOf: (count: string | undefined, until: string | undefined) => string | undefined,
): string {
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
  const list = (key: string) => (take(key) ?? '').split(',').filter((one) => one !== '');
  const unit = units.get(take('FREQ') ?? '');
  const interval = Number(take('INTERVAL') ?? 1);
  const places = [
    onDays(list('BYDAY'), take('BYSETPOS')),
    onDates(list('BYMONTHDAY')),
    inMonths(list('BYMONTH')),
  ];
  const end = endOf(take('COUNT'), take('UNTIL'));
  parts.delete('WKST');
  const isPlain = parts.size === 0 && !places.includes(undefined) && end !== undefined;
  if (unit === undefined || !isPlain || !Number.isInteger(interval)) return rule;
  const every = interval === 1 ? `Every ${unit}` : `Every ${interval} ${unit}s`;
  return `${every}${places.join('')}${end}`;
}

/** ` on Monday`, ` on the second Tuesday`, ` on the last day from Monday to Friday`. */
function onDays(days: readonly string[], position: string | undefined): string | undefined {
  const isWorkdays = days.join() === 'MO,TU,WE,TH,FR';
  const names = days.map((day) => {
    const [, place = '', code = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(day) ?? [];
    const name = dayNames.get(code);
    return place === '' || name === undefined ? name : placed(place, name);
  });
  const known = names.filter((name) => name !== undefined);
  if (known.length < names.length) return undefined;
  if (position === undefined) return known.length === 0 ? '' : ` on ${listed(known)}`;
  const of = isWorkdays ? 'working day' : known.join(' or ');
  const which = known.length === 0 ? undefined : placed(position, of);
  return which && ` on ${which}`;
}

/** `the second Tuesday`, `the last Friday`. */
function placed(position: string, name: string): string | undefined {
  const place = Number(position);
  if (place === -1) return `the last ${name}`;
  const word = positions[place - 1];
  return word && `the ${word} ${name}`;
}

function onDates(dates: readonly string[]): string | undefined {
  const words = dates.map((date) => (date === '-1' ? 'the last day' : `day ${date}`));
  if (dates.length === 0) return '';
  return dates.every((date) => /^(?:-1|\d{1,2})$/.test(date)) ? ` on ${listed(words)}` : undefined;
}

function inMonths(months: readonly string[]): string | undefined {
  const names = months.flatMap((month) => monthNames[Number(month) - 1] ?? []);
  if (names.length < months.length) return undefined;
  return months.length === 0 ? '' : ` in ${listed(names)}`;
}

function listed(names: readonly string[]): string {
  const [last = '', ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}
