import {
  type CalendarLine,
  componentsIn,
  type Component,
  textOf,
} from '../calendar/read-calendar.ts';
import { factsMarkup, shownText } from './record-table.ts';

const mostContacts = 500;

/** Properties of a contact in the order in which they are shown (RFC 6350, section 6). */
const names: ReadonlyMap<string, string> = new Map([
  ['TITLE', 'Title'],
  ['ROLE', 'Role'],
  ['ORG', 'Organisation'],
  ['TEL', 'Telephone'],
  ['EMAIL', 'Email'],
  ['ADR', 'Address'],
  ['URL', 'Website'],
  ['BDAY', 'Birthday'],
  ['NOTE', 'Note'],
]);

/** The contacts of a vCard file (2.1 to 4.0) as cards; `undefined` if it has none. */
export function contactsMarkup(text: string): string | undefined {
  const joined = text.replace(/=\n(?=[^\n]*(?:=|$))/g, '');
  const cards: Component[] = [];
  let count = 0;
  for (const component of componentsIn(joined)) {
    if (component.name !== 'VCARD') continue;
    count += 1;
    if (cards.length < mostContacts) cards.push(component);
  }
  if (cards.length === 0) return undefined;
  const more = count - cards.length;
  const note = more > 0 ? `<p class="hint">${more} more contacts are left out.</p>` : '';
  return cards.map(cardMarkup).join('\n') + note;
}

function cardMarkup({ lines }: Component): string {
  const first = (name: string) => lines.find((line) => line.name === name);
  const full = first('FN');
  const parts = first('N');
  const name =
    (full && decoded(full).trim()) ||
    (parts && nameOf(decodedParts(parts))) ||
    'Contact without a name';
  const facts = [...names].flatMap(([key, label]) =>
    lines
      .filter((line) => line.name === key)
      .map((line) => [labelOf(label, line), valueOf(line)] as const),
  );
  return `<h2>${shownText(name, 200)}</h2>${factsMarkup(facts)}`;
}

/** Family name, given name, further names, titles before and behind (section 6.2.2). */
function nameOf([
  family = '',
  given = '',
  more = '',
  before = '',
  behind = '',
]: readonly string[]): string {
  return [before, given, more, family, behind].filter((part) => part !== '').join(' ');
}

function labelOf(label: string, { parameters }: CalendarLine): string {
  const type =
    parameters.get('TYPE') ??
    [...parameters.keys()].find((key) => /^(?:HOME|WORK|CELL|FAX)$/.test(key));
  return type === undefined ? label : `${label} (${type.toLowerCase()})`;
}

function valueOf(line: CalendarLine): string {
  const isStructured = line.name === 'ADR' || line.name === 'ORG';
  if (!isStructured) return decoded(line).replace(/^(?:tel|mailto):/i, '');
  return decodedParts(line)
    .filter((part) => part !== '')
    .join(line.name === 'ADR' ? '\n' : ', ');
}

function decodedParts(line: CalendarLine): string[] {
  return readable(line)
    .split(/(?<!\\);/)
    .map((value) => textOf({ value }).trim());
}

function decoded(line: CalendarLine): string {
  return textOf({ value: readable(line) });
}

/** vCard 2.1 writes letters beyond ASCII as their bytes (RFC 2045, section 6.7). */
function readable({ value, parameters }: CalendarLine): string {
  const isQuoted =
    parameters.has('QUOTED-PRINTABLE') ||
    /^quoted-printable$/i.test(parameters.get('ENCODING') ?? '');
  if (!isQuoted) return value;
  const bytes = value.replace(/=([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
