import type { ZipPart } from './zip-parts.ts';

const mainPart = 'word/document.xml';
/** A document with less in it is laid out at once. */
const longXmlBytes = 1024 * 1024;
const manyPictureBytes = 4 * 1024 * 1024;
/** XML and pictures of about the first five pages. */
const firstChars = 150_000;
const firstPictures = 6;

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
  most: { chars: number; pictures: number } = { chars: firstChars, pictures: firstPictures },
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
function endOfChildren(
  xml: string,
  start: number,
  most: { chars: number; pictures: number },
): number | undefined {
  const tags = /<(\/?)((?:\w+:)?\w+)(?:"[^"]*"|'[^']*'|[^<>"'])*?(\/?)>/g;
  tags.lastIndex = start;
  let depth = 0;
  let pictures = 0;
  for (let tag = tags.exec(xml); tag !== null; tag = tags.exec(xml)) {
    const [, close, name = '', alone] = tag;
    if (/(?:^|:)(?:blip|imagedata)$/.test(name) && close === '') pictures += 1;
    if (alone === '') depth += close === '' ? 1 : -1;
    if (depth < 0) return undefined;
    const isEnough = tags.lastIndex - start >= most.chars || pictures >= most.pictures;
    if (depth === 0 && isEnough) return tags.lastIndex;
  }
  return undefined;
}
