import type { ZipPart } from './zip-parts.ts';

const elementNames = ['pic', 'graphic'] as const;

/** What docx-preview reads of a picture; without one of them it would give up the whole document. */
const needed = {
  pic: [/<(?:\w+:)?blipFill[\s>]/, /<(?:\w+:)?blip[\s/>]/, /<(?:\w+:)?spPr[\s/>]/],
  graphic: [/<(?:\w+:)?graphicData[\s/>]/],
} as const;

/** A document without pictures that its reader would fail on (ECMA-376, part 1, sections 20.1.2.2 and 20.2.2). */
export function withoutBrokenPictures(part: ZipPart): ZipPart {
  if (!/^word\/[^/]*\.xml$/.test(part.path)) return part;
  const text = new TextDecoder().decode(part.bytes);
  const repaired = elementNames.reduce(
    (xml, name) =>
      xml.replace(elementPattern(name), (element) =>
        needed[name].every((inside) => inside.test(element)) ? element : '',
      ),
    text,
  );
  return repaired === text ? part : { ...part, bytes: new TextEncoder().encode(repaired) };
}

/** An element with its content; pictures hold no pictures. */
function elementPattern(name: string): RegExp {
  return new RegExp(
    `<((?:\\w+:)?)${name}(?:\\s[^<>]*)?(?:/>|>[^]{0,20000}?</\\1${name}\\s*>)`,
    'g',
  );
}
