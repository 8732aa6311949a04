import { drawOutlines } from './draw-outlines.ts';
import { readGeoJson, readTopoJson } from './read-geojson.ts';
import type { Place, Places } from './places.ts';
import { readGpx, readKml } from './read-tracks.ts';
import { shownText, tableMarkup } from './record-table.ts';

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
