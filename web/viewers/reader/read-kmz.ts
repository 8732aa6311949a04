import { drawOutlines, tableOfPlaces } from '../../text/records/outlines.ts';
import { readKml } from '../../text/records/read-tracks.ts';
import { ViewerError } from '../parts/fetch-file.ts';
import { unpackZipParts } from '../parts/zip-parts.ts';
import { type Block, paragraphOf, type Reading } from './blocks.ts';

const mebibyte = 1024 * 1024;
const limits = { entries: 20_000, bytes: 20 * mebibyte, xmlBytes: 20 * mebibyte } as const;
const most = { rows: 500, characters: 2000 } as const;

/**
 * The places of a KMZ: of its KML at the top, or of the only one that it has (OGC KML 2.3, annex C).
 * @throws ViewerError if it has none, or is too large
 */
export async function readKmz(bytes: Uint8Array<ArrayBuffer>): Promise<Reading> {
  const parts = await unpackZipParts(bytes, limits, (path) => /\.kml$/i.test(path));
  const main = parts.find(({ path }) => !path.includes('/')) ?? parts[0];
  const found = main && readKml(new TextDecoder().decode(main.bytes));
  if (found === undefined || found.places.length === 0) {
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
    { kind: 'table', rows: cells },
  ];
  return {
    title,
    remark: 'This page shows outlines and a table of places, without a map below them.',
    sections: [{ title: '', blocks }],
    isCut: rows.length > most.rows,
  };
}
