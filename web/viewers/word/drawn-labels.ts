import { relationshipsIn, type ZipPart } from '../parts/zip-parts.ts';
import {
  attributeOf,
  descendantsOf,
  escapeXml,
  parseXml,
  textIn,
  type XmlElement,
  type XmlNode,
} from '../parts/xml-tree.ts';

/** Texts of the charts and diagrams of a document, by the ids of their relations; each is told once. */
export type DrawnTexts = ReadonlyMap<string, { words: string }>;

/** Reads the titles of charts and all texts of diagrams: `docx-preview` draws neither. */
export function drawnTexts(parts: readonly ZipPart[]): DrawnTexts {
  const files = new Map(parts.map(({ path, bytes }) => [path, bytes]));
  const known = new Map<string, { words: string }>();
  const texts = new Map<string, { words: string }>();
  for (const { id, target } of relationshipsIn(files.get('word/_rels/document.xml.rels'))) {
    const [, kind] = /^(?:\/word\/)?(charts|diagrams)\/(?:chart|data)\w*\.xml$/.exec(target) ?? [];
    if (kind === undefined) continue;
    const path = `word/${target.replace(/^\/word\//, '')}`;
    const text = known.get(path) ?? { words: drawnText(kind, files.get(path)) };
    known.set(path, text);
    texts.set(id, text);
  }
  return texts;
}

/** Paragraphs within each other would tell their words many times. */
const mostCharacters = 10_000;

function drawnText(kind: string, bytes: Uint8Array | undefined): string {
  const part = parseXml(new TextDecoder().decode(bytes));
  const holders = kind === 'charts' ? descendantsOf(part, 'title').slice(0, 1) : [part];
  const words = holders.flatMap((holder) => descendantsOf(holder, 'p').map(wordsOf));
  return words.filter(Boolean).join(' · ').slice(0, mostCharacters);
}

const wordsOf = (paragraph: XmlElement) => descendantsOf(paragraph, 't').map(textIn).join('');

/** Properties of a run (ECMA-376, part 1, section 17.3.2), with `#` for the prefix of its elements. */
const boxed = '<#bdr #val="dashed" #sz="4" #color="777777"/><#color #val="555555"/>';
const faint = '<#color #val="BFBFBF"/><#sz #val="72"/>';

/** The run that stands for a chart, a diagram or a word across the page (a watermark). */
export function drawnLabel(
  drawing: XmlElement,
  texts: DrawnTexts,
  prefix: string,
): XmlNode[] | undefined {
  const [path] = descendantsOf(drawing, 'textpath');
  const text = path === undefined ? boxText(drawing, texts) : attributeOf(path, 'string');
  if (text === undefined) return undefined;
  const look = (path === undefined ? boxed : faint).replaceAll('#', prefix);
  return parseXml(
    `<${prefix}r><${prefix}rPr>${look}</${prefix}rPr><${prefix}t xml:space="preserve">${escapeXml(text)}</${prefix}t></${prefix}r>`,
  ).children;
}

function boxText(drawing: XmlElement, texts: DrawnTexts): string | undefined {
  const [chart] = descendantsOf(drawing, 'chart');
  const [shown = chart] = descendantsOf(drawing, 'relIds');
  if (shown === undefined) return undefined;
  const id = attributeOf(shown, shown === chart ? 'id' : 'dm') ?? '';
  const named = descendantsOf(drawing, 'docPr').map((one) => attributeOf(one, 'descr'));
  const text = texts.get(id);
  const words = text?.words || named[0] || '';
  if (text !== undefined) text.words = '';
  return ` ${shown === chart ? 'Chart' : 'Diagram'}${words && `: ${words}`} `;
}
