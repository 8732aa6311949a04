import type { SymbolFonts } from './symbol-fonts.ts';
import { decodeXml, escapeXml } from './xml-tree.ts';
import type { ZipPart } from './zip-parts.ts';

const bullet = /(<a:buFont\s[^<>]*)(>(?:<\/a:buFont>)?\s*<a:buChar\s+char=")([^"<>]*)"/g;
const run = /<a:r>(?:(?!<a:r>)[^])*?<\/a:r>/g;
const text = /(<a:t>)([^<]*)(<\/a:t>)/;

/**
 * A slide, or what it takes its placeholders from, whose bullets and symbols are characters that every device has (ECMA-376, part 1,
 * sections 21.1.2.4.3 and 21.1.2.3.10).
 */
export function withMappedSlideSymbols(part: ZipPart, fonts: SymbolFonts): ZipPart {
  const xml = new TextDecoder().decode(part.bytes);
  const mapped = xml
    .replace(bullet, (whole, start: string, between: string, character: string) => {
      const font = typefaceOf(start);
      if (!fonts.isSymbolFont(font)) return whole;
      const shown = escapeXml(fonts.symbolsIn(decodeXml(character), font));
      return `${start.replace(typeface, ' typeface="Arial"')}${between}${shown}"`;
    })
    .replace(run, (whole) => mappedRun(whole, fonts));
  return { ...part, bytes: new TextEncoder().encode(mapped) };
}

const typeface = /\stypeface="([^"<>]*)"/;

const typefaceOf = (tag = '') => typeface.exec(tag)?.[1];

/** `latin` is the font of all letters, `sym` only that of symbols in the private use area. */
function mappedRun(whole: string, { isSymbolFont, symbolsIn }: SymbolFonts): string {
  const latin = typefaceOf(/<a:latin\s[^<>]*>/.exec(whole)?.[0]);
  const symbols = typefaceOf(/<a:sym\s[^<>]*>/.exec(whole)?.[0]);
  const isPrivate = /[\uF000-\uF0FF]/.test(whole);
  if (!isSymbolFont(latin) && !isPrivate) return whole;
  const font = isSymbolFont(latin) ? latin : undefined;
  return whole
    .replace(text, (_, start: string, characters: string, end: string) => {
      const known = decodeXml(characters).replace(/[\uF000-\uF0FF]+/g, (one) =>
        symbolsIn(one, font ?? symbols),
      );
      return (
        start + escapeXml(font === undefined ? known : symbolsIn(decodeXml(characters), font)) + end
      );
    })
    .replace(/<a:latin\s[^<>]*\/>/gi, (tag) =>
      /\stypeface="(?:Symbol|Wingdings|Webdings)/i.test(tag) ? '' : tag,
    );
}
