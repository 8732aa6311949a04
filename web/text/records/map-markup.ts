import type { Place, Places, Position } from './places.ts';
import { readGpx, readKml } from './read-tracks.ts';
import { shownText, tableMarkup } from './record-table.ts';
import { valueText } from './json-lines-markup.ts';

/** CSS pixels of the paper, and points that a picture has at most. */
const paper = { width: 800, most: 900, margin: 12 } as const;
const mostPoints = 40_000;

/** The places as a picture with the same scale to the north and to the east in its middle. */
function drawOutlines(places: readonly Place[], words: string): string {
  const lines = places.flatMap(({ kind, lines: all }) => all.map((line) => ({ kind, line })));
  const all = lines.flatMap(({ line }) => line).filter(isOnEarth);
  if (all.length === 0) return '';
  const box = boundsOf(all);
  const narrow = Math.cos((((box.south + box.north) / 2) * Math.PI) / 180) || 1;
  const wide = Math.max((box.east - box.west) * narrow, 1e-9);
  const high = Math.max(box.north - box.south, 1e-9);
  const scale = Math.min(paper.width / wide, paper.most / high, 1e7);
  const step = Math.max(1, Math.ceil(all.length / mostPoints));
  const at = ([longitude, latitude]: Position) =>
    `${((longitude - box.west) * narrow * scale + paper.margin).toFixed(1)},${((box.north - latitude) * scale + paper.margin).toFixed(1)}`;
  const shapes = lines.map(({ kind, line }) => shapeOf(kind, thinned(line, step).map(at)));
  const size = [wide, high].map((side) => Math.ceil(side * scale + 2 * paper.margin));
  const [width = 1, height = 1] = size.map((side) => Math.max(side, 40));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="#fff"/><g fill="none" stroke="#17616d" stroke-width="1.5" stroke-linejoin="round">${shapes.join('')}</g></svg>`;
  return `<p class="output"><img src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}" alt="${words}" width="${width}" height="${height}"></p>`;
}

function shapeOf(kind: string, points: readonly string[]): string {
  const [first = '0,0'] = points;
  const [x, y] = first.split(',');
  if (points.length < 2) return `<circle cx="${x}" cy="${y}" r="4" fill="#b3361a" stroke="#fff"/>`;
  return kind === 'Area'
    ? `<polygon points="${points.join(' ')}" fill="#17616d22"/>`
    : `<polyline points="${points.join(' ')}"/>`;
}

/** Every so many points of a long line, and its last one. */
function thinned(line: readonly Position[], step: number): Position[] {
  return line.filter(
    (position, index) => isOnEarth(position) && (index % step === 0 || index === line.length - 1),
  );
}

function isOnEarth([longitude, latitude]: Position): boolean {
  return Math.abs(longitude) <= 720 && Math.abs(latitude) <= 90;
}

function boundsOf(positions: readonly Position[]) {
  const box = { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity };
  for (const [longitude, latitude] of positions) {
    box.west = Math.min(box.west, longitude);
    box.east = Math.max(box.east, longitude);
    box.south = Math.min(box.south, latitude);
    box.north = Math.max(box.north, latitude);
  }
  return box;
}

const mostColumns = 8;

/**
 * GeoJSON, TopoJSON, KML or GPX as outlines on plain paper and a table of its places; `undefined` if it has
 * none. No map lies below: its tiles would come from another site.
 */
export function mapMarkup(text: string): string | undefined {
  const found = readPlaces(text);
  if (found === undefined || found.places.length === 0) return undefined;
  const { title, places } = found;
  const names = propertyNames(places);
  const rows = places.map(({ name, kind, properties }) => [
    name,
    kind,
    ...names.map((key) => properties[key] ?? ''),
  ]);
  const count = places.length === 1 ? 'one place' : `${places.length} places`;
  return [
    title === undefined || title === '' ? '' : `<h1>${shownText(title, 300)}</h1>`,
    drawOutlines(places, `Outlines of ${count}, north at the top`),
    tableMarkup(['Name', 'Kind', ...names], rows),
  ].join('\n');
}

function readPlaces(text: string): Places | undefined {
  try {
    const start = text.trimStart();
    if (!start.startsWith('<')) {
      const value: unknown = JSON.parse(start);
      return readTopoJson(value) ?? readGeoJson(value);
    }
    return /<(?:\w+:)?gpx[\s>]/.test(start.slice(0, 5000)) ? readGpx(text) : readKml(text);
  } catch {
    // Neither JSON nor XML of this kind: it is shown as text.
    return undefined;
  }
}

/** The names that most places have. */
function propertyNames(places: readonly Place[]): string[] {
  const counts = new Map<string, number>();
  for (const { properties } of places.slice(0, 2000)) {
    for (const name of Object.keys(properties)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostColumns)
    .map(([name]) => name);
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

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
  if (!isFields(value)) return undefined;
  const features = value['type'] === 'FeatureCollection' ? listOf(value['features']) : [value];
  const places = features.filter(isFields).flatMap((feature) => {
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
  if (!isFields(value) || value['type'] !== 'Topology' || !isFields(value['objects']))
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
    .filter(isFields)
    .flatMap((object) =>
      object['type'] === 'GeometryCollection' ? listOf(object['geometries']) : [object],
    )
    .filter(isFields)
    .flatMap((geometry) => placeOf(geometry['properties'], geometry, lines));
  return { places };
}

function placeOf(
  properties: unknown,
  geometry: unknown,
  lines: (geometry: Fields) => readonly (readonly Position[])[],
): Place[] {
  if (!isFields(geometry)) return [];
  const parts =
    geometry['type'] === 'GeometryCollection'
      ? listOf(geometry['geometries']).filter(isFields)
      : [geometry];
  const [first] = parts;
  const kind = kinds[String(first?.['type'])];
  if (kind === undefined) return [];
  const words = isFields(properties)
    ? Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, valueText(one)]))
    : {};
  const [nameKey] = Object.keys(words).filter((key) => /^(?:name|title|label|id)$/i.test(key));
  const name = nameKey === undefined ? '' : (words[nameKey] ?? '');
  const others = Object.fromEntries(Object.entries(words).filter(([key]) => key !== nameKey));
  return [{ name, kind, properties: others, lines: parts.flatMap((part) => lines(part)) }];
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
  if (!isFields(transform)) return positions;
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
