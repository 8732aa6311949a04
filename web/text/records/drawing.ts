import type { Position } from './places.ts';
import { shownText } from './record-table.ts';

/** A line or an area of a drawing, y downwards. */
export interface Outline {
  points: readonly Position[];
  stroke?: string | undefined;
  fill?: string | undefined;
  width?: number | undefined;
  dash?: string | undefined;
}

/** Words in a drawing: where their first line begins, ends or has its middle. */
export interface Label {
  at: Position;
  lines: readonly string[];
  size: number;
  colour?: string | undefined;
  anchor?: 'start' | 'middle' | 'end' | undefined;
  /** Degrees, clockwise. */
  turn?: number | undefined;
}

/** A picture that stands in a drawing. */
export interface DrawnPicture {
  at: Position;
  size: Position;
  /** A data URL. */
  href: string;
}

export interface Drawing {
  outlines: Outline[];
  labels: Label[];
  pictures: DrawnPicture[];
}

/** A drawing that has more is not drawn. */
export const mostDrawn = { points: 60_000, labels: 5000 } as const;
const most = { words: 300, pictureCharacters: 800_000 } as const;
const paper = { width: 1200, height: 1600, margin: 16 } as const;
const lineHeight = 1.25;

/**
 * A drawing as a picture, with its words below it; `undefined` for an empty or a very large one.
 * @param mostScale how much it may be enlarged: what is measured in pixels keeps its size
 */
export function drawingMarkup(drawing: Drawing, mostScale: number): string | undefined {
  const { outlines, labels, pictures } = drawing;
  const corners = [
    ...outlines.flatMap(({ points }) => points),
    ...labels.flatMap(cornersOf),
    ...pictures.flatMap(({ at: [x, y], size: [wide, high] }): Position[] => [
      [x, y],
      [x + wide, y + high],
    ]),
  ].filter((corner) => corner.every(Number.isFinite));
  const isLarge = corners.length > mostDrawn.points || labels.length > mostDrawn.labels;
  if (corners.length === 0 || isLarge) return undefined;
  const svg = writeSvg(drawing, corners, mostScale);
  const words = labels.map(({ lines }) => lines.join(' ').trim()).filter((line) => line !== '');
  const items = words.slice(0, most.words).map((line) => `<li>${shownText(line, 500)}</li>`);
  return [
    `<p class="output"><img src="data:image/svg+xml;base64,${Buffer.from(svg.text).toString('base64')}" alt="Drawing${items.length > 0 ? '; its words are below' : ''}" width="${svg.width}" height="${svg.height}"></p>`,
    ...(items.length > 0
      ? [`<details><summary>Words in the drawing</summary><ul>${items.join('')}</ul></details>`]
      : []),
  ].join('\n');
}

function cornersOf({ at: [x, y], lines, size, anchor = 'start' }: Label): Position[] {
  const wide = Math.max(0, ...lines.map(({ length }) => length)) * size * 0.55;
  const left = x - { start: 0, middle: wide / 2, end: wide }[anchor];
  return [
    [left, y - size],
    [left + wide, y + size * lineHeight * (lines.length - 1)],
  ];
}

