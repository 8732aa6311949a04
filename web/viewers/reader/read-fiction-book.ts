import { ViewerError } from '../parts/fetch-file.ts';
import { officeLimits } from '../parts/zip-parts.ts';
import {
  attributeOf,
  descendantsOf,
  elementsOf,
  escapeXml,
  localName,
  parseXml,
  textIn,
  type XmlElement,
} from '../parts/xml-tree.ts';
import { boundedReading, type Reading, type Section } from './blocks.ts';
import { base64Pictures, PageReader } from './page-text.ts';

/** What the elements of a book are in a page. */
const names: Readonly<Record<string, string>> = {
  emphasis: 'em',
  v: 'p',
  subtitle: 'h4',
  'text-author': 'p',
  stanza: 'div',
  coverpage: 'div',
  annotation: 'div',
  author: 'p',
  'empty-line': 'hr',
};
const shownOfBook = ['coverpage', 'author', 'annotation'];

/**
 * The chapters of a FictionBook, with its cover and its notes (FictionBook 2.2).
 * @throws ViewerError if it is none, or too large
 */
export function readFictionBook(bytes: Uint8Array<ArrayBuffer>): Reading {
  if (bytes.length > officeLimits.xmlBytes)
    throw new ViewerError('The file is too large to show here.');
  const root = parseXml(decoded(bytes));
  const bodies = descendantsOf(root, 'body');
  if (bodies.length === 0) {
    throw new ViewerError('The file is damaged, or its content does not match its name.');
  }
  const pictures = new Map(
    descendantsOf(root, 'binary').map((one) => [attributeOf(one, 'id') ?? '', one] as const),
  );
  const pictureAt = base64Pictures((href) => {
    const found = pictures.get(href.slice(1));
    return found && textIn(found);
  });
  const reader = new PageReader(pictureAt);
  const sectionOf = (part: XmlElement): Section[] => {
    const blocks = reader.blocksIn(asPage(part));
    const [title] = elementsOf(part, 'title');
    return blocks.length === 0
      ? []
      : [{ title: title === undefined ? '' : wordsIn(title), blocks }];
  };
  const [about] = descendantsOf(root, 'title-info');
  const [title] = about ? elementsOf(about, 'book-title') : [];
  const shown = shownOfBook.flatMap((name) => (about ? elementsOf(about, name) : []));
  const sections = [
    ...sectionOf({ name: 'about', attributes: '', children: shown }),
    ...bodies.flatMap((body) => partsOf(body).flatMap(sectionOf)),
  ];
  return boundedReading(sections, title && wordsIn(title));
}

/** The chapters of a body, and what is before them; notes are one part. */
function partsOf(body: XmlElement): XmlElement[] {
  if (attributeOf(body, 'name') !== undefined) return [body];
  const chapters = elementsOf(body, 'section');
  const before = elementsOf(body).filter((one) => !chapters.includes(one));
  return [{ ...body, children: before }, ...chapters];
}

/** Old books are in windows-1251 and say so. */
function decoded(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const label = /^\W*\?xml[^>]*?encoding=["']([\w-]+)/.exec(start)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function asPage(part: XmlElement, depth = 2): XmlElement {
  const children = part.children.map((child) => {
    if (typeof child === 'string') return child;
    const name = localName(child);
    const isChapter = name === 'section';
    const made = asPage(child, isChapter ? Math.min(6, depth + 1) : depth);
    if (name === 'title')
      return { ...made, name: `h${depth}`, children: [escapeXml(wordsIn(child))] };
    return name === 'author' ? { ...made, name: 'p', children: [escapeXml(wordsIn(child))] } : made;
  });
  return { ...part, name: names[localName(part)] ?? localName(part), children };
}

/** Lines of a title, and the names of a person, are elements. */
function wordsIn(element: XmlElement): string {
  const parts = elementsOf(element);
  const words = parts.length > 0 ? parts.map(textIn).join(' ') : textIn(element);
  return words.replace(/\s+/g, ' ').trim();
}
