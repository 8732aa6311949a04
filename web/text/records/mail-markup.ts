import { toHtml } from 'hast-util-to-html';
import { decodeAs, guessEncoding } from '../../../core/content/guess-encoding.ts';
import { formatBytes } from '../../pages/parts/format.ts';
import { TooManySteps } from '../markdown/count-steps.ts';
import { dressTree } from '../markdown/dress-tree.ts';
import { sanitizeMarkup } from '../markdown/sanitize-tree.ts';
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
  textCharacters: 500_000,
  /** RFC 2046, section 5.1.1; to look for a longer one could take for ever. */
  boundaryCharacters: 70,
  headerCharacters: 4000,
} as const;
const shownHeaders = ['From', 'To', 'Cc', 'Date', 'Reply-To'];

/**
 * The headers, the text and the names of the attachments of a mail, and the mails that are forwarded in it; `undefined`
 * if it is none.
 */
export function mailMarkup(text: string): string | undefined {
  return messageMarkup(text, 0);
}

function messageMarkup(text: string, depth: number): string | undefined {
  const mail = partOf(text.replace(/^From [^\n]*\n/, ''));
  if (!mail.headers.has('from') || (!mail.headers.has('date') && !mail.headers.has('to')))
    return undefined;
  const leaves = leavesOf(mail);
  const isAttached = (part: Part) =>
    /^attachment/i.test(part.headers.get('content-disposition') ?? '');
  const texts = leaves.filter((part) => !isAttached(part) && typeOf(part).startsWith('text/'));
  const body = texts.find((part) => typeOf(part) === 'text/plain') ?? texts[0];
  const attachments = leaves.filter(
    (part) => part !== body && (isAttached(part) || !texts.includes(part)),
  );
  const subject = decodedWords(mail.headers.get('subject') ?? '') || 'Mail without a subject';
  const facts = shownHeaders.map(
    (name) => [name, decodedWords(mail.headers.get(name.toLowerCase()) ?? '')] as const,
  );
  const heading = depth === 0 ? 'h1' : 'h2';
  return [
    `<${heading}>${shownText(subject, 500)}</${heading}>`,
    factsMarkup(facts),
    body === undefined ? '' : bodyMarkup(body),
    attachmentsMarkup(attachments),
    ...(depth < most.forwards ? attachments.map((part) => forwardedMarkup(part, depth + 1)) : []),
  ].join('\n');
}

/** A mail in a mail, as it looked to whoever forwarded it (RFC 2046, section 5.2.1). */
function forwardedMarkup(part: Part, depth: number): string {
  if (typeOf(part) !== 'message/rfc822') return '';
  const bytes = bytesOf(part);
  const markup = messageMarkup(decodeAs(guessEncoding(bytes), bytes), depth);
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
  const found = new RegExp(`;\\s*${name}\\*?\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(
    header ?? '',
  );
  return found?.[1] ?? found?.[2];
}

/** The parts without parts of their own (RFC 2046, section 5.1). */
function leavesOf(part: Part, depth = 0): Part[] {
  const boundary = parameterOf(part.headers.get('content-type'), 'boundary');
  const isSplit = typeOf(part).startsWith('multipart/') && depth <= most.depth;
  if (!isSplit || boundary === undefined || boundary.length > most.boundaryCharacters)
    return [part];
  return `\n${part.body}`
    .split(`\n--${boundary}`, most.parts)
    .slice(1)
    .filter((text) => !text.startsWith('--'))
    .flatMap((text) => leavesOf(partOf(text.replace(/^[^\n]*\n/, '')), depth + 1));
}

/** The bytes of a part, without the coding for its way (RFC 2045, section 6). */
function bytesOf({ headers, body }: Part): Buffer {
  const coding = (headers.get('content-transfer-encoding') ?? '').trim().toLowerCase();
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

function bodyMarkup(part: Part): string {
  const label = parameterOf(part.headers.get('content-type'), 'charset');
  const text = decodedBytes(bytesOf(part), label).slice(0, most.textCharacters);
  const set = typeOf(part) === 'text/html' ? pageMarkup(text) : undefined;
  return (
    set ??
    text
      .split(/\n{2,}/)
      .map((lines) => `<p>${shownText(lines.trim(), most.textCharacters)}</p>`)
      .join('\n')
  );
}

function pageMarkup(text: string): string | undefined {
  try {
    const tree = sanitizeMarkup(text);
    dressTree(tree);
    return toHtml(tree);
  } catch (error) {
    if (error instanceof TooManySteps) return undefined;
    throw error;
  }
}

function attachmentsMarkup(parts: readonly Part[]): string {
  if (parts.length === 0) return '';
  const items = parts.slice(0, most.attachments).map((part) => {
    const name =
      parameterOf(part.headers.get('content-disposition'), 'filename') ??
      parameterOf(part.headers.get('content-type'), 'name') ??
      typeOf(part);
    return `<li>${shownText(decodedWords(name), 300)} (${formatBytes(bytesOf(part).length)})</li>`;
  });
  const more = parts.length - items.length;
  const note = more > 0 ? `<p class="hint">${more} more attachments are left out.</p>` : '';
  return `<h2>Attachments</h2><ul>${items.join('')}</ul>${note}`;
}
