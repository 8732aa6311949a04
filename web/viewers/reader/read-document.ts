import { ViewerError } from '../parts/fetch-file.ts';
import { parseXml } from '../parts/xml-tree.ts';
import { boundedReading, type Reading } from './blocks.ts';
import { CompoundFile, isCompoundFile } from './compound-file.ts';
import { PageReader } from './page-text.ts';
import { readBinarySlides } from './read-binary-slides.ts';
import { readBinaryWord } from './read-binary-word.ts';
import { readEpub } from './read-epub.ts';
import { readFictionBook } from './read-fiction-book.ts';
import { readKmz } from './read-kmz.ts';
import { isRichText, richTextAsXml } from './read-rich-text.ts';
import { readOpenDocument } from './read-open-document.ts';

/** A file that a worker is to read. */
export interface ReadingRequest {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Whether the end of a page in XML was left out. */
  isCut?: boolean;
}

/**
 * What a document says, whichever of its formats it has.
 * @throws ViewerError with a sentence that says why not
 */
export async function readDocument({
  name,
  bytes,
  isCut = false,
}: ReadingRequest): Promise<Reading> {
  if (/\.epub$/i.test(name)) return readEpub(bytes);
  if (/\.kmz$/i.test(name)) return readKmz(bytes);
  if (/\.fb2$/i.test(name)) return readFictionBook(bytes);
  if (new TextDecoder('latin1').decode(bytes.subarray(0, 6)) === '<html ')
    return readPage(new TextDecoder().decode(bytes), isCut);
  if (isRichText(bytes)) return readPage(richTextAsXml(bytes), isCut);
  if (!isCompoundFile(bytes)) return readOpenDocument(bytes);
  if (new CompoundFile(bytes).stream('PP40') !== undefined) {
    throw new ViewerError(
      'This is a presentation of PowerPoint 95 or older. LibreOffice opens it, and saves it as .pptx.',
    );
  }
  return /\.(?:ppt|pps|pot)$/i.test(name) ? readBinarySlides(bytes) : readBinaryWord(bytes);
}

/** A page in XML that was made of a file; its pictures are in it. */
function readPage(xml: string, isCut: boolean): Reading {
  const reader = new PageReader((href) => {
    const [, data] = /^data:image\/\w+;base64,(.*)$/s.exec(href) ?? [];
    return data === undefined ? undefined : Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
  });
  const blocks = reader.blocksIn(parseXml(xml));
  const reading = boundedReading([{ title: '', blocks }]);
  return { ...reading, isCut: isCut || reading.isCut };
}
