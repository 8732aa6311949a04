import { expect, test } from '@jest/globals';
import { calendarMarkup } from '../../../../../web/text/calendar/calendar-markup.ts';
import { elementsOf, textOf } from '../../../../fixtures/visits/markup.ts';

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n');
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'];
const markup = (...lines: string[]) => calendarMarkup(calendar(...lines)) ?? '';

/** The rows of the table, as `name: value`. */
function rows(...lines: string[]): string[] {
  const cells = elementsOf(markup(...event(...lines))).filter(({ tag }) => /^t[hd]$/.test(tag));
  const names = cells.filter(({ tag }) => tag === 'th').map(({ text }) => text);
  const values = cells.filter(({ tag }) => tag === 'td').map(({ text }) => text);
  return names.map((name, index) => `${name}: ${values[index]}`);
}

test('an event has its title, its time, its people and its text', () => {
  const found = elementsOf(
    markup(
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      'END:VTIMEZONE',
      ...event(
        'DTSTART;TZID=Europe/Berlin:20260301T090000',
        'DTEND;TZID=Europe/Berlin:20260301T100000',
        'SUMMARY:Harbour\\, walk',
        'DESCRIPTION:A long text with a fol',
        ' ded line\\nand a second <b>one</b>',
        'ORGANIZER;CN="Ann: the guide":mailto:ann@example.org',
        'ATTENDEE;CN=Bob:mailto:bob@example.org',
        'ATTENDEE:mailto:eve@example.org',
        'LOCATION:Pier 3\\; gate B',
        'STATUS:CONFIRMED',
        'BEGIN:VALARM',
        'DESCRIPTION:Not this one',
        'SUMMARY:Nor this one',
        'END:VALARM',
      ),
    ),
  );
  expect(found.filter(({ tag }) => tag === 'h1').map(({ text }) => text)).toEqual([
    'Harbour, walk',
  ]);
  expect(found.find(({ tag }) => tag === 'p')?.text).toBe(
    'A long text with a folded lineand a second <b>one</b>',
  );
  const cells = found.filter(({ tag }) => /^t[hd]$/.test(tag)).map(({ text }) => text);
  expect(cells).toEqual([
    'When',
    'Sunday, 1 March 2026, 09:00 – 10:00 (Europe/Berlin)',
    'Where',
    'Pier 3; gate B',
    'Organizer',
    'Ann: the guide',
    'Attendees',
    'Bob, eve@example.org',
    'Status',
    'Confirmed',
  ]);
});

test.each([
  ['a time of UTC', ['DTSTART:20260301T090000Z'], 'Sunday, 1 March 2026, 09:00 (UTC)'],
  ['a time of the reader', ['DTSTART:20260301T090000'], 'Sunday, 1 March 2026, 09:00'],
  ['a day', ['DTSTART;VALUE=DATE:20260401'], 'Wednesday, 1 April 2026'],
  [
    'a day with its end, which is the next day',
    ['DTSTART;VALUE=DATE:20260401', 'DTEND;VALUE=DATE:20260402'],
    'Wednesday, 1 April 2026',
  ],
  [
    'days',
    ['DTSTART;VALUE=DATE:20260401', 'DTEND;VALUE=DATE:20260404'],
    'Wednesday, 1 April 2026 – Friday, 3 April 2026',
  ],
  [
    'a night',
    ['DTSTART:20260301T230000', 'DTEND:20260302T010000'],
    'Sunday, 1 March 2026, 23:00 – Monday, 2 March 2026, 01:00',
  ],
  [
    'a flight between two zones',
    ['DTSTART;TZID=A:20260301T230000', 'DTEND;TZID=B:20260302T010000'],
    'Sunday, 1 March 2026, 23:00 (A) – Monday, 2 March 2026, 01:00 (B)',
  ],
  ['a day that does not exist', ['DTSTART:20260230'], '20260230'],
  ['something else', ['DTSTART:tomorrow'], 'tomorrow'],
])('%s', (_, lines, expected) => {
  expect(rows(...lines)).toEqual([`When: ${expected}`]);
});

test.each([
  ['FREQ=DAILY', 'Every day'],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR;COUNT=4',
    'Every 2 weeks on Monday, Wednesday and Friday, 4 times',
  ],
  ['FREQ=YEARLY;UNTIL=20280301T000000Z;WKST=SU', 'Every year, until Wednesday, 1 March 2028'],
  ['FREQ=MONTHLY;BYDAY=2MO', 'Every month on the second Monday'],
  ['FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1', 'Every month on the last Friday'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1', 'Every month on the first working day'],
  ['FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=1', 'Every year on day 1 in April'],
  ['FREQ=MONTHLY;BYMONTHDAY=15,-1', 'Every month on day 15 and the last day'],
  ['FREQ=YEARLY;BYMONTH=13', 'FREQ=YEARLY;BYMONTH=13'],
  ['FREQ=MONTHLY;BYDAY=9MO', 'FREQ=MONTHLY;BYDAY=9MO'],
  ['FREQ=SECONDLY;BYSETPOS=-1', 'FREQ=SECONDLY;BYSETPOS=-1'],
  ['FREQ=DAILY;INTERVAL=x', 'FREQ=DAILY;INTERVAL=x'],
  ['COUNT=4', 'COUNT=4'],
])('the rule %s is "%s"', (rule, expected) => {
  expect(rows(`RRULE:${rule}`)).toEqual([`Repeats: ${expected}`]);
});

