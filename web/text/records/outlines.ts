import type { Place, Position } from './places.ts';

/** CSS pixels of the paper, and points that a picture has at most. */
const paper = { width: 800, most: 900, margin: 12 } as const;
const mostPoints = 40_000;
const mostLines = 20_000;

/** A drawing of places. No word of a file is in it. */
export interface Outlines {
  svg: string;
  width: number;
  height: number;
  /** For those who do not see it. */
  words: string;
}

/**
 * The places as a picture on plain paper, with the same scale to the north and to the east in its middle;
 * `undefined` if none has a position. No map lies below: its tiles would come from another site.
 */
export function drawOutlines(places: readonly Place[]): Outlines | undefined {
  const lines = places
    .flatMap(({ kind, lines: all }) => all.map((line) => ({ kind, line })))
    .slice(0, mostLines);
  const positions = lines.flatMap(({ line }) => line);
  // Surveyors count metres from a place of their country.
  const isFlat = !positions.some(isOnEarth);
  const isDrawn = isFlat ? isNear : isOnEarth;
  const all = positions.filter(isDrawn);
  if (all.length === 0) return undefined;
  const box = boundsOf(all);
  const narrow = isFlat ? 1 : Math.cos((((box.south + box.north) / 2) * Math.PI) / 180) || 1;
  const wide = Math.max((box.east - box.west) * narrow, 1e-9);
  const high = Math.max(box.north - box.south, 1e-9);
  const scale = Math.min(paper.width / wide, paper.most / high, 1e7);
  const step = Math.max(1, Math.ceil(all.length / mostPoints));
  const at = ([longitude, latitude]: Position) =>
    `${((longitude - box.west) * narrow * scale + paper.margin).toFixed(1)},${((box.north - latitude) * scale + paper.margin).toFixed(1)}`;
  const shapes = lines.map(({ kind, line }) =>
    shapeOf(kind, thinned(line.filter(isDrawn), step).map(at)),
  );
  const size = [wide, high].map((side) => Math.ceil(side * scale + 2 * paper.margin));
  const [width = 1, height = 1] = size.map((side) => Math.max(side, 40));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="#fff"/><g fill="none" stroke="#17616d" stroke-width="1.5" stroke-linejoin="round">${shapes.join('')}</g></svg>`;
  const count = places.length === 1 ? 'one place' : `${places.length} places`;
  return { svg, width, height, words: `Outlines of ${count}, north at the top` };
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
  return line.filter((_, index) => index % step === 0 || index === line.length - 1);
}

function isNear([east, north]: Position): boolean {
  return Math.abs(east) < 1e9 && Math.abs(north) < 1e9;
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

/** Names, kinds and properties of places, for a table. */
export function tableOfPlaces(places: readonly Place[]): { heads: string[]; rows: string[][] } {
  const names = propertyNames(places);
  const rows = places.map(({ name, kind, properties }) => [
    name,
    kind,
    ...names.map((key) => properties[key] ?? ''),
  ]);
  return { heads: ['Name', 'Kind', ...names], rows };
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
