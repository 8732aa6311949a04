import { isRecord, listOf } from '../../../core/json.ts';
import { drawOutlines, type Outlines, tableOfPlaces } from './outlines.ts';
import type { Place, Places, Position } from './places.ts';
import { readGpx, readKml, readTcx } from './read-tracks.ts';
import { shownText, tableMarkup } from './record-table.ts';
import { valueText } from './json-lines-markup.ts';

/**
 * GeoJSON, TopoJSON, KML or GPX as outlines on plain paper and a table of its places; `undefined` if it has
 * none.
 */
export function mapMarkup(text: string): string | undefined {
  const found = readPlaces(text);
  if (found === undefined || found.places.length === 0) return undefined;
  const { title, places } = found;
  const outlines = drawOutlines(places);
  const { heads, rows } = tableOfPlaces(places);
  return [
    title === undefined || title === '' ? '' : `<h1>${shownText(title, 300)}</h1>`,
    outlines === undefined ? '' : imageMarkup(outlines),
    tableMarkup(heads, rows),
  ].join('\n');
}

function imageMarkup({ svg, width, height, words }: Outlines): string {
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  return `<p class="output"><img src="${source}" alt="${words}" width="${width}" height="${height}"></p>`;
}

function readPlaces(text: string): Places | undefined {
  try {
    const start = text.trimStart();
    if (!start.startsWith('<')) {
      const value: unknown = JSON.parse(start);
      return readTopoJson(value) ?? readGeoJson(value);
    }
    const head = start.slice(0, 5000);
    if (/<TrainingCenterDatabase[\s>]/.test(head)) return readTcx(text);
    return /<(?:\w+:)?gpx[\s>]/.test(head) ? readGpx(text) : readKml(text);
  } catch {
    // Neither JSON nor XML of this kind: it is shown as text.
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

const kinds: Readonly<Record<string, string>> = {
  Point: 'Point',
  MultiPoint: 'Point',
  LineString: 'Line',
  MultiLineString: 'Line',
  Polygon: 'Area',
  MultiPolygon: 'Area',
};

/** The features of a GeoJSON (RFC 7946), of which a geometry alone is one too. */
function readGeoJson(value: unknown): Places | undefined {
  if (!isRecord(value)) return undefined;
  const features = value['type'] === 'FeatureCollection' ? listOf(value['features']) : [value];
  const places = features.filter(isRecord).flatMap((feature) => {
    const geometry = feature['type'] === 'Feature' ? feature['geometry'] : feature;
    return placeOf(feature['properties'], geometry, linesOf);
  });
  const { name } = value;
  return { title: typeof name === 'string' ? name : undefined, places };
}

/** Two neighbours share an arc. A file that repeats its arcs more often than any real one is none. */
const mostPositions = 1_000_000;

/**
 * The objects of a TopoJSON, whose lines are arcs that neighbours share (TopoJSON 1.0, section 2.1.4).
 * @throws RangeError where its lines have more than {@link mostPositions}
 */
function readTopoJson(value: unknown): Places | undefined {
  if (!isRecord(value) || value['type'] !== 'Topology' || !isRecord(value['objects']))
    return undefined;
  const arcs = listOf(value['arcs']).map((arc) => arcOf(arc, value['transform']));
  let room = mostPositions;
  const arcAt = (index: number): readonly Position[] => {
    const arc = (index < 0 ? arcs[-index - 1] : arcs[index]) ?? [];
    room -= arc.length;
    if (room < 0) throw new RangeError(`more than ${mostPositions} positions`);
    return index < 0 ? arc.toReversed() : arc;
  };
  const lines = (geometry: Fields) =>
    geometry['arcs'] === undefined ? linesOf(geometry) : arcLines(geometry['arcs'], arcAt);
  const places = Object.values(value['objects'])
    .filter(isRecord)
    .flatMap((object) =>
      object['type'] === 'GeometryCollection' ? listOf(object['geometries']) : [object],
    )
    .filter(isRecord)
    .flatMap((geometry) => placeOf(geometry['properties'], geometry, lines));
  return { places };
}

function placeOf(
  properties: unknown,
  geometry: unknown,
  lines: (geometry: Fields) => readonly (readonly Position[])[],
): Place[] {
  // A feature may be nowhere (RFC 7946, section 3.2).
  if (!isRecord(geometry) && !isRecord(properties)) return [];
  const where = isRecord(geometry) ? geometry : {};
  const parts =
    where['type'] === 'GeometryCollection' ? listOf(where['geometries']).filter(isRecord) : [where];
  const [first] = parts;
  const kind = isRecord(geometry) ? kinds[String(first?.['type'])] : '';
  if (kind === undefined) return [];
  const words = isRecord(properties)
    ? Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, valueText(one)]))
    : {};
  const [nameKey] = Object.keys(words).filter((key) => /^(?:name|title|label|id)$/i.test(key));
  const name = nameKey === undefined ? '' : (words[nameKey] ?? '');
  const others = Object.fromEntries(Object.entries(words).filter(([key]) => key !== nameKey));
  return [
    {
      name,
      kind,
      properties: others,
      lines: kind === '' ? [] : parts.flatMap((part) => lines(part)),
    },
  ];
}

function linesOf({ type, coordinates }: Fields): Position[][] {
  if (type === 'Point') return [positionsIn([coordinates])];
  if (type === 'MultiPoint') return positionsIn(coordinates).map((position) => [position]);
  if (type === 'LineString') return [positionsIn(coordinates)];
  if (type === 'MultiPolygon')
    return listOf(coordinates).flatMap((area) => listOf(area).map(positionsIn));
  return listOf(coordinates).map(positionsIn);
}

function positionsIn(value: unknown): Position[] {
  return listOf(value).flatMap((one): Position[] => {
    const [longitude, latitude] = listOf(one);
    return typeof longitude === 'number' && typeof latitude === 'number'
      ? [[longitude, latitude]]
      : [];
  });
}

/** With a transform, each position is a step from the one before. */
function arcOf(arc: unknown, transform: unknown): Position[] {
  const positions = positionsIn(arc);
  if (!isRecord(transform)) return positions;
  const [[scaleX, scaleY] = [1, 1]] = positionsIn([transform['scale']]);
  const [[fromX, fromY] = [0, 0]] = positionsIn([transform['translate']]);
  let [x, y] = [0, 0];
  return positions.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scaleX + fromX, y * scaleY + fromY];
  });
}

/** Numbers of arcs, a negative one for an arc in the other direction; nested for areas. */
function arcLines(value: unknown, arcAt: (index: number) => readonly Position[]): Position[][] {
  const list = listOf(value);
  if (list.some(Array.isArray)) return list.flatMap((inner) => arcLines(inner, arcAt));
  const line = list.flatMap((index) => (typeof index === 'number' ? arcAt(index) : []));
  return line.length === 0 ? [] : [line];
}
