import { ViewerError } from './fetch-file.ts';
import { withDrawingBoxes } from './slide-drawings.ts';
import { withMappedSlideSymbols } from './slide-symbols.ts';
import {
  attributeOf,
  descendantsOf,
  elementsOf,
  localName,
  parseXml,
  tagsOf,
  writeXml,
  type XmlElement,
} from './xml-tree.ts';
import { relationshipsIn, relationshipsPath, xmlTexts, type ZipPart } from './zip-parts.ts';

/** A slide, or what a slide takes its placeholders from. */
const slidePart = /^ppt\/(?:slides|slideLayouts|slideMasters)\/[^/]+\.xml$/;
const fills: ReadonlySet<string> = new Set(
  'noFill solidFill gradFill blipFill pattFill grpFill'.split(' '),
);

const symbols = /typeface="(?:Symbol|Wingdings|Webdings)|[\uF000-\uF0FF]/i;

/**
 * The parts of a presentation, changed so that the renderer shows what it would leave out: symbols, fills that a
 * shape has from its group, its style or its placeholder, texts that do not wrap, sounds, and that there are drawings.
 */
export async function prepareSlides(parts: readonly ZipPart[]): Promise<ZipPart[]> {
  if (hasEndlessSlide(parts)) {
    throw new ViewerError('The presentation has too many parts to show here.');
  }
  const files = new Map(parts.map(({ path, bytes }) => [path, bytes]));
  const sourcesOf = sourcesIn(files);
  const room = { characters: mostFillCharacters };
  const withSymbols = new Set<ZipPart>();
  const prepared = parts.map((part) => {
    if (!slidePart.test(part.path)) return part;
    const before = new TextDecoder().decode(part.bytes);
    const isSlide = part.path.startsWith('ppt/slides/');
    const filled = isSlide ? withFills(before, sourcesOf(part.path), room) : before;
    const boxed = withDrawingBoxes(picture, filled, {
      relationships: files.get(relationshipsPath(part.path)),
      bytesAt: (path) => files.get(path.replace(/^(?:\.\.|\/ppt)\//, 'ppt/')),
    });
    const text = withOpenText(boxed).replace(picture, withNamedSound);
    const bytes = text === before ? part.bytes : new TextEncoder().encode(text);
    const made = { ...part, bytes };
    if (symbols.test(text)) withSymbols.add(made);
    return made;
  });
  if (withSymbols.size === 0) return prepared;
  // Most presentations need none of its long tables.
  const fonts = await import('./symbol-fonts.ts');
  return prepared.map((part) =>
    withSymbols.has(part) ? withMappedSlideSymbols(part, fonts) : part,
  );
}

/**
 * What the renderer looks up in a list, from its beginning on, for one slide: the elements of the list, which is one
 * part, and those of a slide that look there.
 */
const lookups = [
  ['ph', 'ph|p'],
  ['tblStyle', 'tbl'],
  // Each may show the same drawing of a diagram.
  ['sp', 'graphicFrame'],
] as const;
/** Some seconds. A slide with a table of 5,000 cells over a layout of 20 placeholders has 100,000. */
const mostSteps = 300_000;

/** Texts, shapes and cells of one slide, which is drawn at once, and the points of its outlines. */
const drawn = [
  { names: 'p|r|fld|br|sp|grpSp|pic|tr|tc|gridCol|cxnSp|graphicFrame', most: 20_000 },
  { names: 'lnTo|cubicBezTo|quadBezTo|arcTo', most: 100_000 },
] as const;

function hasEndlessSlide(parts: readonly ZipPart[]): boolean {
  const texts = xmlTexts(parts);
  const mostOf = (names: string) =>
    Math.max(0, ...texts.map((text) => text.match(tagsOf(names))?.length ?? 0));
  if (drawn.some(({ names, most }) => mostOf(names) > most)) return true;
  return lookups.some(([listed, looking]) => mostOf(listed) * mostOf(looking) > mostSteps);
}

/** Shapes with a fill of their own, by the index and by the type of their placeholder. */
type Placeholders = Readonly<Record<'idx' | 'type', ReadonlyMap<string, XmlElement>>>;

/** What a slide takes fills from. */
interface FillSources {
  /** Of its layout, then of its master. */
  placeholders: readonly Placeholders[];
  /** Of its theme. */
  styles: readonly XmlElement[];
}

/** Finds the layout of a slide, its master and its theme (ECMA-376, part 1, section 13.3), each of which many slides share. */
function sourcesIn(files: ReadonlyMap<string, Uint8Array>): (path: string) => FillSources {
  const relationshipsOf = once((path) => relationshipsIn(files.get(relationshipsPath(path))));
  const next = (from: string, kind: string): string => {
    const found = relationshipsOf(from).find(({ type }) => type.endsWith(`/${kind}`));
    return `ppt/${/^(?:\.\.|\/ppt)\/(.+)$/.exec(found?.target ?? '')?.[1] ?? ''}`;
  };
  const treeOf = once((path) => parseXml(new TextDecoder().decode(files.get(path))));
  const placeholdersOf = once((path) => filledPlaceholders(treeOf(path)));
  const stylesOf = once((path) => {
    const [list] = descendantsOf(treeOf(path), 'fillStyleLst');
    return list === undefined ? [] : elementsOf(list);
  });
  return (path) => {
    const layout = next(path, 'slideLayout');
    const master = next(layout, 'slideMaster');
    return {
      placeholders: [layout, master].map(placeholdersOf),
      styles: stylesOf(next(master, 'theme')),
    };
  };
}

/** Makes something of each path once. */
function once<Made>(make: (path: string) => Made): (path: string) => Made {
  const known = new Map<string, Made>();
  return (path) => {
    const made = known.get(path) ?? make(path);
    known.set(path, made);
    return made;
  };
}

/** A fill of a layout may be long, and many shapes may take it. */
const mostFillCharacters = 20_000_000;

/** The fills that the renderer does not look up. A slide without such a fill is not read. */
function withFills(
  slide: string,
  { placeholders, styles }: FillSources,
  room: { characters: number },
): string {
  const isFilled =
    placeholders.some(({ idx, type }) => idx.size + type.size > 0) && slide.includes('<p:ph');
  const hasPattern = styles.some(isPattern) && slide.includes('<a:fillRef');
  const isGrouped = slide.includes('<a:pattFill') && slide.includes('<a:grpFill');
  if (!isFilled && !hasPattern && !isGrouped) return slide;
  const root = parseXml(slide);
  const visit = (element: XmlElement, group?: XmlElement): void => {
    for (const child of elementsOf(element)) {
      const own = localName(child) === 'grpSp' ? fillOf(child, 'grpSpPr') : undefined;
      if (localName(child) === 'sp' && room.characters > 0)
        room.characters -= fill(child, { group, placeholders, styles });
      visit(child, own === undefined || localName(own) === 'grpFill' ? group : own);
    }
  };
  visit(root);
  return writeXml([root]);
}

const isPattern = (element: XmlElement | undefined) => element?.name === 'a:pattFill';

function filledPlaceholders(root: XmlElement): Placeholders {
  const found = { idx: new Map<string, XmlElement>(), type: new Map<string, XmlElement>() };
  for (const shape of descendantsOf(root, 'sp')) {
    const [place] = descendantsOf(shape, 'ph');
    if (place === undefined || fillOf(shape) === undefined) continue;
    for (const key of ['idx', 'type'] as const) {
      const value = attributeOf(place, key);
      if (value !== undefined && !found[key].has(value)) found[key].set(value, shape);
    }
  }
  return found;
}

function fillOf(shape: XmlElement, properties = 'spPr'): XmlElement | undefined {
  const [all] = elementsOf(shape, properties);
  return all && elementsOf(all).find((child) => fills.has(localName(child)));
}

/** Gives a shape the fill that it has from elsewhere; returns how many characters that adds. */
function fill(shape: XmlElement, from: FillSources & { group: XmlElement | undefined }): number {
  const [properties] = elementsOf(shape, 'spPr');
  const own = fillOf(shape);
  if (properties === undefined) return 0;
  if (own !== undefined) {
    if (localName(own) !== 'grpFill' || !from.group || !isPattern(from.group)) return 0;
    properties.children[properties.children.indexOf(own)] = from.group;
    return writeXml([from.group]).length;
  }
  const source = placeholderOf(shape, from.placeholders);
  const found = styledPattern(shape, from.styles) ?? (source && fillOf(source));
  if (found === undefined || localName(found) === 'blipFill') return 0;
  const [outline] = source ? descendantsOf(source, 'prstGeom') : [];
  insertFill(properties, found, outline);
  return writeXml(outline ? [found, outline] : [found]).length;
}

/** A fill stands behind the place and the outline of a shape (section 20.1.2.2.35). */
function insertFill(properties: XmlElement, found: XmlElement, outline?: XmlElement): void {
  const before = elementsOf(properties).filter(({ name }) => /xfrm|Geom/.test(name));
  const isOutlined = before.some(({ name }) => name.endsWith('Geom'));
  const added = outline && !isOutlined ? [outline, found] : [found];
  properties.children = elementsOf(properties);
  properties.children.splice(before.length, 0, ...added);
}

/** The shape that a placeholder of a slide stands for: that of its index, otherwise that of its type (section 19.3.1.36). */
function placeholderOf(shape: XmlElement, lists: readonly Placeholders[]): XmlElement | undefined {
  const [own] = descendantsOf(shape, 'ph');
  if (own === undefined || descendantsOf(shape, 'fillRef').length > 0) return undefined;
  const [idx = '', type = ''] = ['idx', 'type'].map((key) => attributeOf(own, key));
  for (const list of lists) {
    const found = list.idx.get(idx) ?? list.type.get(type);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The pattern that the style of a shape takes from the theme, in the colour of the style (section 20.1.4.2.10). */
function styledPattern(shape: XmlElement, styles: readonly XmlElement[]): XmlElement | undefined {
  const [style] = elementsOf(shape, 'style');
  const [reference] = style ? elementsOf(style, 'fillRef') : [];
  const pattern = reference && styles[Number(attributeOf(reference, 'idx')) - 1];
  if (pattern === undefined || !isPattern(pattern)) return undefined;
  const colour = writeXml(reference?.children ?? []);
  const coloured = writeXml([pattern]).replace(/<a:schemeClr val="phClr"\s*\/>/g, colour);
  return elementsOf(parseXml(coloured))[0];
}

const bodyProperties = /(<a:bodyPr\s[^<>]*?)(?:\/>|>((?:(?!<a:bodyPr)[^])*?)<\/a:bodyPr>)/g;
const fitting = /<a:(?:noAutofit|normAutofit|spAutoFit)\b[^<>]*\/>/g;

/** A text that does not wrap goes beyond its shape; the renderer would make it as small as the shape. */
function withOpenText(xml: string): string {
  return xml.replace(bodyProperties, (whole, start: string, inside = '') =>
    start.includes('wrap="none"')
      ? `${start}>${String(inside).replace(fitting, '')}<a:noAutofit/></a:bodyPr>`
      : whole,
  );
}

const picture = /<p:pic>(?:(?!<p:pic>)[^])*?<\/p:pic>/g;

/** The renderer knows sounds by one of their elements only (sections 20.1.3.2 and 20.1.3.7). */
function withNamedSound(shown: string): string {
  const embedded = /<p14:media\s[^<>]*?r:embed="([^"<>]+)"/.exec(shown)?.[1];
  return shown.replace(
    /<a:(?:wavAudioFile|audioFile)(\s[^<>]*)>(?:<\/a:\w+>)?/,
    (whole, attributes: string) => {
      const id = embedded ?? /\sr:(?:embed|link)="([^"]+)"/.exec(attributes)?.[1];
      return id === undefined ? whole : `<a:audioFile r:link="${id}"/>`;
    },
  );
}
