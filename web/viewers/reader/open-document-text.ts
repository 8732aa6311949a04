import {
  attributeOf,
  decodeXml,
  descendantsOf,
  elementsOf,
  localName,
  parseXml,
  textIn,
  type XmlElement,
} from '../parts/xml-tree.ts';
import { type Block, type Run, textOfRuns } from './blocks.ts';

type Look = Pick<Run, 'isBold' | 'isItalic' | 'href'>;

/** What is around a place of the text. */
interface Around {
  look: Look;
  /** How many lists; 0 outside of all. */
  level: number;
  /** The style of the lists. */
  list?: string | undefined;
}

/** A file of the document, by its address in it. */
type BytesAt = (href: string) => Uint8Array<ArrayBuffer> | undefined;

const most = { spaces: 100, cells: 256 } as const;

/** Elements that are not text of the document (ODF 1.3, part 3, sections 5.5, 7.4 and 19). */
const skipped = new Set([
  'tracked-changes',
  'sequence-decls',
  'variable-decls',
  'user-field-decls',
  'forms',
  'scripts',
  'settings',
  'event-listeners',
  'ruby-text',
  'note-citation',
  'thumbnail',
  'desc',
  'title',
  'covered-table-cell',
  'header-decl',
  'footer-decl',
  'date-time-decl',
  'sound',
  'binary-data',
  'binData',
]);

/** Reads the text of elements; what it does not know it passes through, so that no word is lost. */
export class OpenDocumentReader {
  readonly #looks = new Map<string, Look>();
  readonly #bytesAt: BytesAt;
  readonly #numbered: ReadonlySet<string>;
  #blocks: Block[] = [];
  #runs: Run[] = [];
  /** The last number of each level of the lists with numbers, by their style. */
  readonly #numbers = new Map<string, number[]>();
  /** That of the item that begins here. */
  #number: number | undefined;

  /** @param sources what has the styles of texts and of lists */
  constructor(sources: readonly XmlElement[], bytesAt: BytesAt) {
    this.#bytesAt = bytesAt;
    const all = (name: string) => sources.flatMap((one) => descendantsOf(one, name));
    for (const style of all('style'))
      this.#looks.set(attributeOf(style, 'name') ?? '', lookOf(style));
    this.#numbered = new Set(all('list-style').flatMap(numberedLevels));
  }

  /** The blocks of everything below an element. */
  blocksIn(element: XmlElement): Block[] {
    const outer = { blocks: this.#blocks, runs: this.#runs };
    this.#blocks = [];
    this.#runs = [];
    for (const child of elementsOf(element)) this.#read(child, { look: {}, level: 0 });
    this.#end('paragraph', 0);
    const made = this.#blocks;
    this.#blocks = outer.blocks;
    this.#runs = outer.runs;
    return made;
  }

  #read(element: XmlElement, around: Around): void {
    const name = localName(element);
    if (skipped.has(name)) return;
    if (name === 'p' || name === 'h') this.#paragraph(element, around);
    else if (name === 'list') this.#list(element, around);
    else if (name === 'list-item') this.#item(element, around);
    else if (name === 'table') this.#table(element);
    else if (name === 'frame') this.#frame(element);
    else if (name === 'annotation') this.#annotation(element);
    else this.#children(element, around);
  }

