import { ViewerError } from '../parts/fetch-file.ts';
import { unpackZipParts, type ZipPart } from '../parts/zip-parts.ts';
import {
  attributeOf,
  descendantsOf,
  parseXml,
  textIn,
  type XmlElement,
} from '../parts/xml-tree.ts';
import { boundedReading, type Reading, type Section } from './blocks.ts';
import { PageReader } from './page-text.ts';

const mebibyte = 1024 * 1024;
const limits = { entries: 5000, bytes: 200 * mebibyte, xmlBytes: 40 * mebibyte } as const;

/**
 * The chapters of an e-book in their order, with the titles of its contents (EPUB 3.3, sections 5.7 and 7.3; NCX
 * of EPUB 2).
 * @throws ViewerError if it is none, or locked
 */
export async function readEpub(bytes: Uint8Array<ArrayBuffer>): Promise<Reading> {
  const parts = new Map(
    (await unpackZipParts(bytes, limits, isRead)).map((part) => [part.path, part] as const),
  );
  const [rootFile] = descendantsOf(xmlAt(parts, 'META-INF/container.xml'), 'rootfile');
  const packagePath = (rootFile && attributeOf(rootFile, 'full-path')) ?? '';
  const root = xmlAt(parts, packagePath);
  const items = new Map(
    descendantsOf(root, 'item').map((item) => [attributeOf(item, 'id') ?? '', item] as const),
  );
  const paths = descendantsOf(root, 'itemref').flatMap((reference) => {
    const item = items.get(attributeOf(reference, 'idref') ?? '');
    return item === undefined ? [] : [pathFrom(packagePath, attributeOf(item, 'href') ?? '')];
  });
  if (paths.length === 0) {
    throw new ViewerError('The file is damaged, or its content does not match its name.');
  }
  if (isLocked(parts, paths)) {
    throw new ViewerError('This book is locked: only the program for which it was made opens it.');
  }
  const titles = titlesIn(parts, [...items.values()], packagePath);
  const sections = paths.flatMap((path): Section[] => {
    const page = parts.get(path);
    if (page === undefined) return [];
    const reader = new PageReader((href) => parts.get(pathFrom(path, href))?.bytes);
    const blocks = reader.blocksIn(parseXml(new TextDecoder().decode(page.bytes)));
    return blocks.length === 0 ? [] : [{ title: titles.get(path) ?? '', blocks }];
  });
  const [title] = descendantsOf(root, 'metadata').flatMap((one) => descendantsOf(one, 'title'));
  return boundedReading(sections, title && textIn(title).trim());
}

/** Texts, pictures, and what says where they are. */
function isRead(path: string): boolean {
  return /\.(?:opf|ncx|xhtml|html?|xml|png|jpe?g|gif|webp)$/i.test(path);
}

function xmlAt(parts: ReadonlyMap<string, ZipPart>, path: string): XmlElement {
  return parseXml(new TextDecoder().decode(parts.get(path)?.bytes ?? new Uint8Array()));
}

/** A locked book names its encrypted files; fonts alone may be obfuscated (EPUB 3.3, section 4.2.6.3.2). */
function isLocked(parts: ReadonlyMap<string, ZipPart>, paths: readonly string[]): boolean {
  return descendantsOf(xmlAt(parts, 'META-INF/encryption.xml'), 'CipherReference').some((one) =>
    paths.includes(decodeURI(attributeOf(one, 'URI') ?? '')),
  );
}

/** The path that an address means in a file of an archive; empty for another site. */
export function pathFrom(base: string, href: string): string {
  try {
    const url = new URL(href, `http://book/${encodeURI(base)}`);
    return url.hostname === 'book' ? decodeURIComponent(url.pathname.slice(1)) : '';
  } catch {
    return '';
  }
}

/** The title of each file in the contents; the first entry for it counts. */
function titlesIn(
  parts: ReadonlyMap<string, ZipPart>,
  items: readonly XmlElement[],
  packagePath: string,
): Map<string, string> {
  const titles = new Map<string, string>();
  const add = (base: string, href: string, title: string) => {
    const path = pathFrom(base, href);
    if (path !== '' && !titles.has(path)) titles.set(path, title.replace(/\s+/g, ' ').trim());
  };
  for (const item of items) {
    const path = pathFrom(packagePath, attributeOf(item, 'href') ?? '');
    const isNavigation = (attributeOf(item, 'properties') ?? '').split(' ').includes('nav');
    if (!isNavigation && !path.endsWith('.ncx')) continue;
    for (const { href, title } of entriesIn(xmlAt(parts, path))) add(path, href, title);
  }
  return titles;
}

/** Links of a navigation document, or the points of an NCX. */
function entriesIn(root: XmlElement): { href: string; title: string }[] {
  const links = descendantsOf(root, 'a').map((link) => ({
    href: attributeOf(link, 'href') ?? '',
    title: textIn(link),
  }));
  const points = descendantsOf(root, 'navPoint').map((point) => {
    const [label] = descendantsOf(point, 'text');
    const [content] = descendantsOf(point, 'content');
    return {
      href: (content && attributeOf(content, 'src')) ?? '',
      title: label === undefined ? '' : textIn(label),
    };
  });
  return [...links, ...points];
}
