import { decodeAs, guessEncoding } from '../../../core/content/guess-encoding.ts';
import { formatBytes } from '../../pages/parts/format.ts';
import { calendarMarkup } from '../calendar/calendar-markup.ts';
import { pageMarkup } from '../markdown/page-markup.ts';
import { pictureAddress, type PictureRoom } from './picture-room.ts';
import { factsMarkup, shownText } from './record-table.ts';

/** A part of a mail, or all of it (RFC 2045, section 5). */
interface Part {
  headers: ReadonlyMap<string, string>;
  body: string;
}

const most = {
  depth: 10,
  forwards: 5,
  parts: 200,
  attachments: 200,
  mails: 50,
  textCharacters: 500_000,
  pictureCharacters: 2_000_000,
  /** RFC 2046, section 5.1.1; to look for a longer one could take for ever. */
  boundaryCharacters: 70,
  headerCharacters: 4000,
} as const;
const telling = ['from', 'to', 'date', 'subject'];
const shownHeaders = ['From', 'To', 'Cc', 'Date', 'Reply-To'];

/**
 * The headers, the text, the invitations and pictures, and the names of the attachments of a mail, and the mails that are
 * forwarded in it; of a file of several mails (RFC 4155), each of them. `undefined` if it is none.
 * @param isWhole whether all of the file is there
 */
export function mailMarkup(text: string, isWhole = true): string | undefined {
  // Apple Mail writes the length of a mail before it.
  const mails = text
    .replace(/^\d+ *\n/, '')
    .split(/^From \S[^\n]{0,200} \d{4}(?: [^\n]{0,20})?\n(?=[\w-]+:)/m, most.mails + 1)
    .filter((mail) => mail.trim() !== '');
  const room = { text: most.textCharacters, pictures: { characters: most.pictureCharacters } };
  const found = mails.slice(0, most.mails).flatMap((mail) => messageMarkup(mail, 0, room) ?? []);
  if (found.length === 0) return undefined;
  const isCut = !isWhole || mails.length > most.mails;
  const note = isCut ? ['<p class="hint">The rest of this file is left out.</p>'] : [];
  return [...found, ...note].join('\n');
}

/** Characters of text, and what else a page still has room for. */
interface Room {
  text: number;
  pictures: PictureRoom;
}

function messageMarkup(text: string, depth: number, room: Room): string | undefined {
  const mail = partOf(text);
  // A draft, and a mail that a program kept, may lack one of them.
  if (telling.filter((name) => mail.headers.has(name)).length < 2) return undefined;
  const leaves = leavesOf(mail);
  const isAttached = (part: Part) =>
    /^attachment/i.test(part.headers.get('content-disposition') ?? '');
  const texts = leaves.filter((part) => !isAttached(part) && typeOf(part).startsWith('text/'));
  const attachments = leaves.filter((part) => !texts.includes(part));
  const placed = placedPictures(attachments);
  const subject = decodedWords(mail.headers.get('subject') ?? '') || 'Mail without a subject';
  const facts = shownHeaders.map(
    (name) => [name, decodedWords(mail.headers.get(name.toLowerCase()) ?? '')] as const,
  );
  const heading = depth === 0 ? 'h1' : 'h2';
  return [
    `<${heading}>${shownText(subject, 500)}</${heading}>`,
    factsMarkup(facts),
    ...texts.map((part) => bodyMarkup(part, room, placed)),
    attachmentsMarkup(attachments, room, placed),
    ...(depth < most.forwards
      ? attachments.map((part) => forwardedMarkup(part, depth + 1, room))
      : []),
  ].join('\n');
}

/** Pictures to which a page of the mail leads (RFC 2392), and those that it shows. */
interface PlacedPictures {
  byId: ReadonlyMap<string, Part>;
  shown: Set<Part>;
}

function placedPictures(attachments: readonly Part[]): PlacedPictures {
  const idOf = (part: Part) => /<([^<>]*)>/.exec(part.headers.get('content-id') ?? '')?.[1] ?? '';
  return { byId: new Map(attachments.map((part) => [idOf(part), part])), shown: new Set() };
}

