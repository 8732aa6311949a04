import type { SymbolFonts } from '../parts/symbol-fonts.ts';
import {
  attributeOf,
  decodeXml,
  elementsOf,
  escapeXml,
  localName,
  parseXml,
  writeXml,
  type XmlElement,
} from '../parts/xml-tree.ts';

/** The font of a run or of a list's level (ECMA-376, part 1, section 17.3.2.26). */
function fontOf(element: XmlElement): string | undefined {
  const [fonts] = elementsOf(element, 'rPr').flatMap((properties) =>
    elementsOf(properties, 'rFonts'),
  );
  return fonts && (attributeOf(fonts, 'ascii') ?? attributeOf(fonts, 'hAnsi'));
}

/** Characters of Unicode have to be in another font than the symbols. */
function withoutFont(element: XmlElement): XmlElement {
  const children = element.children.map((child) =>
    typeof child !== 'string' && localName(child) === 'rPr'
      ? {
          ...child,
          children: child.children.filter(
            (one) => typeof one === 'string' || localName(one) !== 'rFonts',
          ),
        }
      : child,
  );
  return { ...element, children };
}

/** A run whose symbols are characters of Unicode. */
export function withMappedSymbols(run: XmlElement, fonts: SymbolFonts): XmlElement {
  const font = fontOf(run);
  const children = run.children.map((child) => {
    if (typeof child === 'string' || localName(child) !== 't') return child;
    const texts = child.children.map((text) =>
      typeof text === 'string' ? escapeXml(fonts.symbolsIn(decodeXml(text), font)) : text,
    );
    return { ...child, children: texts };
  });
  const mapped = { ...run, children };
  return fonts.isSymbolFont(font) ? withoutFont(mapped) : mapped;
}

/** The character of a symbol (section 17.3.3.30). */
export function writtenSymbol(symbol: XmlElement, fonts: SymbolFonts): string {
  const code = Number.parseInt(attributeOf(symbol, 'char') ?? '', 16);
  return Number.isNaN(code)
    ? ''
    : fonts.symbolsIn(String.fromCodePoint(code), attributeOf(symbol, 'font'));
}

/** The levels of lists with bullets that every device has (section 17.9.11). */
export function withMappedBullets(xml: string, fonts: SymbolFonts): string {
  const head = /^\s*<\?xml[^<>]*\?>/.exec(xml)?.[0] ?? '';
  return head + writeXml([mapLevels(parseXml(xml), fonts)]);
}

function mapLevels(element: XmlElement, fonts: SymbolFonts): XmlElement {
  if (localName(element) !== 'lvl') {
    const children = element.children.map((child) =>
      typeof child === 'string' ? child : mapLevels(child, fonts),
    );
    return { ...element, children };
  }
  const font = fontOf(element);
  const children = element.children.map((child) => {
    if (typeof child === 'string' || localName(child) !== 'lvlText') return child;
    const text = attributeOf(child, 'val') ?? '';
    // Numbers are written as `%1`.
    const shown = text.includes('%') ? text : fonts.symbolsIn(text, font);
    const prefix = child.name.slice(0, -'lvlText'.length);
    return { ...child, attributes: ` ${prefix}val="${escapeXml(shown)}"` };
  });
  const mapped = { ...element, children };
  return fonts.isSymbolFont(font) ? withoutFont(mapped) : mapped;
}
