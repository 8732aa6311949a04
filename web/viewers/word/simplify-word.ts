import { withTextOfChunks } from './text-of-chunks.ts';
import { withMappedBullets, withMappedSymbols, writtenSymbol } from './word-symbols.ts';
import type { SymbolFonts } from '../parts/symbol-fonts.ts';
import type { ZipPart } from '../parts/zip-parts.ts';
import {
  attributeOf,
  descendantsOf,
  elementsOf,
  escapeXml,
  localName,
  parseXml,
  writeXml,
  type XmlElement,
  type XmlNode,
} from '../parts/xml-tree.ts';
import { withPageSizes } from './page-sizes.ts';
import { drawnLabel, drawnTexts, type DrawnTexts } from './drawn-labels.ts';
import { areFieldsClosed, FieldReader } from './field-reader.ts';

/**
 * The parts of a document with only what `docx-preview` reads: paragraphs of runs and links, tables of
 * rows of cells. What WordprocessingML puts around them is taken off, so that no word is lost (ECMA-376, part 1,
 * sections 17.3 to 17.5 and 17.13; part 3, section 10).
 */
export async function simplifyWord(written: readonly ZipPart[]): Promise<ZipPart[]> {
  const parts = withTextOfChunks(written);
  const texts = drawnTexts(parts);
  // Documents without symbols need none of its long tables.
  const fonts = parts.some(hasSymbols) ? await import('../parts/symbol-fonts.ts') : undefined;
  return parts.map((part) => {
    const change = changeFor(part.path, texts, fonts);
    if (change === undefined) return part;
    const text = new TextDecoder().decode(part.bytes);
    const changed = withPageSizes(change(text));
    return changed === text ? part : { ...part, bytes: new TextEncoder().encode(changed) };
  });
}

const numbering = /^word\/numbering\w*\.xml$/;
const story = /^word\/(?:document|header|footer|footnotes|endnotes|comments)\w*\.xml$/;
const symbolic = /[\uF000-\uF0FF]|&#|Symbol|dings|<(?:\w+:)?sym[\s/>]/i;

function hasSymbols({ path, bytes }: ZipPart): boolean {
  return (
    (numbering.test(path) || story.test(path)) && symbolic.test(new TextDecoder().decode(bytes))
  );
}

function changeFor(
  path: string,
  texts: DrawnTexts,
  fonts: SymbolFonts | undefined,
): ((xml: string) => string) | undefined {
  if (/^word\/styles\w*\.xml$/.test(path)) return withNamedStyles;
  if (numbering.test(path)) return fonts && ((xml) => withMappedBullets(xml, fonts));
  return story.test(path) ? (xml) => simplifyStory(xml, texts, fonts) : undefined;
}

/** A style without an id would give its size to all text (ECMA-376, part 1, section 17.7.4.17). */
function withNamedStyles(xml: string): string {
  let count = 0;
  return xml.replace(
    /<((?:\w+:)?)style(?=[\s>])([^<>]*)>/g,
    (tag, prefix: string, attributes: string) => {
      if (/[\s:]styleId\s*=/.test(attributes) || attributes.endsWith('/')) return tag;
      count += 1;
      return `<${prefix}style ${prefix}styleId="unnamed-${count}"${attributes}>`;
    },
  );
}

/** A text whose elements docx-preview can all read; most parts of a document are such texts. */
const special =
  /<(?:\w+:)?(?:sdt|customXml|smartTag|ins|del|move(?:From|To)|fld(?:Simple|Char)|instrText|ruby|bdo|dir|AlternateContent|txbxContent|object|drawing|sym|cr|ptab|softHyphen|pic|graphic|textpath)[\s/>]|\bfont="|[\uF000-\uF0FF]|<(?:\w+:)?rFonts[^<>]*(?:Symbol|dings)/;

/** The main document, a header, or notes: everything that has paragraphs. */
export function simplifyStory(
  xml: string,
  texts: DrawnTexts = new Map(),
  fonts?: SymbolFonts,
): string {
  if (!special.test(xml)) return xml;
  const root = parseXml(xml);
  const head = /^\s*<\?xml[^<>]*\?>/.exec(xml)?.[0] ?? '';
  return head + writeXml(new Simplifier(root, texts, fonts).childrenOf(root));
}

