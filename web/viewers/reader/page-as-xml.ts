import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse } from 'parse5';
import { decodeAs, guessEncoding } from '../../../core/content/guess-encoding.ts';
import { escaped } from '../../pages/parts/html.ts';
import { countingAdapter, TooManySteps } from '../../text/markdown/count-steps.ts';
import type { ReadingRequest } from './read-document.ts';
import { readWebArchive } from '../parts/web-archive.ts';

/** A parser takes a second for more; a page shows no more of it either. */
const mostCharacters = 4_000_000;

/** A page may show the same picture again and again. */
const mostPictureCharacters = 20_000_000;

/**
 * A text that is named as a document of Word, as a page in XML: programs write pages, web archives and plain text so.
 * Pictures of an archive are in the page. Anything else as it is. Workers have no parser of HTML.
 */
export function pageAsXml(bytes: Uint8Array<ArrayBuffer>): Omit<ReadingRequest, 'name'> {
  const html = htmlIn(bytes);
  if (html === undefined) return { bytes };
  const text = beginningOf(html.text);
  const body = bodyOf(text);
  const xml = body === undefined ? asLines(text) : xmlOf(body, picturesIn(html));
  return {
    bytes: new TextEncoder().encode(`<html xmlns="">${xml}</html>`),
    isCut: text.length < html.text.length,
  };
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

type Nodes = DefaultTreeAdapterMap['node'][];

/** What a page shows; `undefined` for one with more elements than can be read. */
function bodyOf(html: string): Nodes | undefined {
  try {
    const page = parse(html, { treeAdapter: countingAdapter(), scriptingEnabled: false });
    const root = page.childNodes.find((node) => defaultTreeAdapter.isElementNode(node));
    return root?.childNodes.filter((node) => node.nodeName !== 'head') ?? [];
  } catch (error) {
    if (error instanceof TooManySteps) return undefined;
    throw error;
  }
}

/** What elements say, with the attributes that a reader needs. */
function xmlOf(nodes: Nodes, pictureAt: (address: string) => string | undefined): string {
  return nodes
    .map((node) => {
      if (defaultTreeAdapter.isTextNode(node)) return escaped(node.value);
      if (!defaultTreeAdapter.isElementNode(node)) return '';
      const attributes = node.attrs
        .filter(({ name }) => /^(?:src|href|alt)$/.test(name))
        .map(({ name, value }) => {
          const shown = name === 'src' ? (pictureAt(value) ?? value) : value;
          return ` ${name}="${escaped(shown).replaceAll('"', '&quot;')}"`;
        });
      const within = xmlOf(node.childNodes, pictureAt);
      return `<${node.tagName}${attributes.join('')}>${within}</${node.tagName}>`;
    })
    .join('');
}

function picturesIn({ pictures }: PageText): (address: string) => string | undefined {
  let room = mostPictureCharacters;
  return (address) => {
    const name = address.startsWith('cid:') ? address : (address.split(/[\\/]/).at(-1) ?? '');
    const picture = pictures?.get(name);
    if (picture === undefined || picture.length > room) return undefined;
    room -= picture.length;
    return picture;
  };
}

const asLines = (text: string) => `<pre>${escaped(text)}</pre>`;

interface PageText {
  text: string;
  pictures?: ReadonlyMap<string, string>;
}

function htmlIn(bytes: Uint8Array<ArrayBuffer>): PageText | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2000));
  if (/^\s*[\w-]+:\s/.test(start)) {
    const archive = readWebArchive(bytes);
    if (archive !== undefined)
      return { text: decoded(archive.page, archive.charset), pictures: archive.pictures };
  }
  const isWide = /^(?:\u00FF\u00FE|\u00FE\u00FF)/.test(start);
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (!isWide && /[\u0000-\u0008\u000E-\u001A]/.test(start)) return undefined;
  const text = decoded(bytes, /charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1]);
  const isPage = /<(?:html|body|head|meta|h[1-6]|p|div|table)[\s>]|<!doctype html/i.test(
    text.slice(0, 2000),
  );
  return { text: isPage ? text : asLines(text) };
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
