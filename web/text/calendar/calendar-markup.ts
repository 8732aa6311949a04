import { formatCount } from '../../pages/parts/format.ts';
import { escaped, revealInvisible } from '../../pages/parts/html.ts';
import { pageMarkup } from '../markdown/page-markup.ts';
import { dayNames, formatRule, monthNames } from './format-rule.ts';
import { type CalendarEntry, type CalendarLine, readCalendar, textOf } from './read-calendar.ts';

/** Characters of one text and of the whole page. */
const most = { text: 5000, page: 1_000_000 };

/**
 * The events and tasks of an iCalendar file as markup, in the order of their start. Times are those of
 * the calendar's clocks; the page's script adds the reader's. `undefined` if it is no calendar.
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
  const fallback = `${entry.kind.charAt(0).toUpperCase()}${entry.kind.slice(1)} without a title`;
  const rows = rowsOf(entry).map(
    ([name, value]) =>
      `<tr${name === 'When' ? clockAttributes(entry) : ''}><th scope="row">${name}</th><td>${value}</td></tr>`,
  );
  const description = first(entry, 'DESCRIPTION');
  const words = description === undefined ? '' : textOf(description).trim();
  return [
    `<${heading}>${title === '' ? fallback : shown(title)}</${heading}>`,
    rows.length === 0
      ? ''
      : `<div class="scroll"><table><tbody>${rows.join('')}</tbody></table></div>`,
    words === '' ? '' : descriptionMarkup(words),
  ].join('');
}

/** Tells the page's script what to show to whoever lives by another clock. */
function clockAttributes(entry: CalendarEntry): string {
  const line = first(entry, 'DTSTART');
  const time = line && timeOf(line);
  if (time === undefined || time.isDay || time.zone === undefined) return '';
  const clock = time.date.toISOString().slice(0, 16);
  return ` data-clock="${clock}" data-zone="${shown(time.zone).replaceAll('"', '&quot;')}"`;
}

/** Google writes descriptions as HTML. */
function descriptionMarkup(words: string): string {
  const isHtml = /<(?:br|p|a|ul|ol|div|span|html-blob)[\s/>]/i.test(words);
  const set = isHtml && words.length <= most.text ? pageMarkup(words) : undefined;
  return set ?? `<p>${shown(words).replaceAll('\n', '<br>')}</p>`;
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
    ...row('Instead of', timeText(first(entry, 'RECURRENCE-ID'))),
    ...row('Lasts', durationOf(first(entry, 'DURATION')?.value)),
    ...row('Due', timeText(first(entry, 'DUE'))),
    ...row('Repeats', rule && formatRule(rule, endOf)),
    ...row('Also', timesOf(entry, 'RDATE')),
    ...row('Except', timesOf(entry, 'EXDATE')),
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

/** Further times of a repeated event, or those at which it does not take place (sections 3.8.5.1 and 3.8.5.2). */
function timesOf({ lines }: CalendarEntry, property: 'EXDATE' | 'RDATE'): string {
  return lines
    .filter(({ name }) => name === property)
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

/** A time as a calendar writes it: on the clock of `zone`, or of whoever reads it where there is none. */
interface CalendarTime {
  /** Of the clock's numbers, as if they were UTC. */
  date: Date;
  isDay: boolean;
  zone: string | undefined;
}

/** Reads `20260301`, `20260301T090000` and `20260301T090000Z` (RFC 5545, sections 3.3.4 and 3.3.5). */
function timeOf({ value, parameters }: CalendarLine): CalendarTime | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value.trim());
  if (found === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', utc] = found;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:00.000Z`);
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return undefined;
  // Evolution writes the place of its own list of zones before a zone.
  const zone = utc === 'Z' ? 'UTC' : parameters.get('TZID')?.replace(/^\/.*?\/(?=[A-Z]\w*\/)/, '');
  return { date, isDay: found[4] === undefined, zone: zone || undefined };
}

/** `Sunday, 1 March 2026, 09:00 – 10:00 (Europe/Berlin)`; the last day of whole days is the one before the end. */
function formatSpan(start: CalendarTime, end: CalendarTime | undefined): string {
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
  return `${weekday}, ${date.getUTCDate()} ${monthNames[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function clockOf(date: Date): string {
  return date.toISOString().slice(11, 16);
}

/** The end of a repetition, in words; `undefined` for one that is written in another way. */
function endOf(count: string | undefined, until: string | undefined): string | undefined {
  if (count !== undefined) return /^\d+$/.test(count) ? `, ${count} times` : undefined;
  if (until === undefined) return '';
  const time = timeOf({ name: 'UNTIL', parameters: new Map(), value: until });
  return time && `, until ${dayOf(time.date)}`;
}