function withPictures(html: string, room: Room, { byId, shown }: PlacedPictures): string {
  return html.replace(
    /(<img\b[^<>]*?\ssrc\s*=\s*["']?)cid:([^"'\s<>]+)/gi,
    (whole, start: string, id: string) => {
      const part = byId.get(id);
      const address = part && pictureAddress(bytesOf(part), room.pictures);
      if (part === undefined || address === undefined) return whole;
      shown.add(part);
      return start + address;
    },
  );
}

/** A mail in a mail, as it looked to whoever forwarded it (RFC 2046, section 5.2.1). */
function forwardedMarkup(part: Part, depth: number, room: Room): string {
  if (typeOf(part) !== 'message/rfc822') return '';
  const bytes = bytesOf(part);
  const markup = messageMarkup(decodeAs(guessEncoding(bytes), bytes), depth, room);
  return markup === undefined ? '' : `<blockquote>${markup}</blockquote>`;
}

/** Headers may go on in the next line, behind a space (RFC 5322, section 2.2.3). */
function partOf(text: string): Part {
  const end = /\n[ \t]*\n/.exec(text);
  const head = end === null ? text : text.slice(0, end.index);
  const headers = new Map<string, string>();
  for (const line of head.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const [, name = '', value = ''] = /^([\w-]{1,100}):(.*)/.exec(line) ?? [];
    if (name !== '' && !headers.has(name.toLowerCase()))
      headers.set(name.toLowerCase(), value.trimStart());
  }
  return { headers, body: end === null ? '' : text.slice(end.index + end[0].length) };
}

function typeOf({ headers }: Part): string {
  return (headers.get('content-type') ?? 'text/plain').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function parameterOf(header: string | undefined, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(header ?? '');
  return found?.[1] ?? found?.[2];
}

/** The name of a file in one of the three ways in which programs write it (RFC 2047, and RFC 2231, section 4.1). */
function fileNameOf({ headers }: Part): string | undefined {
  const places = [headers.get('content-disposition'), headers.get('content-type')];
  for (const header of places) {
    const whole = parameterOf(header, '(?:file)?name');
    if (whole !== undefined) return decodedWords(whole);
    const written = /;\s*(?:file)?name\*(?:\d{1,2}\*?)?\s*=\s*(?:"([^"]*)"|([^;\s]+))/gi;
    const parts = [...(header ?? '').slice(0, most.headerCharacters).matchAll(written)];
    const joined = parts.map(([, quoted, plain]) => quoted ?? plain ?? '').join('');
    const [, label, coded] = /^([\w-]*)'[^']*'(.*)$/.exec(joined) ?? [];
    if (coded !== undefined) return decodedBytes(unquoted(coded.replaceAll('%', '=')), label);
    if (joined !== '') return joined;
  }
  return undefined;
}

/** The parts without parts of their own, of alternatives one text (RFC 2046, section 5.1). */
function leavesOf(part: Part, depth = 0): Part[] {
  const boundary = parameterOf(part.headers.get('content-type'), 'boundary');
  const isSplit = typeOf(part).startsWith('multipart/') && depth <= most.depth;
  if (!isSplit || boundary === undefined || boundary.length > most.boundaryCharacters)
    return [part];
  const parts = `\n${part.body}`
    .split(`\n--${boundary}`, most.parts)
    .slice(1)
    .filter((text) => !text.startsWith('--'))
    .map((text) => leavesOf(partOf(text.replace(/^[^\n]*\n/, '')), depth + 1));
  return typeOf(part) === 'multipart/alternative' ? withOneText(parts) : parts.flat();
}

/** The plain text if there is one, and what the other alternatives have beside their words. */
function withOneText(alternatives: readonly Part[][]): Part[] {
  const isWords = (part: Part) => /^text\/(?!calendar)/.test(typeOf(part));
  // A page that shows pictures of the mail says more than its words.
  const isPlaced = alternatives
    .flat()
    .some((part) => typeOf(part) === 'text/html' && /cid:/i.test(textIn(part)));
  const isBest = (part: Part) =>
    isPlaced
      ? typeOf(part) === 'text/html'
      : typeOf(part) === 'text/plain' && part.body.trim() !== '';
  const chosen =
    alternatives.find((leaves) => leaves.some(isBest)) ??
    alternatives.find((leaves) => leaves.some(isWords)) ??
    [];
  return alternatives.flatMap((leaves) =>
    leaves === chosen ? leaves : leaves.filter((part) => !isWords(part)),
  );
}

const codingOf = ({ headers }: Pick<Part, 'headers'>) =>
  (headers.get('content-transfer-encoding') ?? '').trim();

/** The bytes of a part, without the coding for its way (RFC 2045, section 6). */
function bytesOf({ headers, body }: Part): Buffer {
  const coding = codingOf({ headers }).toLowerCase();
  if (coding === 'base64') return Buffer.from(body, 'base64');
  return coding === 'quoted-printable'
    ? unquoted(body.replace(/=[ \t]*\n/g, ''))
    : Buffer.from(body);
}

function unquoted(text: string): Buffer {
  const bytes = Buffer.from(text)
    .toString('latin1')
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

function decodedBytes(bytes: Buffer, label: string | undefined): string {
  try {
    return decodeAs(label ?? guessEncoding(bytes), bytes);
  } catch {
    return decodeAs(guessEncoding(bytes), bytes);
  }
}

/** Words with letters beyond ASCII (RFC 2047, section 2). */
function decodedWords(text: string): string {
  return text
    .slice(0, most.headerCharacters)
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(
      /=\?([\w-]+)(?:\*[\w-]+)?\?([bq])\?([^?]*)\?=/gi,
      (_, ...[label = '', coding = '', word = '']: string[]) =>
        decodedBytes(
          coding.toLowerCase() === 'b'
            ? Buffer.from(word, 'base64')
            : unquoted(word.replaceAll('_', ' ')),
          label,
        ),
    )
    .trim();
}

function bodyMarkup(part: Part, room: Room, placed: PlacedPictures): string {
  const type = typeOf(part);
  const text = textIn(part).slice(0, room.text);
  room.text -= text.length;
  const set =
    type === 'text/html' ? pageMarkup(withPictures(withoutTraces(text), room, placed)) : undefined;
  // The heading of the page is the subject.
  const invitation = type === 'text/calendar' ? calendarMarkup(text) : undefined;
  return (
    set ??
    invitation?.replace(/(<\/?h)1>/g, '$12>') ??
    flowed(text, part)
      .split(/\n{2,}/)
      .map((lines) => `<p>${shownText(lines.trim(), most.textCharacters)}</p>`)
      .join('\n')
  );
}

/** Pictures of other sites without words, which show only that somebody reads. */
function withoutTraces(html: string): string {
  return html.replace(
    /<img\b(?![^<>]*\ssrc\s*=\s*["']?cid:)(?![^<>]*\salt\s*=\s*["']?[^"'\s>])[^<>]*>/gi,
    '',
  );
}

/** The words of a part. What has no coding of its own has been read with the whole file, but for texts of seven bits. */
function textIn(part: Part): string {
  const isCoded = /^(?:base64|quoted-printable)$/i.test(codingOf(part));
  if (!isCoded && !part.body.includes('\u001B')) return part.body;
  return decodedBytes(bytesOf(part), parameterOf(part.headers.get('content-type'), 'charset'));
}

/** Lines that end in a space go on in the next one (RFC 3676, section 4.2). */
function flowed(text: string, { headers }: Part): string {
  const type = headers.get('content-type');
  if (parameterOf(type, 'format')?.toLowerCase() !== 'flowed') return text;
  const between = parameterOf(type, 'delsp')?.toLowerCase() === 'yes' ? '' : ' ';
  return text.replace(/(?<!^--) \n(?![>\n])/gm, between);
}

function attachmentsMarkup(parts: readonly Part[], room: Room, { shown }: PlacedPictures): string {
  if (parts.length === 0) return '';
  const items = parts.slice(0, most.attachments).map((part) => {
    const name = shownText(fileNameOf(part) ?? typeOf(part), 300);
    const bytes = bytesOf(part);
    const picture = shown.has(part) ? '' : pictureMarkup(bytes, name, room);
    return `<li>${name} (${formatBytes(bytes.length)})${picture}</li>`;
  });
  const more = parts.length - items.length;
  const note = more > 0 ? `<p class="hint">${more} more attachments are left out.</p>` : '';
  return `<h2>Attachments</h2><ul>${items.join('')}</ul>${note}`;
}

function pictureMarkup(bytes: Buffer, name: string, room: Room): string {
  const address = pictureAddress(bytes, room.pictures);
  if (address === undefined) return '';
  const words = name.replaceAll('<br>', ' ').replaceAll('"', '&quot;');
  return `<br><img src="${address}" alt="${words}">`;
}
