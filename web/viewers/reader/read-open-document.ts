import { ViewerError } from '../parts/fetch-file.ts';
import { officeLimits, unpackZipParts, type ZipPart } from '../parts/zip-parts.ts';
import {
  attributeOf,
  descendantsOf,
  elementsOf,
  localName,
  parseXml,
  textIn,
  type XmlElement,
} from '../parts/xml-tree.ts';
import { type Block, boundedReading, type Reading, type Section } from './blocks.ts';
import { OpenDocumentReader } from './open-document-text.ts';

/**
 * The text and structure of an OpenDocument text, presentation or drawing (ODF 1.3, part 3), as an archive or as one
 * XML file.
 * @throws ViewerError if it is none, or too large
 */
export async function readOpenDocument(bytes: Uint8Array<ArrayBuffer>): Promise<Reading> {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const parts = isArchive ? await unpackZipParts(bytes, officeLimits, isRead) : [];
  const textOf = (path: string) => {
    const part = parts.find((one) => one.path === path);
    return part === undefined ? '' : new TextDecoder().decode(part.bytes);
  };
  if (/<(?:\w+:)?encryption-data[\s>]/.test(textOf('META-INF/manifest.xml'))) {
    throw new ViewerError('The file is protected by a password.');
  }
  if (bytes.length > officeLimits.xmlBytes && !isArchive) {
    throw new ViewerError('The file is too large to show here.');
  }
  const root = parseXml(
    isArchive
      ? textOf('content.xml') || textOf('word/document.xml')
      : new TextDecoder().decode(bytes),
  );
  const [body] = descendantsOf(root, 'body');
  if (body === undefined) {
    throw new ViewerError('The file is damaged, or its content does not match its name.');
  }
  const styles = [parseXml(textOf('styles.xml')), root];
  const reader = new OpenDocumentReader(styles, (href) => bytesAt(parts, href));
  return boundedReading(
    sectionsIn(body, reader),
    titleIn(isArchive ? parseXml(textOf('meta.xml')) : root),
  );
}

function sectionsIn(body: XmlElement, reader: OpenDocumentReader): Section[] {
  const [slides] = elementsOf(body, 'presentation');
  if (slides !== undefined) return slidesOf(slides, reader, 'Slide');
  const [pages] = elementsOf(body, 'drawing');
  if (pages !== undefined) return slidesOf(pages, reader, 'Page');
  return [{ title: '', blocks: reader.blocksIn(body) }];
}

/** Previews, macros and settings are not needed; some programs name a document of the newer Word as one of the older. */
function isRead(path: string): boolean {
  return /^(?:content|styles|meta|word\/document)\.xml$|^[\w -]+\/content\.xml$|^META-INF\/manifest\.xml$|^(?:Pictures|media|ObjectReplacements)\//.test(
    path,
  );
}

function bytesAt(parts: readonly ZipPart[], href: string): Uint8Array<ArrayBuffer> | undefined {
  const path = href.replace(/^\.\//, '').replaceAll('//', '/');
  return parts.find((part) => part.path === path)?.bytes;
}

function titleIn(root: XmlElement): string | undefined {
  const [title] = descendantsOf(root, 'meta').flatMap((meta) => elementsOf(meta, 'title'));
  return title && textIn(title).trim();
}

/** A slide has its placeholders in the order in which they were made, with the title first. */
function slidesOf(pages: XmlElement, reader: OpenDocumentReader, kind: string): Section[] {
  return elementsOf(pages, 'page').map((page, index) => {
    const shapes = elementsOf(page).filter((one) => localName(one) !== 'notes');
    const isTitle = (shape: XmlElement) => attributeOf(shape, 'class') === 'title';
    const title = shapes.filter(isTitle).flatMap((shape) => reader.blocksIn(shape));
    const rest = shapes.filter((shape) => !isTitle(shape));
    const notes = elementsOf(page, 'notes').flatMap((one) => reader.blocksIn(one));
    return {
      title: `${kind} ${index + 1}`,
      blocks: [
        ...title.map(asHeading),
        ...rest.flatMap((shape) => reader.blocksIn({ ...page, children: [shape] })),
        ...(notes.length === 0 ? [] : [notesHeading, ...notes]),
      ],
    };
  });
}

const notesHeading: Block = { kind: 'heading', level: 3, runs: [{ text: 'Notes' }] };

function asHeading(block: Block): Block {
  return block.kind === 'paragraph' ? { kind: 'heading', level: 2, runs: block.runs } : block;
}
