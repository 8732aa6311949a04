import * as z from 'zod';

/** What a raw message says. */
export interface Message {
  headers: ReadonlyMap<string, string>;
  subject: string;
  text: string;
  html: string;
}

/** A message that SES would refuse, or that only some mail programs would read. */
export class MessageError extends Error {}

/**
 * Reads a message (RFC 5322) with a text and its HTML in base64 (RFC 2046 §5.1.4). As strict as the strictest reader:
 * lines of at most 998 ASCII characters that end in CRLF, each header once.
 */
export function readMessage(bytes: Uint8Array): Message {
  const { headers, body } = readEntity(readLines(bytes));
  for (const name of ['from', 'to', 'subject', 'mime-version']) {
    if (!headers.has(name)) throw new MessageError(`Missing header '${name}'.`);
  }
  const [text, html, ...others] = readParts(headers.get('content-type') ?? '', body);
  if (text === undefined || html === undefined || others.length > 0) {
    throw new MessageError('Not a text and its HTML.');
  }
  return {
    headers,
    subject: readWords(headers.get('subject') ?? ''),
    text: readPart(text, 'text/plain'),
    html: readPart(html, 'text/html'),
  };
}

function readLines(bytes: Uint8Array): string {
  const raw = Buffer.from(bytes).toString('latin1');
  if (/[^\t\r\n\x20-\x7e]|[^\r]\n|\r(?!\n)/.test(raw))
    throw new MessageError('Illegal characters.');
  if (raw.split('\r\n').some((line) => line.length > 998)) throw new MessageError('Line too long.');
  return raw;
}

function readParts(contentType: string, body: string): Entity[] {
  const shape = /^multipart\/alternative; boundary="([\w-]{1,70})"$/;
  const [, boundary] = shape.exec(contentType) ?? [];
  if (boundary === undefined) throw new MessageError('Not multipart/alternative.');
  const parts = `\r\n${body}`.split(`\r\n--${boundary}`);
  if (parts.at(-1) !== '--\r\n') throw new MessageError('No end of the parts.');
  return parts.slice(1, -1).map((part) => readEntity(part.slice(2)));
}

interface Entity {
  headers: Map<string, string>;
  body: string;
}

function readEntity(raw: string): Entity {
  const end = raw.indexOf('\r\n\r\n');
  if (end === -1) throw new MessageError('No end of the headers.');
  const headers = new Map<string, string>();
  for (const line of raw.slice(0, end).replaceAll('\r\n ', ' ').split('\r\n')) {
    const [, name, value] = /^([!-9;-~]+): (.+)$/.exec(line) ?? [];
    const key = name?.toLowerCase();
    if (key === undefined || value === undefined || headers.has(key)) {
      throw new MessageError(`Bad header '${line.slice(0, 80)}'.`);
    }
    headers.set(key, value);
  }
  return { headers, body: raw.slice(end + 4) };
}

function readPart({ headers, body }: Entity, type: string): string {
  const isBase64 = headers.get('content-transfer-encoding') === 'base64';
  if (headers.get('content-type') !== `${type}; charset=UTF-8` || !isBase64) {
    throw new MessageError(`Not ${type} in base64.`);
  }
  if (body.split('\r\n').some((line) => line.length > 76)) throw new MessageError('Line too long.');
  return readBase64(body.replaceAll('\r\n', ''));
}

/** A text, or encoded words, one a line (RFC 2047). */
function readWords(value: string): string {
  if (!value.includes('=?')) return value;
  return value
    .split(' ')
    .map((word) => {
      const [, content] = /^=\?UTF-8\?B\?([\w+/=]*)\?=$/.exec(word) ?? [];
      if (content === undefined || word.length > 75) throw new MessageError('Bad encoded word.');
      return readBase64(content);
    })
    .join('');
}

function readBase64(text: string): string {
  const { data, success } = z.base64().safeParse(text);
  if (!success) throw new MessageError('Bad base64.');
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(data, 'base64'));
}
