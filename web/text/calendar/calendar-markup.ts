import { formatCount } from '../../pages/parts/format.ts';
import { revealInvisible } from '../../pages/parts/html.ts';
import { escaped } from '../code-markup.ts';
import { formatRule, formatSpan, timeOf } from './calendar-times.ts';
import { type CalendarEntry, type CalendarLine, readCalendar, textOf } from './read-calendar.ts';

/** Characters of one text and of the whole page. */
const most = { text: 5000, page: 1_000_000 };

/**
 * The events and tasks of an iCalendar file as markup, in the order of their start. Times are those of
 * the calendar's clocks, because the page does not know the reader's. `undefined` if it is no calendar.
 */
export function calendarMarkup(text: string): string | undefined {
  const calendar = readCalendar(text);
  if (calendar === undefined) return undefined;
  const { name, entries } = calendar;
  const heading = entries.length === 1 && name === undefined ? 'h1' : 'h2';
  const parts = name === undefined ? [] : [`<h1>${shown(name)}</h1>`];
  let { leftOut } = calendar;
  let room = most.page;
  for (const entry of entries.toSorted(byStart)) {
    const markup = entryMarkup(entry, heading);
    if (markup.length > room) {
      leftOut += 1;
      continue;
    }
    room -= markup.length;
    parts.push(markup);
  }
  if (leftOut > 0) parts.push(`<p class="hint">${leftOut} more entries are left out.</p>`);
  return parts.join('\n');
}

function byStart(a: CalendarEntry, b: CalendarEntry): number {
  return startOf(a) - startOf(b);
}

/** What has no time comes last. */
function startOf(entry: CalendarEntry): number {
  const line = first(entry, 'DTSTART') ?? first(entry, 'DUE');
  return (line && timeOf(line)?.date.getTime()) ?? Number.MAX_SAFE_INTEGER;
}

function entryMarkup(entry: CalendarEntry, heading: 'h1' | 'h2'): string {
  const summary = first(entry, 'SUMMARY');
  const title = summary === undefined ? '' : textOf(summary).trim();
  const fallback = entry.kind === 'event' ? 'Event without a title' : 'Task without a title';
  const rows = rowsOf(entry).map(
    ([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`,
  );
  const description = first(entry, 'DESCRIPTION');
  const words = description === undefined ? '' : textOf(description).trim();
  return [
    `<${heading}>${title === '' ? fallback : shown(title)}</${heading}>`,
    rows.length === 0
      ? ''
      : `<div class="scroll"><table><tbody>${rows.join('')}</tbody></table></div>`,
    words === '' ? '' : `<p>${shown(words).replaceAll('\n', '<br>')}</p>`,
  ].join('');
}

function rowsOf(entry: CalendarEntry): [string, string][] {
  const row = (name: string, value: string | undefined): [string, string][] =>
    value === undefined || value.trim() === '' ? [] : [[name, shown(value)]];
  const text = (name: string) => {
    const line = first(entry, name);
    return line && textOf(line);
  };
  const rule = first(entry, 'RRULE')?.value;
  const status = text('STATUS');
  return [
    ...row('When', whenOf(entry)),
    ...row('Lasts', durationOf(first(entry, 'DURATION')?.value)),
    ...row('Due', timeText(first(entry, 'DUE'))),
    ...row('Repeats', rule && formatRule(rule)),
    ...row('Except', exceptionsOf(entry)),
    ...row('Where', text('LOCATION')),
    ...row('Organizer', personOf(first(entry, 'ORGANIZER'))),
    ...row('Attendees', attendeesOf(entry)),
    ...row('Status', status && status.charAt(0) + status.slice(1).toLowerCase().replace('-', ' ')),
    ...row('Address', text('URL')),
  ];
}

/** `P1DT2H30M`: days, hours and minutes (RFC 5545, section 3.3.6). */
function durationOf(value: string | undefined): string | undefined {
  const parts = [...(value ?? '').matchAll(/(\d{1,6})([WDHMS])/gi)];
  const units: Readonly<Record<string, string>> = {
    W: 'week',
    D: 'day',
    H: 'hour',
    M: 'minute',
    S: 'second',
  };
  return parts
    .filter(([, count]) => Number(count) > 0)
    .map(([, count = '', unit = '']) => formatCount(Number(count), units[unit.toUpperCase()] ?? ''))
    .join(', ');
}

/** The times at which a repeated event does not take place (section 3.8.5.1). */
function exceptionsOf({ lines }: CalendarEntry): string {
  return lines
    .filter(({ name }) => name === 'EXDATE')
    .flatMap((line) => line.value.split(',').map((value) => timeText({ ...line, value }) ?? ''))
    .slice(0, 50)
    .filter((time) => time !== '')
    .join('\n');
}

function whenOf(entry: CalendarEntry): string | undefined {
  const start = first(entry, 'DTSTART');
  const end = first(entry, 'DTEND');
  const from = start && timeOf(start);
  if (from !== undefined) return formatSpan(from, end && timeOf(end));
  // An unknown form is shown as it is written.
  return start?.value;
}

function timeText(line: CalendarLine | undefined): string | undefined {
  const time = line && timeOf(line);
  return time ? formatSpan(time, undefined) : line?.value;
}

function personOf(line: CalendarLine | undefined): string | undefined {
  return line && (line.parameters.get('CN') || line.value.replace(/^mailto:/i, ''));
}

const mostAttendees = 50;

function attendeesOf({ lines }: CalendarEntry): string | undefined {
  const all = lines.filter(({ name }) => name === 'ATTENDEE');
  const names = all.slice(0, mostAttendees).flatMap((line) => personOf(line) ?? []);
  const more = all.length > mostAttendees ? [`${all.length - mostAttendees} more`] : [];
  return [...names, ...more].join(', ');
}

function first({ lines }: CalendarEntry, name: string): CalendarLine | undefined {
  return lines.find((line) => line.name === name);
}

function shown(text: string): string {
  const cut = text.length > most.text ? `${text.slice(0, most.text)} …` : text;
  return escaped(revealInvisible(cut));
}
