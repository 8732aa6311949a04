import { ViewerError } from './fetch-file.ts';
import type { ZipPart } from './zip-parts.ts';

const mainPart = 'word/document.xml';
/** A document with less in it is laid out at once. */
const longXmlBytes = 1024 * 1024;
const manyPictureBytes = 4 * 1024 * 1024;
/** XML and pictures of about the first five pages. */
const firstChars = 150_000;
const firstPictures = 6;
/** Paragraphs, runs, cells and what is in them, that are laid out: with more, a page stands still for many seconds. */
const mostParts = 150_000;

interface Room {
  chars: number;
  pictures: number;
  parts: number;
}

/**
 * A document's parts with as much of its text as a browser can lay out, and whether that is not all.
 * @throws ViewerError if it cannot be cut there
 */
export function boundedPages(
  parts: readonly ZipPart[],
  most = mostParts,
): { parts: readonly ZipPart[]; isCut: boolean } {
  const main = parts.find(({ path }) => path === mainPart);
  const text = main === undefined ? '' : new TextDecoder().decode(main.bytes);
  if (hasAtMost(text, most)) return { parts, isCut: false };
  const xml = beginningOf(text, { chars: Infinity, pictures: Infinity, parts: most });
  // A paragraph or a table stays whole, unless it is made to hold the page.
  if (xml === undefined || !hasAtMost(xml, 1.4 * most))
    throw new ViewerError('The document has too many parts to show here.');
  const bytes = new TextEncoder().encode(xml);
  return { parts: parts.map((part) => (part === main ? { ...part, bytes } : part)), isCut: true };
}

const laidOut = 'p r t tc br tab cr sym drawing pict hyperlink bookmarkStart'.split(' ');
const isLaidOut = new RegExp(`^(?:\\w+:)?(?:${laidOut.join('|')})$`);

function hasAtMost(xml: string, most: number): boolean {
  const tags = new RegExp(`<(?:\\w+:)?(?:${laidOut.join('|')})(?=[\\s/>])`, 'g');
  for (let count = 0; count <= most; count += 1) if (!tags.test(xml)) return true;
  return false;
}

/**
 * A long document's parts with its beginning alone, which is laid out first; `undefined` for a short
 * one, and for one that cannot be cut. Headers, footers, styles and the paper stay.
 */
export function firstPages(parts: readonly ZipPart[]): ZipPart[] | undefined {
  const main = parts.find(({ path }) => path === mainPart);
  if (main === undefined) return undefined;
  const pictures = parts.filter(({ path }) => path.startsWith('word/media/'));
  const pictureBytes = pictures.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (main.bytes.length < longXmlBytes && pictureBytes < manyPictureBytes) return undefined;
  const xml = beginningOf(new TextDecoder().decode(main.bytes));
  if (xml === undefined) return undefined;
  const bytes = new TextEncoder().encode(xml);
  return parts.map((part) => (part === main ? { ...part, bytes } : part));
}

/**
 * The beginning of a document's XML, cut between two children of its body, with the paper of the
 * body's end (ECMA-376, part 1, sections 17.2.2 and 17.6.17).
 */
export function beginningOf(
  xml: string,
  most: Room = { chars: firstChars, pictures: firstPictures, parts: mostParts },
): string | undefined {
  const body = /<((?:\w+:)?)body(?:\s[^<>]*)?>/.exec(xml);
  if (body === null) return undefined;
  const [opening, prefix = ''] = body;
  const start = body.index + opening.length;
  const end = endOfChildren(xml, start, most);
  const closing = xml.lastIndexOf(`</${prefix}body>`);
  if (end === undefined || closing < end) return undefined;
  const paper = xml.lastIndexOf(`<${prefix}sectPr`);
  const last = paper > end ? xml.slice(paper, closing) : '';
  // One within a paragraph is the paper of an earlier section.
  const isOfBody = last.endsWith(`</${prefix}sectPr>`) || last.endsWith('/>');
  return xml.slice(0, end) + (isOfBody ? last : '') + xml.slice(closing);
}

/** Where a child of the body ends and enough is before it; `undefined` where there is no such place. */
function endOfChildren(xml: string, start: number, most: Room): number | undefined {
  const tags = /<(\/?)((?:\w+:)?\w+)(?:"[^"]*"|'[^']*'|[^<>"'])*?(\/?)>/g;
  tags.lastIndex = start;
  const seen = { chars: 0, pictures: 0, parts: 0 };
  let depth = 0;
  for (let tag = tags.exec(xml); tag !== null; tag = tags.exec(xml)) {
    const [, close, name = '', alone] = tag;
    if (close === '') count(seen, name);
    if (alone === '') depth += close === '' ? 1 : -1;
    if (depth < 0) return undefined;
    seen.chars = tags.lastIndex - start;
    if (depth === 0 && isFull(seen, most)) return tags.lastIndex;
  }
  return undefined;
}

function count(seen: Room, name: string): void {
  if (/(?:^|:)(?:blip|imagedata)$/.test(name)) seen.pictures += 1;
  if (isLaidOut.test(name)) seen.parts += 1;
}

const isFull = (seen: Room, most: Room) =>
  seen.chars >= most.chars || seen.pictures >= most.pictures || seen.parts >= most.parts;
