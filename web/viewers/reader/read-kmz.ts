import { drawOutlines, tableOfPlaces } from '../../text/records/outlines.ts';
import { readKml } from '../../text/records/read-tracks.ts';
import { ViewerError } from '../parts/fetch-file.ts';
import { unpackZipParts } from '../parts/zip-parts.ts';
import { descendantsOf, elementsOf, parseXml, textIn, type XmlElement } from '../parts/xml-tree.ts';
import { pathFrom } from './read-epub.ts';
import { type Block, paragraphOf, type Reading } from './blocks.ts';

const mebibyte = 1024 * 1024;
const limits = { entries: 20_000, bytes: 20 * mebibyte, xmlBytes: 20 * mebibyte } as const;
const photoLimits = { entries: 20_000, bytes: 100 * mebibyte, xmlBytes: 20 * mebibyte } as const;
const most = { rows: 500, characters: 2000, photos: 200 } as const;

/**
 * The places of a KMZ: of its KML at the top, or of the only one that it has (OGC KML 2.3, annex C).
 * @throws ViewerError if it has none, or is too large
 */
export async function readKmz(bytes: Uint8Array<ArrayBuffer>): Promise<Reading> {
  const parts = await unpackZipParts(bytes, limits, (path) => /\.kml$/i.test(path));
  const main = parts.find(({ path }) => !path.includes('/')) ?? parts[0];
  const kml = main === undefined ? '' : new TextDecoder().decode(main.bytes);
  const found = readKml(kml);
  const photos = await photosOf(bytes, kml, main?.path ?? '');
  if (found === undefined || found.places.length + photos.length === 0) {
    throw new ViewerError('The file names no places, or they are on another site.');
  }
  const { title, places } = found;
  const outlines = drawOutlines(places);
  const { heads, rows } = tableOfPlaces(places);
  const cells = [heads, ...rows.slice(0, most.rows)].map((row) =>
    row.map((text) => paragraphOf(text.slice(0, most.characters))),
  );
  const blocks: Block[] = [
    ...(outlines === undefined ? [] : [{ kind: 'drawing', ...outlines } as const]),
    ...(rows.length === 0 ? [] : [{ kind: 'table', rows: cells } as const]),
    ...photos,
  ];
  return {
    title,
    remark: 'This page shows outlines and a table of places, without a map below them.',
    sections: [{ title: '', blocks }],
    isCut: rows.length > most.rows,
  };
}

/** The pictures in the texts of places, and those that lie on the ground or stand in it, each below its name. */
async function photosOf(
  bytes: Uint8Array<ArrayBuffer>,
  kml: string,
  base: string,
): Promise<Block[]> {
  const root = parseXml(kml);
  const things = ['Placemark', 'PhotoOverlay', 'GroundOverlay'].flatMap((name) =>
    descendantsOf(root, name).map((thing) => ({
      name: wordsIn(thing, 'name'),
      paths: hrefsIn(thing).map((href) => pathFrom(base, href)),
    })),
  );
  const wanted = new Set(things.flatMap(({ paths }) => paths).slice(0, most.photos));
  // Without its pictures, a map has its places all the same.
  const parts = await unpackZipParts(bytes, photoLimits, (path) => wanted.has(path)).catch(
    () => [],
  );
  const files = new Map(parts.map((part) => [part.path, part.bytes] as const));
  let left: number = most.photos;
  return things.flatMap(({ name, paths }): Block[] => {
    const pictures = paths.flatMap((path) => files.get(path) ?? []).slice(0, left);
    left -= pictures.length;
    return pictures.flatMap((picture): Block[] => [
      ...paragraphOf(name),
      { kind: 'picture', bytes: picture, words: name },
    ]);
  });
}

const wordsIn = (element: XmlElement, name: string) =>
  elementsOf(element, name)
    .map((one) => textIn(one).trim())
    .join(' ')
    .slice(0, most.characters);

function hrefsIn(thing: XmlElement): string[] {
  const icons = elementsOf(thing, 'Icon').flatMap((icon) => elementsOf(icon, 'href').map(textIn));
  const described = elementsOf(thing, 'description').flatMap((one) =>
    [...textIn(one).matchAll(/<img\b[^<>]*?\ssrc\s*=\s*["']([^"'<>]+)/gi)].map(
      ([, href = '']) => href,
    ),
  );
  return [...icons, ...described].map((href) => href.trim());
}
