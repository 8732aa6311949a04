import { escaped } from '../../pages/parts/html.ts';
import {
  type CalendarLine,
  componentsIn,
  type Component,
  textOf,
} from '../calendar/read-calendar.ts';
import { pictureAddress, type PictureRoom } from './picture-room.ts';
import { factsMarkup, shownText } from './record-table.ts';

const mostContacts = 500;
/** Of the pictures of all contacts, in base64. */
const mostPictureCharacters = 2_000_000;

/** Properties of a contact in the order in which they are shown (RFC 6350, section 6). */
const names: ReadonlyMap<string, string> = new Map([
  ['NICKNAME', 'Nickname'],
  ['TITLE', 'Title'],
  ['ROLE', 'Role'],
  ['ORG', 'Organisation'],
  ['TEL', 'Telephone'],
  ['EMAIL', 'Email'],
  ['ADR', 'Address'],
  ['URL', 'Website'],
  ['IMPP', 'Messages'],
  ['X-SOCIALPROFILE', 'Profile'],
  ['BDAY', 'Birthday'],
  ['ANNIVERSARY', 'Anniversary'],
  ['RELATED', 'Related'],
  ['NOTE', 'Note'],
]);

/** The contacts of a vCard file (2.1 to 4.0) as cards; `undefined` if it has none. */
export function contactsMarkup(text: string): string | undefined {
  const cards: Component[] = [];
  let count = 0;
  for (const component of componentsIn(text)) {
    if (component.name !== 'VCARD') continue;
    count += 1;
    if (cards.length < mostContacts) cards.push(component);
  }
  if (cards.length === 0) return undefined;
  const more = count - cards.length;
  const note = more > 0 ? `<p class="hint">${more} more contacts are left out.</p>` : '';
  const room = { characters: mostPictureCharacters };
  return cards.map((card) => cardMarkup(card, room)).join('\n') + note;
}

function cardMarkup({ lines }: Component, room: PictureRoom): string {
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
  return `<h2>${shownText(name, 200)}</h2>${photoMarkup(first('PHOTO'), name, room)}${factsMarkup(facts)}`;
}

/** The picture that the card has itself; one on another site is not loaded (section 6.2.4). */
function photoMarkup(photo: CalendarLine | undefined, name: string, room: PictureRoom): string {
  const value = photo?.value.replace(/^data:[^,]*,/, '').replace(/\s/g, '') ?? '';
  const isCoded = /^[A-Za-z0-9+/]+={0,2}$/.test(value) && value.length <= room.characters;
  const address = isCoded ? pictureAddress(Buffer.from(value, 'base64'), room) : undefined;
  if (address === undefined) return '';
  return `<p><img src="${address}" alt="${escaped(name.slice(0, 200)).replaceAll('"', '&quot;')}"></p>`;
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
  const said = parameters.get('TYPE') ?? [...parameters.keys()].join();
  const known = said.toLowerCase().match(/\b(?:home|work|cell|fax)\b/g) ?? [];
  return known.length === 0 ? label : `${label} (${known.join(', ')})`;
}

function valueOf(line: CalendarLine): string {
  const isStructured = line.name === 'ADR' || line.name === 'ORG';
  // Apple writes a year before there were telephones where somebody gave none.
  if (line.name === 'BDAY' || line.name === 'ANNIVERSARY')
    return decoded(line).replace(/^1604-/, '');
  if (!isStructured) return decoded(line).replace(/^(?:tel|mailto|x-apple|skype):/i, '');
  return decodedParts(line)
    .filter((part) => part !== '')
    .join(line.name === 'ADR' ? '\n' : ', ');
}

function decodedParts(line: CalendarLine): string[] {
  return line.value.split(/(?<!\\);/).map((value) => textOf({ value }).trim());
}

function decoded(line: CalendarLine): string {
  return textOf(line);
}
