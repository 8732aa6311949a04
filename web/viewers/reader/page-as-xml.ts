import { decodeAs, guessEncoding } from '../../../core/content/guess-encoding.ts';
import { escaped } from '../../pages/parts/html.ts';
import { checkSize } from '../../text/markdown/count-steps.ts';
import type { ReadingRequest } from './read-document.ts';
import { isRichText } from './read-rich-text.ts';
import { readWebArchive } from '../parts/web-archive.ts';

/** A parser takes a second for more; a page shows no more of it either. */
const mostCharacters = 4_000_000;

/** A page may show the same picture again and again. */
const mostPictureCharacters = 20_000_000;

/**
 * A text that is named as a document of Word, as a page in XML: programs write pages, web archives and plain text so.
 * Pictures of an archive are in the page. Anything else as it is, RTF too. The page stands still while it is read, because
 * workers have no parser of HTML.
 */
export function pageAsXml(bytes: Uint8Array<ArrayBuffer>): Omit<ReadingRequest, 'name'> {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2000));
  const html = htmlIn(bytes, start);
  if (html === undefined) return { bytes };
  const { text: whole, pictures } = html();
  const text = beginningOf(whole);
  const readable = isReadable(text) ? withoutHandlers(text) : asLines(text);
  const page = new DOMParser().parseFromString(readable, 'text/html');
  let room = mostPictureCharacters;
  for (const image of page.images) {
    const address = image.getAttribute('src') ?? '';
    const name = address.startsWith('cid:') ? address : (address.split(/[\\/]/).at(-1) ?? '');
    const picture = pictures?.get(name);
    if (picture === undefined || picture.length > room) continue;
    room -= picture.length;
    image.setAttribute('src', picture);
  }
  const xml = `<html xmlns="">${xmlOf(page.body, { elements: mostElements })}</html>`;
  return { bytes: new TextEncoder().encode(xml), isCut: text.length < whole.length };
}

/** As many characters as a page has at most, not counting those of pictures in base64. */
function beginningOf(html: string): string {
  let room = mostCharacters;
  let at = 0;
  for (const { index, 0: picture } of html.matchAll(/"data:[^"<>]*"/g)) {
    if (index - at > room) break;
    room -= index - at;
    at = index + picture.length;
  }
  return html.slice(0, at + room);
}

const mostElements = 400_000;

/** What a page says, with the attributes that a reader needs. */
function xmlOf(element: Element, room: { elements: number }): string {
  return Array.from(element.childNodes, (node) => {
    if (node instanceof Text) return escaped(node.data);
    if (!(node instanceof Element) || room.elements <= 0) return '';
    room.elements -= 1;
    const attributes = ['src', 'href', 'alt'].map((name) => {
      const value = node.getAttribute(name);
      return value === null ? '' : ` ${name}="${escaped(value).replaceAll('"', '&quot;')}"`;
    });
    return `<${node.localName}${attributes.join('')}>${xmlOf(node, room)}</${node.localName}>`;
  }).join('');
}

/** The page without what its elements would do: nothing runs here, but a browser notes each in its console. */
function withoutHandlers(html: string): string {
  return html.replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replaceAll(/([\s/"'])on(?=\w+\s*=)/gi, '$1no-'),
  );
}

const asLines = (text: string) => `<pre>${escaped(text)}</pre>`;

/** A parser takes the square of the depth. */
function isReadable(html: string): boolean {
  try {
    checkSize(html, mostElements);
    return true;
  } catch {
    return false;
  }
}

interface PageText {
  text: string;
  pictures?: ReadonlyMap<string, string>;
}

function htmlIn(bytes: Uint8Array<ArrayBuffer>, start: string): (() => PageText) | undefined {
  if (/^\s*[\w-]+:\s/.test(start)) {
    const archive = readWebArchive(bytes);
    if (archive !== undefined)
      return () => ({ text: decoded(archive.page, archive.charset), pictures: archive.pictures });
  }
  // These are for the worker: RTF, and XML of Word 2003.
  if (isRichText(bytes)) return undefined;
  if (/^\W*<\?xml/.test(start) && !/<html[\s>]/i.test(start)) return undefined;
  const isWide = /^(?:\u00FF\u00FE|\u00FE\u00FF)/.test(start);
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (!isWide && /[\u0000-\u0008\u000E-\u001A]/.test(start)) return undefined;
  return () => {
    const text = decoded(bytes, /charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1]);
    if (
      /<(?:html|body|head|meta|h[1-6]|p|div|table)[\s>]|<!doctype html/i.test(text.slice(0, 2000))
    )
      return { text };
    return { text: asLines(text) };
  };
}

/** UTF-8 shows itself, whatever a page says. */
function decoded(bytes: Uint8Array, label: string | undefined): string {
  const guessed = guessEncoding(bytes);
  if (label === undefined || guessed.startsWith('utf-')) return decodeAs(guessed, bytes);
  try {
    return decodeAs(new TextDecoder(label).encoding, bytes);
  } catch {
    return decodeAs(guessed, bytes);
  }
}