test('a calendar has its name, and its entries in the order of their start', () => {
  const found = elementsOf(
    markup(
      'X-WR-CALNAME:Tides',
      ...event('SUMMARY:Ebb', 'DTSTART:20260302T090000'),
      'BEGIN:VTODO',
      'SUMMARY:Paint',
      'DUE;VALUE=DATE:20260301',
      'END:VTODO',
      ...event('SUMMARY:'),
      ...event('SUMMARY:Flood', 'DTSTART:20260301T100000'),
    ),
  );
  const headings = found.filter(({ tag }) => /^h\d$/.test(tag));
  expect(headings.map(({ tag, text }) => `${tag} ${text}`)).toEqual([
    'h1 Tides',
    'h2 Paint',
    'h2 Flood',
    'h2 Ebb',
    'h2 Event without a title',
  ]);
});

test('a hostile calendar stays text', () => {
  const attack = '<img src=x onerror=alert(1)><script>alert(1)</script>\u202E';
  const names = ['SUMMARY', 'LOCATION', 'DESCRIPTION', 'URL', 'STATUS', 'RRULE', 'DTSTART', 'DUE'];
  const shown = markup(
    `X-WR-CALNAME:${attack}`,
    ...event(
      ...names.map((name) => `${name}:${attack}`),
      `ORGANIZER;CN="${attack.replaceAll('"', '')}":x`,
      `DTEND;TZID=${attack.replace(/[:;]/g, '')}:20260301T090000`,
    ),
    ...event('URL:javascript:alert(1)', `DTSTART;TZID="${attack}":20260301T090000`),
  );
  const found = elementsOf(shown);
  expect(found.filter(({ tag }) => ['script', 'img', 'a'].includes(tag))).toEqual([]);
  expect(shown).not.toContain('\u202E');
  expect(textOf(shown)).toContain('javascript:alert(1)');
});

test.each([
  ['nothing', ''],
  ['prose', 'BEGIN:VCARD\nFN:x'],
  ['a calendar without entries', calendar()],
  ['an event that does not end', 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x'],
])('%s is no calendar', (_, text) => {
  expect(calendarMarkup(text)).toBeUndefined();
});

test('what is too much is left out, and said', () => {
  const many = markup(...Array.from({ length: 1200 }, () => event('SUMMARY:x')).flat());
  expect(elementsOf(many).filter(({ tag }) => tag === 'h2')).toHaveLength(1000);
  expect(textOf(many)).toContain('200 more entries are left out.');
  const long = 'x'.repeat(20_000);
  const full = markup(
    ...Array.from({ length: 300 }, () => event(`DESCRIPTION:${long}`, `SUMMARY:${long}`)).flat(),
  );
  expect(full.length).toBeLessThan(1_010_000);
  expect(textOf(full)).toMatch(/2\d\d more entries are left out\./);
  const people = rows(...Array.from({ length: 60 }, (_, at) => `ATTENDEE;CN=P${at}:x`));
  expect(people).toEqual([expect.stringMatching(/^Attendees: P0, .*, P49, 10 more$/)]);
});

test('a description that is HTML is set, harmless, and further times and notes are shown', () => {
  const shown = markup(
    ...event(
      'SUMMARY:Ebb',
      'DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Vienna:20260301T090000',
      'RDATE;VALUE=DATE:20260305,20260306',
      'DESCRIPTION:At the <a href="https://a.example">quay</a><br><script>x()</script>Bring boots',
    ),
    'BEGIN:VJOURNAL',
    'SUMMARY:What happened',
    'END:VJOURNAL',
  );
  expect(textOf(shown)).toMatch(
    /^Ebb.*09:00 \(Europe\/Vienna\).*5 March 2026\s+Friday, 6 March 2026.*At the quay.*Bring boots.*What happened$/s,
  );
  expect(shown).toContain('<a href="https://a.example" rel="nofollow noopener">quay</a><br>');
  expect(shown).not.toContain('script');
});

test('letters of vCalendar 1.0 are read from their bytes, over several lines', () => {
  expect(
    markup(
      ...event(
        'SUMMARY;ENCODING=QUOTED-PRINTABLE:f=C3=BC=',
        'r alle',
        'URL:https://a/?x=',
        'UID:2',
      ),
    ),
  ).toContain('<h1>für alle</h1>');
});
