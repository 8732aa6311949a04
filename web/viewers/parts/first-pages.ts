import { ViewerError } from './fetch-file.ts';
import { endOfTag, tagsOf } from './xml-tree.ts';
import { xmlTexts, type ZipPart } from './zip-parts.ts';

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
 * @throws ViewerError if it cannot be cut
 */
export function boundedPages(
  parts: readonly ZipPart[],
  most = mostParts,
): { parts: readonly ZipPart[]; isCut: boolean } {
  const isEndless =
    stepsOfLookups(parts) > mostSteps || hasEndlessInner(parts) || hasEndlessMargin(parts, most);
  if (isEndless) throw tooManyParts();
  const main = parts.find(({ path }) => path === mainPart);
  const text = main === undefined ? '' : new TextDecoder().decode(main.bytes);
  if (hasAtMost(text, most)) return { parts, isCut: false };
  const room = { chars: Infinity, pictures: Infinity, parts: most };
  // A paragraph or a table stays whole, unless it is much longer than the room.
  const xml = [beginningOf(text, room), beginningOf(text, room, isWithin)].find(
    (some) => some !== undefined && hasAtMost(some, 1.4 * most),
  );
  if (xml === undefined) throw tooManyParts();
  const bytes = new TextEncoder().encode(xml);
  return { parts: parts.map((part) => (part === main ? { ...part, bytes } : part)), isCut: true };
}

/** Whether a header or footer has more than is laid out of a whole document; it comes again on each page. */
function hasEndlessMargin(parts: readonly ZipPart[], most: number): boolean {
  return parts.some(({ path, bytes }) => {
    if (path === mainPart || !path.endsWith('.xml') || bytes.length < shortestTag * most)
      return false;
    const text = new TextDecoder().decode(bytes);
    return /<(?:\w+:)?(?:hdr|ftr)(?=[\s>])/.test(text) && !hasAtMost(text, most);
  });
}

/** Characters. */
const shortestTag = '<p/>'.length;

/** What docx-preview looks up in a list, from its beginning on: the elements of the list, and those that look there. */
const lookups = [
  ['Relationship', 'hyperlink|blip|imagedata'],
  ['Relationship', 'Override|Default'],
  ['Override|Default', 'Override|Default'],
  ['Relationship', 'br|sectPr|pageBreakBefore'],
  ['headerReference|footerReference', 'br|sectPr|pageBreakBefore'],
  ['num', 'lvl'],
  ['abstractNumId', 'abstractNumId'],
  ['numPicBullet', 'lvlPicBulletId'],
  ['style', 'style'],
  ['tblStylePr', 'basedOn'],
  ['footnote|endnote', 'footnoteReference|endnoteReference'],
  ['commentReference', 'commentReference'],
] as const;
/** Two or three seconds. A document with 10,000 links to as many pages has 100 million. */
const mostSteps = 1.6e8;
/** No document with less in it has so many steps: each element has nine letters or more. */
const fewCharacters = 90_000;