function writeSvg(
  { outlines, labels, pictures }: Drawing,
  corners: readonly Position[],
  mostScale: number,
) {
  const bounds = (axis: 0 | 1): [number, number] => {
    let [low, high] = [Infinity, -Infinity];
    for (const corner of corners)
      [low, high] = [Math.min(low, corner[axis]), Math.max(high, corner[axis])];
    return [low, high];
  };
  const [[west, east], [north, south]] = [bounds(0), bounds(1)];
  const scale = Math.min(
    paper.width / Math.max(east - west, 1e-9),
    paper.height / Math.max(south - north, 1e-9),
    mostScale,
  );
  const xy = ([x, y]: Position): [string, string] => [
    ((x - west) * scale + paper.margin).toFixed(1),
    ((y - north) * scale + paper.margin).toFixed(1),
  ];
  const [width, height] = [east - west, south - north].map((side) =>
    Math.max(40, Math.ceil(side * scale + 2 * paper.margin)),
  );
  let room: number = most.pictureCharacters;
  const shapes = [
    ...pictures.map(({ at, size: [wide, high], href }) => {
      room -= href.length;
      const [x, y] = xy(at);
      return room < 0
        ? ''
        : `<image x="${x}" y="${y}" width="${wide * scale}" height="${high * scale}" href="${href}"/>`;
    }),
    ...outlines.map(
      ({ points, stroke = ink, fill = 'none', width: pen = 1, dash = '' }) =>
        `<path d="M${points.map((point) => xy(point).join(' ')).join('L')}${fill === 'none' ? '' : 'Z'}" stroke="${colourOf(stroke)}" fill="${colourOf(fill)}" stroke-width="${pen}"${dash && ` stroke-dasharray="${dash}"`}/>`,
    ),
    ...labels.map((label) => labelSvg(label, xy(label.at), scale)),
  ];
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="#fff"/><g stroke-linejoin="round" stroke-linecap="round" font-family="sans-serif">${shapes.join('')}</g></svg>`;
  return { text, width, height };
}

function labelSvg(label: Label, [x, y]: [string, string], scale: number): string {
  const { lines, size, colour = ink, anchor = 'start', turn = 0 } = label;
  const turned = turn === 0 ? '' : ` transform="rotate(${turn.toFixed(1)} ${x} ${y})"`;
  const rows = lines.map(
    (line, row) =>
      `<tspan x="${x}" dy="${row === 0 ? 0 : (size * lineHeight * scale).toFixed(1)}">${shownText(line.replace(/\p{Cc}/gu, ' '), 500)}</tspan>`,
  );
  return `<text y="${y}" font-size="${(size * scale).toFixed(1)}" fill="${colourOf(colour)}" text-anchor="${anchor}"${turned}>${rows.join('')}</text>`;
}

const ink = '#1e1e1e';

/** Colours come from strangers' files: others than those of CSS by name or number are ink. */
function colourOf(colour: string): string {
  if (colour === 'transparent') return 'none';
  return /^(?:#[\da-f]{3,8}|[a-z]{3,20})$/i.test(colour) ? colour : ink;
}

/** Points on an ellipse, from one angle to another (radians, clockwise on paper). */
export function arcPoints(
  [x, y]: Position,
  [wide, high]: Position,
  [from, to]: readonly [number, number] = [0, 2 * Math.PI],
): Position[] {
  const steps = Math.max(2, Math.min(72, Math.ceil(Math.abs(to - from) * 12)));
  return Array.from({ length: steps + 1 }, (_, step): Position => {
    const angle = from + ((to - from) * step) / steps;
    return [x + wide * Math.cos(angle), y + high * Math.sin(angle)];
  });
}

/** A place on paper, and its size. */
export type Box = readonly [x: number, y: number, wide: number, high: number];

/** The outline of a shape that fills a box. */
export function boxOutline(
  shape: 'ellipse' | 'diamond' | 'rectangle',
  [x, y, wide, high]: Box,
): Position[] {
  const [middle, right, centre, bottom] = [x + wide / 2, x + wide, y + high / 2, y + high];
  if (shape === 'ellipse') return arcPoints([middle, centre], [wide / 2, high / 2]);
  const corners: Position[] =
    shape === 'diamond'
      ? [
          [middle, y],
          [right, centre],
          [middle, bottom],
          [x, centre],
        ]
      : [
          [x, y],
          [right, y],
          [right, bottom],
          [x, bottom],
        ];
  return [...corners, ...corners.slice(0, 1)];
}

/** Two strokes at the end of a line, no longer than its last part. */
export function arrowHead(line: readonly Position[], most: number): Position[] {
  const [end, before] = [line.at(-1), line.at(-2)];
  if (end === undefined || before === undefined) return [];
  const [dx, dy] = [before[0] - end[0], before[1] - end[1]];
  const length = Math.hypot(dx, dy) || 1;
  const back: Position = [
    end[0] + (dx / length) * Math.min(most, length),
    end[1] + (dy / length) * Math.min(most, length),
  ];
  return [turned(back, end, 0.4), end, turned(back, end, -0.4)];
}

/** A point turned around another one (radians, clockwise on paper). */
export function turned([x, y]: Position, [centreX, centreY]: Position, angle: number): Position {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [dx, dy] = [x - centreX, y - centreY];
  return [centreX + dx * cos - dy * sin, centreY + dx * sin + dy * cos];
}
