/**
 * What the reader's clock shows when a clock of `zone` shows `clock`, such as `2026-03-01T09:00`; `undefined` where both
 * show the same, and for a zone that nobody knows.
 */
export function readersClock(clock: string, zone: string, own?: string): string | undefined {
  const wanted = Date.parse(`${clock}Z`);
  try {
    // A clock may have been put forward or back between the first guess and the time.
    const guess = wanted - (asUtc(partsOf(wanted, zone)) - wanted);
    const instant = wanted - (asUtc(partsOf(guess, zone)) - guess);
    const parts = partsOf(instant, own);
    return asUtc(parts) === wanted ? undefined : words(parts);
  } catch {
    return undefined;
  }
}

interface Parts {
  weekday: string;
  month: string;
  [part: string]: string;
}

/** What a clock of a zone shows at an instant. */
function partsOf(instant: number, timeZone: string | undefined): Parts {
  const read = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).formatToParts(instant);
  const numbers = read({
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const names = read({ weekday: 'long', month: 'long' });
  const valueOf = (parts: Intl.DateTimeFormatPart[], type: string) =>
    parts.find((part) => part.type === type)?.value ?? '';
  return {
    weekday: valueOf(names, 'weekday'),
    month: valueOf(names, 'month'),
    ...Object.fromEntries(
      ['year', 'day', 'hour', 'minute'].map((type) => [type, valueOf(numbers, type)]),
    ),
    number: valueOf(numbers, 'month'),
  };
}

const asUtc = ({ year, number, day, hour, minute }: Parts) =>
  Date.parse(`${year}-${number}-${day}T${hour}:${minute}Z`);

/** As the calendar writes its own times; the commas of `Intl` differ between its releases. */
const words = ({ weekday, day, month, year, hour, minute }: Parts) =>
  `${weekday}, ${Number(day)} ${month} ${year}, ${hour}:${minute}`;
