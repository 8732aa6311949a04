import {
  attributeOf,
  descendantsOf,
  elementsOf,
  localName,
  parseXml,
  textIn,
  type XmlElement,
} from '../../viewers/parts/xml-tree.ts';
import type { Place, Places, Position } from './places.ts';

function textOf(element: XmlElement, name: string): string {
  const [child] = elementsOf(element, name);
  return child === undefined ? '' : textIn(child).trim();
}

/** The placemarks of a KML (OGC KML 2.3, section 9.11). */
export function readKml(text: string): Places | undefined {
  const root = parseXml(text);
  const [document] = descendantsOf(root, 'Document');
  const places = descendantsOf(root, 'Placemark').map((mark): Place => {
    const areas = descendantsOf(mark, 'LinearRing');
    const lines = [...areas, ...descendantsOf(mark, 'LineString'), ...descendantsOf(mark, 'Point')];
    const tracks = descendantsOf(mark, 'Track').map((track) =>
      elementsOf(track, 'coord').flatMap((one) =>
        positionsIn(textIn(one).trim().replace(/\s+/g, ',')),
      ),
    );
    const kind =
      areas.length > 0
        ? 'Area'
        : lines.length > 0 && localName(lines[0] ?? mark) === 'Point'
          ? 'Point'
          : 'Line';
    const data = [...descendantsOf(mark, 'Data'), ...descendantsOf(mark, 'SimpleData')].map(
      (one) => [attributeOf(one, 'name') ?? '', textIn(one).trim()] as const,
    );
    const description = textOf(mark, 'description')
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    return {
      name: textOf(mark, 'name'),
      kind,
      properties: Object.fromEntries([
        ...(description === '' ? [] : [['Description', description] as const]),
        ...data,
      ]),
      lines: [...lines.map((line) => positionsIn(textOf(line, 'coordinates'))), ...tracks],
    };
  });
  return { title: document && textOf(document, 'name'), places };
}

/** Longitude, latitude and perhaps height, separated by commas; the next one behind a space. */
function positionsIn(text: string): Position[] {
  return text.split(/\s+/).flatMap((tuple): Position[] => {
    const [longitude = Number.NaN, latitude = Number.NaN] = tuple.split(',').map(Number);
    return Number.isFinite(longitude) && Number.isFinite(latitude) && tuple.includes(',')
      ? [[longitude, latitude]]
      : [];
  });
}

/** The waypoints, routes and tracks of a GPX (GPX 1.1 schema). */
export function readGpx(text: string): Places | undefined {
  const root = parseXml(text);
  const points = descendantsOf(root, 'wpt').map((point) =>
    gpxPlace(point, 'Point', [pointsIn([point])]),
  );
  const routes = descendantsOf(root, 'rte').map((route) =>
    gpxPlace(route, 'Line', [pointsIn(elementsOf(route, 'rtept'))]),
  );
  const tracks = descendantsOf(root, 'trk').map((track) =>
    gpxPlace(
      track,
      'Line',
      elementsOf(track, 'trkseg').map((part) => pointsIn(elementsOf(part, 'trkpt'))),
    ),
  );
  const [metadata] = descendantsOf(root, 'metadata');
  return { title: metadata && textOf(metadata, 'name'), places: [...tracks, ...routes, ...points] };
}

/** The activities of a sports watch (Garmin Training Center Database, version 2). */
export function readTcx(text: string): Places {
  const root = parseXml(text);
  const activities = [...descendantsOf(root, 'Activity'), ...descendantsOf(root, 'Course')];
  const places = activities.map((activity): Place => {
    const lines = descendantsOf(activity, 'Track').map((track) =>
      descendantsOf(track, 'Position').flatMap((position) =>
        positionsIn(
          `${textOf(position, 'LongitudeDegrees')},${textOf(position, 'LatitudeDegrees')}`,
        ),
      ),
    );
    const name = textOf(activity, 'Name') || (attributeOf(activity, 'Sport') ?? '');
    const started = textOf(activity, 'Id');
    const properties = { ...lengthIn(lines), ...(started !== '' && { Started: started }) };
    return { name, kind: 'Line', properties, lines };
  });
  return { places };
}

function lengthIn(lines: readonly Position[][]): Record<string, string> {
  const metres = lines.reduce((sum, line) => sum + lengthOf(line), 0);
  return metres === 0 ? {} : { Length: `${(metres / 1000).toFixed(1)} km` };
}

function gpxPlace(element: XmlElement, kind: string, lines: readonly Position[][]): Place {
  const words = ['desc', 'cmt', 'time', 'ele', 'sym', 'type'].flatMap((name) => {
    const text = textOf(element, name);
    return text === '' ? [] : [[name === 'ele' ? 'Height (m)' : name, text] as const];
  });
  return {
    name: textOf(element, 'name'),
    kind,
    properties: { ...lengthIn(lines), ...Object.fromEntries(words) },
    lines,
  };
}

function pointsIn(elements: readonly XmlElement[]): Position[] {
  return elements.flatMap((element): Position[] => {
    const [longitude, latitude] = ['lon', 'lat'].map((name) =>
      Number(attributeOf(element, name) ?? Number.NaN),
    );
    return Number.isFinite(longitude) && Number.isFinite(latitude)
      ? [[longitude ?? 0, latitude ?? 0]]
      : [];
  });
}

const earthMetres = 6_371_000;

/** Along great circles (haversine formula). */
function lengthOf(line: readonly Position[]): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  return line.slice(1).reduce((sum, [longitude, latitude], index) => {
    const [before, beside] = line[index] ?? [longitude, latitude];
    const north = Math.sin(radians(latitude - beside) / 2) ** 2;
    const east = Math.sin(radians(longitude - before) / 2) ** 2;
    const chord = north + Math.cos(radians(latitude)) * Math.cos(radians(beside)) * east;
    return sum + 2 * earthMetres * Math.asin(Math.min(1, Math.sqrt(chord)));
  }, 0);
}