const dropped = new Set(
  'del moveFrom instrText delText fldChar sdtPr sdtEndPr customXmlPr smartTagPr rubyPr'.split(' '),
);
const unwrapped = new Set(
  'sdt sdtContent customXml smartTag ins moveTo bdo dir fldSimple rubyBase'.split(' '),
);

class Simplifier {
  readonly #fields: FieldReader;
  readonly #texts: DrawnTexts;
  readonly #fonts: SymbolFonts | undefined;
  /** What the text boxes of the paragraph hold: it is shown below the paragraph. */
  #boxes: XmlNode[] = [];

  constructor(root: XmlElement, texts: DrawnTexts, fonts: SymbolFonts | undefined) {
    this.#texts = texts;
    this.#fonts = fonts;
    this.#fields = new FieldReader(areFieldsClosed(root));
  }

  childrenOf({ children }: XmlElement): XmlNode[] {
    return children.flatMap((node) => (typeof node === 'string' ? [node] : this.#read(node)));
  }

  #read(element: XmlElement): XmlNode[] {
    const name = localName(element);
    if (dropped.has(name)) return [];
    if (unwrapped.has(name)) return this.childrenOf(element);
    if (name === 'p') return this.#paragraph(element);
    if (name === 'r') return this.#run(element);
    if (name === 'AlternateContent') return this.#alternative(element);
    if (name === 'txbxContent') {
      this.#boxes.push(...this.childrenOf(element));
      return [];
    }
    if ((name === 'pic' || name === 'graphic') && isBroken(element, name)) return [];
    return [{ ...element, children: this.childrenOf(element) }];
  }

  #paragraph(element: XmlElement): XmlNode[] {
    const around = this.#boxes;
    this.#boxes = [];
    const paragraph = { ...element, children: this.childrenOf(element) };
    const boxes = this.#boxes;
    this.#boxes = around;
    return [paragraph, ...boxes];
  }

  /** Readings stand behind their base: a run that has them becomes several runs (section 17.3.3.25). */
  #run(element: XmlElement): XmlNode[] {
    const runs: XmlElement[] = [];
    const properties = elementsOf(element, 'rPr');
    const add = (node: XmlNode) => {
      if (typeof node !== 'string' && localName(node) === 'r') {
        runs.push(node, { ...element, children: [...properties] });
        return;
      }
      const last = runs.at(-1) ?? { ...element, children: [...properties] };
      if (runs.length === 0) runs.push(last);
      last.children.push(node);
    };
    for (const child of elementsOf(element)) {
      if (localName(child) === 'rPr') continue;
      const nodes =
        localName(child) === 'ruby' ? this.#ruby(child, element) : this.#inRun(child, element);
      nodes.forEach(add);
    }
    const fonts = this.#fonts;
    return fonts === undefined ? runs : runs.map((run) => withMappedSymbols(run, fonts));
  }

  #inRun(child: XmlElement, run: XmlElement): XmlNode[] {
    const name = localName(child);
    const label =
      name === 'pict' || name === 'drawing'
        ? drawnLabel(child, this.#texts, child.name.slice(0, -name.length))
        : undefined;
    return label ?? this.#unlabelled(child, run);
  }

  #symbol(child: XmlElement): string {
    return this.#fonts === undefined ? '' : writtenSymbol(child, this.#fonts);
  }

  #unlabelled(child: XmlElement, run: XmlElement): XmlNode[] {
    const prefix = child.name.slice(0, -localName(child).length);
    switch (localName(child)) {
      case 'fldChar':
        return textOf(this.#fields.mark(child), prefix);
      case 't':
        return this.#fields.isInCode ? [] : [child];
      case 'sym':
        return textOf(this.#symbol(child), prefix);
      case 'cr':
        return [{ name: `${prefix}br`, attributes: '', children: [] }];
      case 'ptab':
        return [{ name: `${prefix}tab`, attributes: '', children: [] }];
      case 'softHyphen':
        return textOf('\u00AD', prefix);
      case 'object':
        return this.#read({ ...child, name: `${prefix}pict` });
      case 'drawing':
        return this.#drawing(child);
      case 'AlternateContent':
        return this.#alternative(child);
      default:
        return run === child ? [] : this.#read(child);
    }
  }

  #ruby(element: XmlElement, run: XmlElement): XmlElement[] {
    const runsOf = (name: string) =>
      elementsOf(element, name).flatMap((part) =>
        this.childrenOf(part).filter((node): node is XmlElement => typeof node !== 'string'),
      );
    const prefix = run.name.slice(0, -1);
    const mark = (text: string): XmlElement => ({ ...run, children: textOf(text, prefix) });
    const reading = runsOf('rt');
    return [
      ...runsOf('rubyBase'),
      ...(reading.length > 0 ? [mark('('), ...reading, mark(')')] : []),
    ];
  }

  /** Pictures of a group are shown one after the other: only a picture alone is read. */
  #drawing(element: XmlElement): XmlNode[] {
    const [drawing] = [{ ...element, children: this.childrenOf(element) }];
    const [data] = descendantsOf(drawing, 'graphicData');
    if (data === undefined || elementsOf(data, 'pic').length > 0) return [drawing];
    const pictures = descendantsOf(data, 'pic');
    const [graphic] = descendantsOf(drawing, 'graphic');
    if (graphic === undefined) return [drawing];
    const [group] = descendantsOf(data, 'grpSpPr');
    const scale = group === undefined ? 1 : scaleOf(group);
    return pictures.map((pic) => alone(pic, drawing, { data, graphic, scale }));
  }

  /** A text box is read from the choice, anything else as older programs show it. */
  #alternative(element: XmlElement): XmlNode[] {
    const [choice] = elementsOf(element, 'Choice');
    const [fallback] = elementsOf(element, 'Fallback');
    const isRead =
      choice !== undefined &&
      (descendantsOf(choice, 'txbxContent').length > 0 || descendantsOf(choice, 'pic').length > 0);
    const chosen =
      isRead || fallback === undefined || fallback.children.length === 0 ? choice : fallback;
    return chosen === undefined
      ? []
      : elementsOf(chosen).flatMap((child) => this.#inRun(child, element));
  }
}

