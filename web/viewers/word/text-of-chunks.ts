import { type Block, type Run, textOfRuns } from '../reader/blocks.ts';
import { PageReader } from '../reader/page-text.ts';
import { readWebArchive } from '../parts/web-archive.ts';
import { escapeXml, parseXml } from '../parts/xml-tree.ts';
import { relatedPaths, type ZipPart } from '../parts/zip-parts.ts';

/** Of all parts together: pages in pages would be as many as somebody likes. */
const most = { readBytes: 20 * 1024 * 1024, characters: 2_000_000 } as const;

/**
 * The parts of a document with the words of the pages that it imports, before the mark of each (ECMA-376, part 1,
 * section 17.17.2.1): programs that make documents of web pages write nothing else into them. The marks
 * get a name that is read by nobody: each would be an element of its own.
 */
export function withTextOfChunks(parts: readonly ZipPart[]): ZipPart[] {
  let chunks: Chunks | undefined;
  return parts.map((part) => {
    if (part.path !== 'word/document.xml') return part;
    const xml = new TextDecoder().decode(part.bytes);
    if (!xml.includes('<w:altChunk')) return part;
    const { wordsAt } = (chunks ??= new Chunks(parts));
    const shown = xml
      .replace(/<w:altChunk\s[^<>]*>/g, (mark) => wordsAt(mark) + mark)
      .replaceAll(/(<\/?w:)altChunk(?=[\s/>])/g, '$1readChunk');
    return { ...part, bytes: new TextEncoder().encode(shown) };
  });
}

/** Reads each imported part once, however often it is shown. */
class Chunks {
  readonly #parts: ReadonlyMap<string, ZipPart>;
  readonly #paths: ReadonlyMap<string, string>;
  readonly #words = new Map<string, string>();
  readonly #room = { ...most };

  constructor(parts: readonly ZipPart[]) {
    this.#parts = new Map(parts.map((part) => [part.path, part]));
    this.#paths = relatedPaths(this.#parts.get('word/_rels/document.xml.rels')?.bytes, 'word');
  }

  readonly wordsAt = (mark: string): string => {
    const path = this.#paths.get(/\sr:id="([^"]*)"/.exec(mark)?.[1] ?? '');
    const chunk = path === undefined ? undefined : this.#parts.get(path);
    if (chunk === undefined) return '';
    const words = this.#words.get(chunk.path) ?? this.#read(chunk);
    this.#words.set(chunk.path, words);
    this.#room.characters -= words.length;
    return this.#room.characters < 0 ? '' : words;
  };

  #read(chunk: ZipPart): string {
    this.#room.readBytes -= chunk.bytes.length;
    if (this.#room.readBytes < 0) return '';
    return chunkParagraphs(chunk, this.#room.characters);
  }
}

function chunkParagraphs({ path, bytes }: ZipPart, mostCharacters: number): string {
  if (/\.docx?m?$/i.test(path) || bytes[0] === 0x50)
    return paragraph([{ text: 'Another document, which is not shown here' }]);
  const archive = readWebArchive(bytes);
  const text = new TextDecoder(archive?.charset ?? 'utf-8').decode(archive?.page ?? bytes);
  if (text.length > mostCharacters) return '';
  const isPage = /<(?:html|body|p|div|h\d|table)[\s>]/i.test(text);
  if (!isPage)
    return text
      .split(/\r?\n/)
      .map((line) => paragraph([{ text: line }]))
      .join('');
  const closed = text.replace(/<((?:br|hr|img|meta|link|input|col|wbr)\b[^<>]*?)\/?>/gi, '<$1/>');
  return new PageReader(() => undefined).blocksIn(parseXml(closed)).map(blockXml).join('');
}

function blockXml(block: Block): string {
  if (block.kind === 'table') return `<w:tbl>${block.rows.map(rowXml).join('')}</w:tbl>`;
  if (block.kind === 'heading')
    return paragraph(block.runs.map((run) => ({ ...run, isBold: true })));
  if (block.kind === 'item')
    return paragraph([
      { text: block.number === undefined ? '• ' : `${block.number}. ` },
      ...block.runs,
    ]);
  if (block.kind === 'paragraph') return paragraph(block.runs);
  return block.kind === 'lines' ? paragraph([{ text: block.text }]) : '';
}

/** A cell ends with a paragraph (section 17.4.65). */
function rowXml(cells: readonly Block[][]): string {
  return `<w:tr>${cells.map((blocks) => `<w:tc>${blocks.map(blockXml).join('')}<w:p/></w:tc>`).join('')}</w:tr>`;
}

function paragraph(runs: readonly Run[]): string {
  if (textOfRuns(runs).trim() === '') return '';
  const written = runs.map(({ text, isBold, isItalic }) => {
    const look = `${isBold === true ? '<w:b/>' : ''}${isItalic === true ? '<w:i/>' : ''}`;
    const lines = text
      .split('\n')
      .map((line) => `<w:t xml:space="preserve">${escapeXml(line)}</w:t>`);
    return `<w:r><w:rPr>${look}</w:rPr>${lines.join('<w:br/>')}</w:r>`;
  });
  return `<w:p>${written.join('')}</w:p>`;
}
