import {
  attributeOf,
  descendantsOf,
  elementsOf,
  parseXml,
  type XmlElement,
} from '../parts/xml-tree.ts';

/** How a cell looks, beyond its text; colours as `#rrggbb`. */
export interface CellStyle {
  isBold?: true;
  isItalic?: true;
  isStruck?: true;
  color?: string;
  fill?: string;
  hasBorder?: true;
  align?: 'left' | 'center' | 'right';
}

/** The styles of a sheet's cells: by row and column a number, and what it means; 0 for none. */
export interface SheetStyles {
  styles: (CellStyle | undefined)[];
  cells: number[][];
}

/** More of a sheet keeps its values only. */
const most = { characters: 20_000_000, rows: 20_000, columns: 256 } as const;

/** The styles that cells name by their number (ECMA-376, part 1, section 18.8.10); empty if all are plain. */
export function readStyles(stylesXml: string, themeXml: string): (CellStyle | undefined)[] {
  const root = parseXml(stylesXml);
  const first = (name: string) => {
    const [list] = descendantsOf(root, name);
    return list === undefined ? [] : elementsOf(list);
  };
  const colours = themeColours(themeXml);
  const fonts = first('fonts').map((font) => fontStyle(font, colours));
  const fills = first('fills').map((fill) => fillOf(fill, colours));
  const borders = first('borders').map((border) =>
    elementsOf(border).some((side) => (attributeOf(side, 'style') ?? 'none') !== 'none'),
  );
  const styles = first('cellXfs').map((format) => {
    const at = (name: string) => Number(attributeOf(format, name) ?? 0);
    const fill = fills[at('fillId')];
    const align = alignmentOf(format);
    const style: CellStyle = {
      ...fonts[at('fontId')],
      ...(fill !== undefined && { fill }),
      ...(borders[at('borderId')] === true && { hasBorder: true }),
      ...(align !== undefined && { align }),
    };
    return Object.keys(style).length === 0 ? undefined : style;
  });
  return styles.some((style) => style !== undefined) ? styles : [];
}

/** Which style each cell of a worksheet has; `undefined` if none has one. */
export function stylesOfSheet(
  sheetXml: string,
  styles: readonly (CellStyle | undefined)[],
): SheetStyles | undefined {
  if (styles.length === 0 || sheetXml.length > most.characters) return undefined;
  const cells: number[][] = [];
  for (const [, attributes = ''] of sheetXml.matchAll(/<(?:\w+:)?c(\s[^<>]*?)\/?>/g)) {
    const style = Number(/\ss="(\d+)"/.exec(attributes)?.[1]);
    const place = placeOf(attributes);
    if (place === undefined || styles[style] === undefined) continue;
    const { row, column } = place;
    const line = (cells[row] ??= []);
    line[column] = style;
  }
  return cells.length === 0 ? undefined : { styles: [...styles], cells };
}

/** From zero; `undefined` outside of the part of a sheet that has styles. */
function placeOf(attributes: string): { row: number; column: number } | undefined {
  const [, letters = '', number = ''] = /\sr="([A-Z]{1,3})(\d{1,7})"/.exec(attributes) ?? [];
  const place = { row: Number(number) - 1, column: columnOf(letters) };
  const isIn = place.row >= 0 && place.row < most.rows && place.column < most.columns;
  return isIn ? place : undefined;
}

function columnOf(letters: string): number {
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

type Colours = readonly string[];

function isOn(font: XmlElement, name: string): boolean {
  const [flag] = elementsOf(font, name);
  return flag !== undefined && !/^(?:0|false|none)$/.test(attributeOf(flag, 'val') ?? '1');
}

function fontStyle(font: XmlElement, colours: Colours): CellStyle {
  const [colour] = elementsOf(font, 'color');
  const color = colour && colourOf(colour, colours);
  return {
    ...(isOn(font, 'b') && { isBold: true }),
    ...(isOn(font, 'i') && { isItalic: true }),
    ...(isOn(font, 'strike') && { isStruck: true }),
    // Black is the colour of text anyway.
    ...(color !== undefined && color !== '#000000' && { color }),
  };
}

/** The colour of a solid fill; of a pattern, that of its lines is near enough. */
function fillOf(fill: XmlElement, colours: Colours): string | undefined {
  const [pattern] = elementsOf(fill, 'patternFill');
  const [stop] = descendantsOf(fill, 'stop').flatMap((one) => elementsOf(one, 'color'));
  if (pattern === undefined) return stop && colourOf(stop, colours);
  if ((attributeOf(pattern, 'patternType') ?? 'none') === 'none') return undefined;
  const [colour] = [...elementsOf(pattern, 'fgColor'), ...elementsOf(pattern, 'bgColor')];
  return colour && colourOf(colour, colours);
}

function alignmentOf(format: XmlElement): CellStyle['align'] {
  const [alignment] = elementsOf(format, 'alignment');
  const value = alignment && attributeOf(alignment, 'horizontal');
  return value === 'left' || value === 'center' || value === 'right' ? value : undefined;
}

/** Colours 8 to 63 of the old palette (section 18.8.27); the first eight are the same as the next. */
const palette =
  '000000ffffffff000000ff000000ffffff00ff00ff00ffff800000008000000080808000800080008080c0c0c08080809999ff993366ffffccccffff660066ff80800066ccccccff000080ff00ffffff0000ffff800080800000008080' +
  '0000ff00ccffccffffccffccffff9999ccffff99cccc99ffffcc993366ff33cccc99cc00ffcc00ff9900ff6600666699969696003366339966003300333300993300993366333399333333';

function colourOf(element: XmlElement, colours: Colours): string | undefined {
  const rgb = attributeOf(element, 'rgb');
  const theme = attributeOf(element, 'theme');
  const indexed = attributeOf(element, 'indexed');
  const tint = Number(attributeOf(element, 'tint') ?? 0);
  if (rgb !== undefined && /^[\da-f]{6,8}$/i.test(rgb)) return tinted(rgb.slice(-6), tint);
  if (theme !== undefined) {
    const colour = colours[Number(theme)];
    return colour && tinted(colour, tint);
  }
  const index = Number(indexed ?? 64);
  const start = (index < 8 ? index : index - 8) * 6;
  const colour = index < 64 ? palette.slice(start, start + 6) : '';
  return colour === '' ? undefined : tinted(colour, tint);
}

/** Lighter by a positive tint, darker by a negative one (section 18.8.19). */
function tinted(hex: string, tint: number): string {
  const parts = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const changed = parts.map((part) =>
    Math.round(tint < 0 ? part * (1 + tint) : part + (255 - part) * tint),
  );
  return `#${changed.map((part) => Math.min(255, Math.max(0, part)).toString(16).padStart(2, '0')).join('')}`;
}

/** The colours of a theme by the numbers of cells: light and dark ones change places (section 20.1.6.2). */
function themeColours(xml: string): Colours {
  const [scheme] = xml === '' ? [] : descendantsOf(parseXml(xml), 'clrScheme');
  const all = (scheme === undefined ? [] : elementsOf(scheme)).map((slot) => {
    const [colour] = elementsOf(slot);
    return (colour && (attributeOf(colour, 'lastClr') ?? attributeOf(colour, 'val'))) ?? '000000';
  });
  const [dark = '000000', light = 'ffffff', dark2 = '44546a', light2 = 'e7e6e6', ...accents] = all;
  return [light, dark, light2, dark2, ...accents].map((one) =>
    /^[\da-f]{6}$/i.test(one) ? one : '000000',
  );
}
