import { arcPoints, type Drawing, drawingMarkup, turned } from './drawing.ts';
import type { Position } from './places.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const numberAt = (element: Fields, key: string): number => {
  const value = element[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
};
const textAt = (element: Fields, key: string): string | undefined => {
  const value = element[key];
  return typeof value === 'string' ? value : undefined;
};

/** A drawing of Excalidraw with straight pens instead of its rough ones; `undefined` for anything else. */
export function excalidrawMarkup(text: string): string | undefined {
  const file = parsed(text);
  if (file === undefined || !Array.isArray(file['elements'])) return undefined;
  const drawing: Drawing = { outlines: [], labels: [], pictures: [] };
  const files = isFields(file['files']) ? file['files'] : {};
  for (const element of file['elements'].filter(isFields)) {
    if (element['isDeleted'] !== true) addElement(drawing, element, files);
  }
  return drawingMarkup(drawing, 1);
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function addElement(drawing: Drawing, element: Fields, files: Fields): void {
  const at = (key: string) => numberAt(element, key);
  const box = { x: at('x'), y: at('y'), wide: at('width'), high: at('height') };
  if (element['type'] === 'text') addText(drawing, element, box);
  else if (element['type'] === 'image') addPicture(drawing, element, files, box);
  else addOutline(drawing, element, box);
}

function addOutline(drawing: Drawing, element: Fields, box: Box): void {
  const centre: Position = [box.x + box.wide / 2, box.y + box.high / 2];
  const angle = numberAt(element, 'angle');
  const points = pointsOf(element, box).map((point) => turned(point, centre, angle));
  if (points.length < 2) return;
  const looks = {
    stroke: textAt(element, 'strokeColor'),
    width: numberAt(element, 'strokeWidth') || 1,
  };
  const isClosed = points[0]?.join() === points.at(-1)?.join();
  const fill = isClosed ? textAt(element, 'backgroundColor') : undefined;
  drawing.outlines.push({
    points,
    ...looks,
    dash: dashes[textAt(element, 'strokeStyle') ?? ''],
    fill: fill === 'transparent' ? undefined : fill,
  });
  const ends = { startArrowhead: points.toReversed(), endArrowhead: points };
  for (const [key, line] of Object.entries(ends)) {
    if (textAt(element, key) !== undefined)
      drawing.outlines.push({ points: headOf(line), ...looks });
  }
}

const dashes: Readonly<Record<string, string>> = { dashed: '8 6', dotted: '2 5' };

interface Box {
  x: number;
  y: number;
  wide: number;
  high: number;
}

function pointsOf(element: Fields, { x, y, wide, high }: Box): Position[] {
  switch (element['type']) {
    case 'ellipse':
      return arcPoints([x + wide / 2, y + high / 2], [wide / 2, high / 2]);
    case 'diamond':
      return [
        [x + wide / 2, y],
        [x + wide, y + high / 2],
        [x + wide / 2, y + high],
        [x, y + high / 2],
        [x + wide / 2, y],
      ];
    case 'line':
    case 'arrow':
    case 'draw':
    case 'freedraw':
      return listOf(element['points']).flatMap((point): Position[] => {
        const [dx, dy] = listOf(point);
        return typeof dx === 'number' && typeof dy === 'number' ? [[x + dx, y + dy]] : [];
      });
    default:
      return [
        [x, y],
        [x + wide, y],
        [x + wide, y + high],
        [x, y + high],
        [x, y],
      ];
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Two strokes at the end of a line. */
function headOf(line: readonly Position[]): Position[] {
  const [end, before] = [line.at(-1), line.at(-2)];
  if (end === undefined || before === undefined) return [];
  const [dx, dy] = [before[0] - end[0], before[1] - end[1]];
  const length = Math.hypot(dx, dy) || 1;
  const back: Position = [
    end[0] + (dx / length) * Math.min(16, length),
    end[1] + (dy / length) * Math.min(16, length),
  ];
  return [turned(back, end, 0.4), end, turned(back, end, -0.4)];
}

function addText(drawing: Drawing, element: Fields, { x, y, wide }: Box): void {
  const size = numberAt(element, 'fontSize') || 20;
  const align = textAt(element, 'textAlign');
  const anchor = align === 'center' ? 'middle' : align === 'right' ? 'end' : 'start';
  const left = x + { start: 0, middle: wide / 2, end: wide }[anchor];
  drawing.labels.push({
    at: [left, y + size],
    lines: (textAt(element, 'text') ?? '').split('\n'),
    size,
    colour: textAt(element, 'strokeColor'),
    anchor,
    turn: (numberAt(element, 'angle') * 180) / Math.PI,
  });
}

function addPicture(drawing: Drawing, element: Fields, files: Fields, box: Box): void {
  const file = files[textAt(element, 'fileId') ?? ''];
  const href = isFields(file) ? textAt(file, 'dataURL') : undefined;
  if (href === undefined || !/^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]+$/.test(href))
    return;
  drawing.pictures.push({ at: [box.x, box.y], size: [box.wide, box.high], href });
}