function textOf(text: string, prefix: string): XmlNode[] {
  if (text === '') return [];
  return [{ name: `${prefix}t`, attributes: ' xml:space="preserve"', children: [escapeXml(text)] }];
}

/** What is read of a picture; without one of them, the whole document would not be shown (sections 20.1.2.2, 20.2.2). */
function isBroken(element: XmlElement, name: 'pic' | 'graphic'): boolean {
  if (name === 'graphic') return elementsOf(element, 'graphicData').length === 0;
  const [fill] = elementsOf(element, 'blipFill');
  return (
    fill === undefined ||
    descendantsOf(fill, 'blip').length === 0 ||
    elementsOf(element, 'spPr').length === 0
  );
}

/** A drawing of one picture of a group, in the size that the group gives it (section 20.1.7.5). */
function alone(
  pic: XmlElement,
  drawing: XmlElement,
  { data, graphic, scale }: { data: XmlElement; graphic: XmlElement; scale: number },
): XmlElement {
  const frame = drawing.children.find((child) => typeof child !== 'string');
  const [size] = descendantsOf(pic, 'ext').filter((ext) => attributeOf(ext, 'cx') !== undefined);
  const side = (name: string) =>
    Math.round(Number(size && attributeOf(size, name)) * scale) || 914_400;
  if (frame === undefined) return drawing;
  const prefix = frame.name.slice(0, -localName(frame).length);
  const sized = writeXml([pic]).replace(
    /(<\w+:ext )cx="\d+" cy="\d+"/,
    `$1cx="${side('cx')}" cy="${side('cy')}"`,
  );
  const extent = {
    name: `${prefix}extent`,
    attributes: ` cx="${side('cx')}" cy="${side('cy')}"`,
    children: [],
  };
  const content = { ...graphic, children: [{ ...data, children: parseXml(sized).children }] };
  const inline = { name: `${prefix}inline`, attributes: '', children: [extent, content] };
  return { ...drawing, children: [inline] };
}

function scaleOf(group: XmlElement): number {
  const width = (name: string) => {
    const [element] = descendantsOf(group, name);
    return Number(element && attributeOf(element, 'cx'));
  };
  return width('ext') / width('chExt') || 1;
}