function stepsOfLookups(parts: readonly ZipPart[]): number {
  const texts = xmlTexts(parts);
  if (sumOf(texts.map(({ length }) => length)) < fewCharacters) return 0;
  const count = (names: string) =>
    sumOf(texts.map((text) => text.match(tagsOf(names))?.length ?? 0));
  return sumOf(lookups.map(([listed, looking]) => count(listed) * count(looking)));
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** A list has nine levels (ECMA-376, part 1, section 17.9.6), and each use of it repeats their styles. */
const mostLevels = 20;
/** Browsers take the square of a formula's elements; a second or two. */
const mostFormulaSteps = 4e8;
const anyName = '[^\\s<>/:]+';

function hasEndlessInner(parts: readonly ZipPart[]): boolean {
  const texts = xmlTexts(parts);
  const counts = (of: string, names: string) =>
    texts.flatMap((text) => countsInside(text, of, names));
  if (counts('abstractNum|num', 'lvl').some((count) => count > mostLevels)) return true;
  return sumOf(counts('oMath', anyName).map((count) => count ** 2)) > mostFormulaSteps;
}

/** How many elements of some names each element of other names has in it. */
function countsInside(text: string, of: string, names: string): number[] {
  const end = new RegExp(`</(?:[^\\s<>/:]+:)?(?:${of})\\s*>`);
  const behind = text.split(tagsOf(of)).slice(1);
  return behind.map((rest) => {
    const isEmpty = rest[rest.indexOf('>') - 1] === '/';
    return isEmpty ? 0 : (rest.split(end)[0]?.match(tagsOf(names))?.length ?? 0);
  });
}

/** The error of a document that takes too long to lay out. */
export const tooManyParts = () => new ViewerError('The document has too many parts to show here.');

const laidOut =
  'p|r|t|tc|br|tab|cr|sym|drawing|pict|hyperlink|bookmarkStart|noBreakHyphen|softHyphen|gridCol';
const isLaidOut = new RegExp(`^(?:\\w+:)?(?:${laidOut})$`);

function hasAtMost(xml: string, most: number): boolean {
  const tags = tagsOf(laidOut);
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

/** Whether a document may end behind an element, which is in elements of these names. */
type EndsBehind = (name: string, within: readonly string[]) => boolean;

const isInBody: EndsBehind = (_, within) => within.length === 0;

/** Rows, paragraphs and runs, whatever they are in. */
const isWithin: EndsBehind = (name) => /^(?:\w+:)?(?:tr|p|r)$/.test(name);

/**
 * The beginning of a document's XML, cut between two children of its body unless `mayEnd` says otherwise, with
 * the paper of the body's end (ECMA-376, part 1, sections 17.2.2 and 17.6.17).
 */
export function beginningOf(
  xml: string,
  most: Room = { chars: firstChars, pictures: firstPictures, parts: mostParts },
  mayEnd = isInBody,
): string | undefined {
  const body = /<((?:\w+:)?)body(?:\s[^<>]*)?>/.exec(xml);
  if (body === null) return undefined;
  const [opening, prefix = ''] = body;
  const start = body.index + opening.length;
  const cut = findEnd(xml, start, { most, mayEnd });
  const closing = xml.lastIndexOf(`</${prefix}body>`);
  if (cut === undefined || closing < cut.end) return undefined;
  const { end, open } = cut;
  const paper = xml.lastIndexOf(`<${prefix}sectPr`);
  const last = paper > end ? xml.slice(paper, closing) : '';
  // One within a paragraph is the paper of an earlier section.
  const isOfBody = last.endsWith(`</${prefix}sectPr>`) || last.endsWith('/>');
  const ends = open.toReversed().map((name) => `</${name}>`);
  return xml.slice(0, end) + ends.join('') + (isOfBody ? last : '') + xml.slice(closing);
}

/** Where the document may end and enough is before it, and what is open there; `undefined` where there is no such place. */
function findEnd(
  xml: string,
  start: number,
  { most, mayEnd }: { most: Room; mayEnd: EndsBehind },
): { end: number; open: string[] } | undefined {
  const tags = /<(\/?)((?:\w+:)?\w+)(?=[\s/>])/g;
  tags.lastIndex = start;
  const seen = { chars: 0, pictures: 0, parts: 0 };
  const open: string[] = [];
  for (let tag = tags.exec(xml); tag !== null; tag = tags.exec(xml)) {
    const [, close, name = ''] = tag;
    const end = endOfTag(xml, tag.index) + 1;
    tags.lastIndex = end;
    if (close === '') count(seen, name);
    const isEnd = close !== '' || xml[end - 2] === '/';
    if (close !== '' && open.pop() === undefined) return undefined;
    if (!isEnd) open.push(name);
    seen.chars = end - start;
    if (isEnd && isFull(seen, most) && mayEnd(name, open)) return { end, open };
  }
  return undefined;
}

function count(seen: Room, name: string): void {
  if (/(?:^|:)(?:blip|imagedata)$/.test(name)) seen.pictures += 1;
  if (isLaidOut.test(name)) seen.parts += 1;
}

const isFull = (seen: Room, most: Room) =>
  seen.chars >= most.chars || seen.pictures >= most.pictures || seen.parts >= most.parts;
