/** A line of a calendar: a property with its parameters (RFC 5545, section 3.1). Names are in capitals. */
export interface CalendarLine {
  name: string;
  parameters: ReadonlyMap<string, string>;
  /** As it is written, with its escapes. */
  value: string;
}

/** An event (`VEVENT`), a task (`VTODO`) or a note (`VJOURNAL`): its own lines, without those of alarms within it. */
export interface CalendarEntry {
  kind: 'event' | 'task' | 'note';
  lines: readonly CalendarLine[];
}

/** The parts of an iCalendar file that a page shows. */
export interface Calendar {
  name: string | undefined;
  entries: readonly CalendarEntry[];
  /** How many entries beyond the most were left out. */
  leftOut: number;
}

const mostEntries = 1000;
const kinds: ReadonlyMap<string, CalendarEntry['kind']> = new Map([
  ['VEVENT', 'event'],
  ['VTODO', 'task'],
  ['VJOURNAL', 'note'],
]);

/**
 * Reads an iCalendar file (RFC 5545) in one pass over its lines; `undefined` if it is none, or has
 * nothing to show. Rules of time zones and of repetitions are not calculated: a hostile one could go
 * on for ever (decision 0100).
 */
export function readCalendar(text: string): Calendar | undefined {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text)) return undefined;
  const entries: CalendarEntry[] = [];
  let leftOut = 0;
  let name: string | undefined;
  for (const component of componentsIn(text)) {
    const kind = kinds.get(component.name);
    if (component.name === 'VCALENDAR') name ??= nameOf(component);
    if (kind === undefined) continue;
    if (entries.length < mostEntries) entries.push({ kind, lines: component.lines });
    else leftOut += 1;
  }
  return entries.length === 0 ? undefined : { name, entries, leftOut };
}

export interface Component {
  name: string;
  lines: CalendarLine[];
}

/** Every component of iCalendar or vCard that ends, with its own lines; those within it come first. */
export function* componentsIn(text: string): Generator<Component> {
  const open: Component[] = [];
  for (const written of unfold(text)) {
    const line = parseLine(written);
    if (line?.name === 'BEGIN') {
      open.push({ name: line.value.trim().toUpperCase(), lines: [] });
    } else if (line?.name === 'END') {
      const closed = open.pop();
      if (closed !== undefined) yield closed;
    } else if (line !== undefined) {
      open.at(-1)?.lines.push(line);
    }
  }
}

function nameOf({ lines }: Component): string | undefined {
  const line = lines.find(({ name }) => name === 'X-WR-CALNAME' || name === 'NAME');
  return line && textOf(line);
}

/** A property in the coding of mails, up to its last line that goes on in the next one (vCard 2.1, section 2.1.3). */
const softLines = /^([^\n:]{0,300}QUOTED-PRINTABLE[^\n:]{0,300}:)((?:[^\n]*=\r?\n)+)/gim;

/** Long lines go on in the next one, behind a space or a tab (section 3.1). */
function unfold(text: string): string[] {
  return text
    .replace(/^\uFEFF/, '')
    .replace(softLines, (_, head: string, lines: string) => head + lines.replace(/=\r?\n/g, ''))
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/);
}

/** `NAME;PARAMETER=value;OTHER="quoted: value":value` */
function parseLine(line: string): CalendarLine | undefined {
  // vCard puts the name of a group before a property, and may leave the name of a parameter out.
  const plain = line.replace(/^[\w-]{1,100}\./, '');
  const head = /^[\w-]{1,100}(?:;[\w-]{1,100}(?:=(?:"[^"]*"|[^":;]*))?)*(?=:)/.exec(plain)?.[0];
  if (head === undefined) return undefined;
  const [name = ''] = /^[\w-]+/.exec(head) ?? [];
  const parameters = [...head.slice(name.length).matchAll(/;([\w-]+)(?:=("[^"]*"|[^":;]*))?/g)];
  const named = new Map<string, string>();
  for (const [, written = '', value = ''] of parameters) {
    // vCard may say a parameter once for each of its values.
    const key = written.toUpperCase();
    const before = named.get(key);
    named.set(key, `${before ? `${before},` : ''}${value.replace(/"/g, '')}`);
  }
  return {
    name: name.toUpperCase(),
    parameters: named,
    value: readable(plain.slice(head.length + 1), named),
  };
}

/** Before iCalendar and vCard 3.0, letters beyond ASCII are written as their bytes (RFC 2045, section 6.7). */
function readable(value: string, parameters: ReadonlyMap<string, string>): string {
  const isQuoted =
    parameters.has('QUOTED-PRINTABLE') ||
    /^quoted-printable$/i.test(parameters.get('ENCODING') ?? '');
  if (!isQuoted) return value;
  const bytes = value.replace(/=([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The text of a property, without its escapes (section 3.3.11). */
export function textOf({ value }: Pick<CalendarLine, 'value'>): string {
  return value.replace(/\\(.)/g, (_, escape: string) => (/n/i.test(escape) ? '\n' : escape));
}