  #children({ children }: XmlElement, around: Around): void {
    for (const child of children) if (typeof child !== 'string') this.#read(child, around);
  }

  #list(element: XmlElement, around: Around): void {
    const level = around.level + 1;
    const list = attributeOf(element, 'style-name') ?? around.list;
    const isContinued = /\scontinue-(?:numbering="true"|list=)/.test(
      element.attributes.replaceAll('text:', ''),
    );
    const numbers = this.#numbers.get(list ?? '') ?? [];
    if (!isContinued) numbers.length = Math.min(numbers.length, level);
    if (!isContinued) numbers[level] = 0;
    this.#numbers.set(list ?? '', numbers);
    this.#children(element, { ...around, level, list });
  }

  #item(element: XmlElement, around: Around): void {
    const { level, list = '' } = around;
    const numbers = this.#numbers.get(list) ?? [];
    const start = Number(attributeOf(element, 'start-value') ?? (numbers[level] ?? 0) + 1);
    numbers[level] = start;
    this.#number = this.#numbered.has(`${list} ${level}`) ? start : undefined;
    this.#children(element, around);
    this.#number = undefined;
  }

  #paragraph(element: XmlElement, around: Around): void {
    this.#inline(element, { ...around, look: this.#lookFor(element, around.look) });
    const isHeading = localName(element) === 'h';
    const level = Number(attributeOf(element, 'outline-level') ?? 1);
    if (isHeading) this.#end('heading', Math.min(6, Math.max(1, level)));
    else if (around.level > 0) this.#end('item', Math.min(9, around.level));
    else this.#end('paragraph', 0);
  }

  #end(kind: 'heading' | 'item' | 'paragraph', level: number): void {
    const runs = this.#runs;
    this.#runs = [];
    if (textOfRuns(runs).trim() === '') return;
    if (kind === 'item') this.#blocks.push({ kind, level, number: this.#number, runs });
    else this.#blocks.push(kind === 'paragraph' ? { kind, runs } : { kind, level, runs });
    this.#number = undefined;
  }

  #inline({ children }: XmlElement, around: Around): void {
    for (const child of children) {
      if (typeof child === 'string') this.#text(decodeXml(child).replace(/\s+/g, ' '), around.look);
      else this.#inlineElement(child, around);
    }
  }

  #inlineElement(element: XmlElement, around: Around): void {
    const name = localName(element);
    if (skipped.has(name)) return;
    const { look } = around;
    const sign = signOf(element, name);
    const words = sign ?? (name === 'frame' ? this.#formula(element) : undefined);
    if (words !== undefined) this.#text(words, look);
    else if (name === 'frame') this.#frame(element);
    else if (name === 'annotation') this.#annotation(element);
    else if (name === 'note')
      this.#text(` (${descendantsOf(element, 'p').map(textIn).join(' ')})`, look);
    else if (name === 'p' || name === 'h') this.#paragraph(element, around);
    else if (name === 'table') this.#table(element);
    else this.#inline(element, { ...around, look: this.#lookFor(element, look) });
  }

  #lookFor(element: XmlElement, look: Look): Look {
    const style = attributeOf(element, 'style-name');
    const own = style === undefined ? undefined : this.#looks.get(style);
    const target = localName(element) === 'a' ? attributeOf(element, 'href') : undefined;
    return { ...look, ...own, ...(target !== undefined && { href: target }) };
  }

  #text(text: string, look: Look): void {
    if (text !== '') this.#runs.push({ text, ...look });
  }

  /** A comment stands where it was made (section 14.1). */
  #annotation(element: XmlElement): void {
    const [creator] = descendantsOf(element, 'creator');
    const words = descendantsOf(element, 'p').map(textIn).join('\n').trim();
    const by = creator === undefined ? 'Comment' : `Comment by ${textIn(creator)}`;
    if (words !== '') this.#blocks.push({ kind: 'box', words: `${by}: ${words}` });
  }

  /** A picture, a box of text, or an object (section 10.4). */
  #frame(frame: XmlElement): void {
    const described = elementsOf(frame).find((one) => /^(?:desc|title)$/.test(localName(one)));
    const words = described === undefined ? '' : textIn(described).trim();
    const boxes = [...elementsOf(frame, 'text-box'), ...elementsOf(frame, 'table')];
    if (boxes.length > 0) {
      this.#blocks.push(...this.blocksIn({ ...frame, children: boxes }));
      return;
    }
    const images = elementsOf(frame, 'image');
    const bytes = images
      .map((image) => this.#imageBytes(image))
      .find((found) => found !== undefined);
    if (bytes !== undefined) this.#blocks.push({ kind: 'picture', bytes, words });
    else if (elementsOf(frame, 'object').length > 0)
      this.#blocks.push({ kind: 'box', words: words || 'A chart or another object' });
    else if (images.length > 0)
      this.#blocks.push({ kind: 'box', words: words || 'A picture in another file' });
  }

  /** A formula as its author wrote it, or the signs of it (section 14.5). */
  #formula(frame: XmlElement): string | undefined {
    const [object] = elementsOf(frame, 'object');
    if (object === undefined) return undefined;
    const bytes = this.#bytesAt(`${attributeOf(object, 'href') ?? ''}/content.xml`);
    const root = bytes === undefined ? object : parseXml(new TextDecoder().decode(bytes));
    const [math] = descendantsOf(root, 'math');
    const [written] = math === undefined ? [] : descendantsOf(math, 'annotation');
    return (written ?? math) && textIn(written ?? math ?? root).trim();
  }

  #imageBytes(image: XmlElement): Uint8Array<ArrayBuffer> | undefined {
    const [data] = elementsOf(image, 'binary-data');
    if (data === undefined) return this.#bytesAt(attributeOf(image, 'href') ?? '');
    return Uint8Array.from(atob(textIn(data).replace(/\s+/g, '')), (one) => one.charCodeAt(0));
  }

  #table(table: XmlElement): void {
    const rows = rowsOf(table).map((row) =>
      elementsOf(row, 'table-cell')
        .flatMap((cell) => {
          const count = Number(attributeOf(cell, 'number-columns-repeated') ?? 1);
          const blocks = this.blocksIn(cell);
          // A cell that stands for many others is mostly the empty end of a row.
          return Array.from(
            { length: Math.min(count || 1, blocks.length > 0 ? 64 : 1) },
            () => blocks,
          );
        })
        .slice(0, most.cells),
    );
    if (rows.some((row) => row.some((cell) => cell.length > 0)))
      this.#blocks.push({ kind: 'table', rows });
  }
}

/** Spaces, tabs and line breaks are elements (section 6.1). */
function signOf(element: XmlElement, name: string): string | undefined {
  if (name === 'tab') return '\u2003';
  if (name === 'line-break') return '\n';
  if (name !== 's') return undefined;
  const count = Number(attributeOf(element, 'c') ?? 1) || 1;
  return '\u00A0'.repeat(Math.min(most.spaces, Math.max(1, Math.floor(count))));
}

/** Rows may stand in groups (section 9.1). */
function rowsOf(table: XmlElement): XmlElement[] {
  return elementsOf(table).flatMap((one) => {
    const name = localName(one);
    if (name === 'table-row') return [one];
    return /^table-(?:header-rows|row-group|rows)$/.test(name) ? rowsOf(one) : [];
  });
}

/** The levels of a list that have numbers, each with the name of its style (section 16.30). */
function numberedLevels(list: XmlElement): string[] {
  const name = attributeOf(list, 'name') ?? '';
  return elementsOf(list, 'list-level-style-number')
    .filter((level) => (attributeOf(level, 'num-format') ?? '') !== '')
    .map((level) => `${name} ${attributeOf(level, 'level') ?? ''}`);
}

function lookOf(style: XmlElement): Look {
  const [text] = elementsOf(style, 'text-properties');
  const weight = text && attributeOf(text, 'font-weight');
  const slant = text && attributeOf(text, 'font-style');
  return {
    ...(weight !== undefined && { isBold: weight === 'bold' || Number(weight) >= 600 }),
    ...(slant !== undefined && { isItalic: slant !== 'normal' }),
  };
}
