import { withDrawingBoxes } from './slide-drawings.ts';
import { withMappedSlideSymbols } from './slide-symbols.ts';
import {
  attributeOf,
  descendantsOf,
  elementsOf,
  localName,
  parseXml,
  writeXml,
  type XmlElement,
} from './xml-tree.ts';
import type { ZipPart } from './zip-parts.ts';

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
  const files = new Map(parts.map(({ path, bytes }) => [path, bytes]));
  const textOf = (path: string) => new TextDecoder().decode(files.get(path));
  const trees = new Map<string, XmlElement>();
  const treeOf = (path: string): XmlElement => {
    const tree = trees.get(path) ?? parseXml(textOf(path));
    trees.set(path, tree);
    return tree;
  };
  const withSymbols = new Set<ZipPart>();
  const prepared = parts.map((part) => {
    if (!slidePart.test(part.path)) return part;
    const before = textOf(part.path);
    const isSlide = part.path.startsWith('ppt/slides/');
    const filled = isSlide ? withFills(before, sourcesOf(part.path, textOf).map(treeOf)) : before;
    const boxed = withDrawingBoxes(picture, filled, {
      relations: textOf(part.path.replace(/([^/]+)$/, '_rels/$1.rels')),
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

/** The layout of a slide, its master and its theme (ECMA-376, part 1, section 13.3). */
function sourcesOf(path: string, textOf: (path: string) => string): string[] {
  const next = (from: string, kind: string): string => {
    const rels = textOf(from.replace(/([^/]+)$/, '_rels/$1.rels'));
    const [rel = ''] = rels.match(new RegExp(`<Relationship\\s[^>]*/${kind}"[^>]*>`)) ?? [];
    return /Target="(?:\.\.|\/ppt)\/([^"]+)"/.exec(rel)?.[1] ?? '';
  };
  const layout = `ppt/${next(path, 'slideLayout')}`;
  const master = `ppt/${next(layout, 'slideMaster')}`;
  return [layout, master, `ppt/${next(master, 'theme')}`];
}

/** The fills that the renderer does not look up. A slide without such a fill is not read. */
function withFills(slide: string, [layout, master, theme]: readonly XmlElement[]): string {
  const placeholders = [layout, master].map(filledPlaceholders);
  const [list] = theme ? descendantsOf(theme, 'fillStyleLst') : [];
  const styles = list === undefined ? [] : elementsOf(list);
  const isFilled = placeholders.flat().length > 0 && slide.includes('<p:ph');
  const hasPattern = styles.some(isPattern) && slide.includes('<a:fillRef');
  const isGrouped = slide.includes('<a:pattFill') && slide.includes('<a:grpFill');
  if (!isFilled && !hasPattern && !isGrouped) return slide;
  const root = parseXml(slide);
  const visit = (element: XmlElement, group?: XmlElement): void => {
    for (const child of elementsOf(element)) {
      const own = localName(child) === 'grpSp' ? fillOf(child, 'grpSpPr') : undefined;
      if (localName(child) === 'sp') fill(child, { group, placeholders, styles });
      visit(child, own === undefined || localName(own) === 'grpFill' ? group : own);
    }
  };
  visit(root);
  return writeXml([root]);
}

const isPattern = (element: XmlElement | undefined) => element?.name === 'a:pattFill';

function filledPlaceholders(root: XmlElement | undefined): XmlElement[] {
  const shapes = root ? descendantsOf(root, 'sp') : [];
  return shapes.filter((shape) => descendantsOf(shape, 'ph').length > 0 && fillOf(shape));
}

function fillOf(shape: XmlElement, properties = 'spPr'): XmlElement | undefined {
  const [all] = elementsOf(shape, properties);
  return all && elementsOf(all).find((child) => fills.has(localName(child)));
}

function fill(
  shape: XmlElement,
  from: { group: XmlElement | undefined; placeholders: XmlElement[][]; styles: XmlElement[] },
): void {
  const [properties] = elementsOf(shape, 'spPr');
  const own = fillOf(shape);
  if (properties === undefined) return;
  if (own !== undefined) {
    if (localName(own) === 'grpFill' && from.group && isPattern(from.group))
      properties.children[properties.children.indexOf(own)] = from.group;
    return;
  }
  const pattern = styledPattern(shape, from.styles);
  const source = placeholderOf(shape, from.placeholders);
  const found = pattern ?? (source && fillOf(source));
  if (found === undefined || localName(found) === 'blipFill') return;
  const outlines = source ? descendantsOf(source, 'prstGeom') : [];
  insertFill(properties, found, outlines[0]);
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
function placeholderOf(shape: XmlElement, lists: XmlElement[][]): XmlElement | undefined {
  const [own] = descendantsOf(shape, 'ph');
  if (own === undefined || descendantsOf(shape, 'fillRef').length > 0) return undefined;
  const isLike = (key: string) => (other: XmlElement) => {
    const [place] = descendantsOf(other, 'ph');
    const value = attributeOf(own, key);
    return value !== undefined && place !== undefined && attributeOf(place, key) === value;
  };
  for (const list of lists) {
    const found = list.find(isLike('idx')) ?? list.find(isLike('type'));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The pattern that the style of a shape takes from the theme, in the colour of the style (section 20.1.4.2.10). */
function styledPattern(shape: XmlElement, styles: XmlElement[]): XmlElement | undefined {
  const [style] = elementsOf(shape, 'style');
  const [reference] = style ? elementsOf(style, 'fillRef') : [];
  const pattern = reference && styles[Number(attributeOf(reference, 'idx')) - 1];
  if (pattern === undefined || !isPattern(pattern)) return undefined;
  const colour = writeXml(reference?.children ?? []);
  const coloured = writeXml([pattern]).replace(/<a:schemeClr val="phClr"\s*\/>/g, colour);
  return elementsOf(parseXml(coloured))[0];
}

const openText =
  /(<a:bodyPr\s[^>]*?wrap="none"[^>]*?)(?:\/>|>((?:(?!<a:bodyPr)[^])*?)<\/a:bodyPr>)/g;
const fitting = /<a:(?:noAutofit|normAutofit|spAutoFit)\b[^>]*\/>/g;

/** A text that does not wrap goes beyond its shape; the renderer would make it as small as the shape. */
function withOpenText(xml: string): string {
  return xml.replace(
    openText,
    (_, start: string, inside = '') =>
      `${start}>${String(inside).replace(fitting, '')}<a:noAutofit/></a:bodyPr>`,
  );
}

const picture = /<p:pic>(?:(?!<p:pic>)[^])*?<\/p:pic>/g;

/** The renderer knows sounds by one of their elements only (sections 20.1.3.2 and 20.1.3.7). */
function withNamedSound(shown: string): string {
  const embedded = /<p14:media\s[^>]*?r:embed="([^"]+)"/.exec(shown)?.[1];
  return shown.replace(
    /<a:(?:wavAudioFile|audioFile)\s[^>]*?r:(?:embed|link)="([^"]+)"[^>]*>(?:<\/a:\w+>)?/,
    (_, id: string) => `<a:audioFile r:link="${embedded ?? id}"/>`,
  );
}
