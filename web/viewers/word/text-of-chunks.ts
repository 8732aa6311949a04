import { type Block, type Run, textOfRuns } from '../reader/blocks.ts';
import { PageReader } from '../reader/page-text.ts';
import { readWebArchive } from '../parts/web-archive.ts';
import { escapeXml, parseXml } from '../parts/xml-tree.ts';
import type { ZipPart } from '../parts/zip-parts.ts';

/** Pages in pages would be as many as somebody likes. */
const mostCharacters = 2_000_000;

/**
 * The parts of a document with the words of the pages that it imports, in the place of each (ECMA-376, part 1,
 * section 17.17.2.1): programs that make documents of web pages write nothing else into them.
 */
export function withTextOfChunks(parts: readonly ZipPart[]): ZipPart[] {
  const relations = textOf(parts, 'word/_rels/document.xml.rels');
  let room = mostCharacters;
  const wordsOf = (element: string): string => {
    if (room < 0) return '';
    const [, id = ''] = /\sr:id="([^"]*)"/.exec(element) ?? [];
    const relation = [...relations.matchAll(/<(?:\w+:)?Relationship\s[^>]*>/g)].find(([one]) =>
      one.includes(` Id="${id}"`),
    )?.[0];
    const [, target = ''] = /\sTarget="([^"]*)"/.exec(relation ?? '') ?? [];
    const path = target.startsWith('/') ? target.slice(1) : `word/${target}`;
    const chunk = parts.find((part) => part.path === path);
    const xml = chunk === undefined ? '' : chunkParagraphs(chunk);
    room -= xml.length;
    return room < 0 ? '' : xml;
  };
  return parts.map((part) => {
    if (part.path !== 'word/document.xml') return part;
    const xml = new TextDecoder().decode(part.bytes);
    if (!xml.includes('<w:altChunk')) return part;
    const shown = xml.replace(/<w:altChunk\s[^>]*?(?:\/>|>[^]*?<\/w:altChunk>)/g, wordsOf);
    return { ...part, bytes: new TextEncoder().encode(shown) };
  });
}

function textOf(parts: readonly ZipPart[], path: string): string {
  return new TextDecoder().decode(parts.find((part) => part.path === path)?.bytes);
}

function chunkParagraphs({ path, bytes }: ZipPart): string {
  if (/\.docx?m?$/i.test(path) || bytes[0] === 0x50)
    return paragraph([{ text: 'Another document, which is not shown here' }]);
  const archive = readWebArchive(bytes);
  const text = new TextDecoder(archive?.charset ?? 'utf-8').decode(archive?.page ?? bytes);
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
