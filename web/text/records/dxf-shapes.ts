import { arcPoints, turned } from './drawing.ts';
import type { Position } from './places.ts';
import { type Entity, numberOf, numbersOf, pointOf, pointsOf, radians } from './read-dxf.ts';

const closed = (entity: Entity, points: readonly Position[]): Position[] =>
  (numberOf(entity, 70) & 1) === 1 ? [...points, ...points.slice(0, 1)] : [...points];

/** A line through its corners, or the faces of a mesh, whose last corners name the others by number. */
function vertexLines(line: Entity): Position[][] {
  const { corners } = line;
  const isMesh = (numberOf(line, 70) & 64) === 64;
  if (!isMesh)
    return [
      closed(
        line,
        corners.map((corner) => pointOf(corner)),
      ),
    ];
  const isFace = (corner: Entity) => (numberOf(corner, 70) & 192) === 128;
  const points = corners.filter((corner) => !isFace(corner)).map((corner) => pointOf(corner));
  return corners.filter(isFace).map((face) => {
    const numbers = [71, 72, 73, 74].map((code) => Math.abs(numberOf(face, code)));
    const around = numbers.flatMap((number) => points.slice(number - 1, number));
    return [...around, ...around.slice(0, 1)];
  });
}

/** The lines of one thing, curves as short ones; none for a thing that is no line. */
export function linesOf(entity: Entity): Position[][] {
  return entity.kind === 'POLYLINE' ? vertexLines(entity) : [outlineOf(entity)];
}

function outlineOf(entity: Entity): Position[] {
  const [x, y] = pointOf(entity);
  switch (entity.kind) {
    case 'LINE':
      return [[x, y], pointOf(entity, 11)];
    case 'LWPOLYLINE':
      return bulged(entity);
    case 'CIRCLE':
    case 'ARC': {
      const radius = numberOf(entity, 40);
      const from = radians(numberOf(entity, 50));
      const end = radians(numberOf(entity, 51, 360));
      const turn = 2 * Math.PI;
      const to = entity.kind === 'CIRCLE' ? from + turn : end <= from ? end + turn : end;
      return arcPoints([x, y], [radius, radius], [from, to]);
    }
    case 'ELLIPSE': {
      const [majorX, majorY] = pointOf(entity, 11);
      const long = Math.hypot(majorX, majorY);
      const range = [numberOf(entity, 41), numberOf(entity, 42, 2 * Math.PI)] as const;
      const angle = Math.atan2(majorY, majorX);
      const points = arcPoints([x, y], [long, long * numberOf(entity, 40, 1)], range);
      return points.map((point) => turned(point, [x, y], angle));
    }
    case 'SPLINE':
      return splinePoints(entity);
    case 'SOLID':
    case 'TRACE':
    case '3DFACE':
      return [10, 11, 13, 12, 10].map((code) => pointOf(entity, code));
    default:
      return [];
  }
}

/** Corners of a line, of which some are joined by arcs: a quarter of the angle's tangent is their bulge. */
function bulged(entity: Entity): Position[] {
  const corners: { at: Position; bulge: number }[] = [];
  for (const [code, value] of entity.groups) {
    const last = corners.at(-1);
    if (code === 10) corners.push({ at: [Number(value) || 0, 0], bulge: 0 });
    if (code === 20 && last) last.at = [last.at[0], Number(value) || 0];
    if (code === 42 && last) last.bulge = Number(value) || 0;
  }
  const isClosed = (numberOf(entity, 70) & 1) === 1;
  return corners.flatMap(({ at, bulge }, index) => {
    const next = corners[index + 1] ?? (isClosed ? corners[0] : undefined);
    if (next === undefined) return [at];
    return bulge === 0 ? [at, next.at] : arcBetween(at, next.at, bulge);
  });
}

function arcBetween(from: Position, to: Position, bulge: number): Position[] {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const far = (1 - bulge * bulge) / (4 * bulge);
  const centre: Position = [(from[0] + to[0]) / 2 - dy * far, (from[1] + to[1]) / 2 + dx * far];
  const radius = Math.hypot(from[0] - centre[0], from[1] - centre[1]);
  const start = Math.atan2(from[1] - centre[1], from[0] - centre[0]);
  return arcPoints(centre, [radius, radius], [start, start + 4 * Math.atan(bulge)]);
}

/** A curve by its knots (de Boor's algorithm), or the points that it goes through. */
function splinePoints(entity: Entity): Position[] {
  const through = pointsOf(entity, 11);
  const control = pointsOf(entity).slice(0, 2000);
  const knots = numbersOf(entity, 40);
  const degree = Math.min(numberOf(entity, 71, 3), 5);
  const [from, to] = [knots[degree], knots[control.length]];
  if (from === undefined || to === undefined || knots.length < control.length + degree + 1) {
    return through.length > 1 ? through : control;
  }
  const steps = Math.min(control.length * 8, 2000);
  return Array.from({ length: steps + 1 }, (_, step) =>
    splineAt(from + ((to - from) * step) / steps, degree, control, knots),
  );
}

function splineAt(
  at: number,
  degree: number,
  control: readonly Position[],
  knots: readonly number[],
): Position {
  let span = degree;
  while (span < control.length - 1 && at >= (knots[span + 1] ?? Infinity)) span += 1;
  const points = Array.from({ length: degree + 1 }, (_, index) => control[span - degree + index]);
  for (let level = 1; level <= degree; level += 1) {
    for (let index = degree; index >= level; index -= 1) {
      const low = knots[span - degree + index] ?? 0;
      const high = knots[span + 1 + index - level] ?? 0;
      const part = high === low ? 0 : (at - low) / (high - low);
      const [a = [0, 0], b = [0, 0]] = [points[index - 1], points[index]];
      points[index] = [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part];
    }
  }
  return points[degree] ?? [0, 0];
}
