import { isRecord, parseRecord } from '../../../core/json.ts';
import { arrowHead, type Box, boxOutline, type Drawing, drawingMarkup, turned } from './drawing.ts';
import type { Position } from './places.ts';

type Fields = Readonly<Record<string, unknown>>;

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
  const file = parseRecord(text);
  if (file === undefined || !Array.isArray(file['elements'])) return undefined;
  const drawing: Drawing = { outlines: [], labels: [], pictures: [] };
  const files = isRecord(file['files']) ? file['files'] : {};
  for (const element of file['elements'].filter(isRecord)) {
    if (element['isDeleted'] !== true) addElement(drawing, element, files);
  }
  return drawingMarkup(drawing, 1);
}

function addElement(drawing: Drawing, element: Fields, files: Fields): void {
  const at = (key: string) => numberAt(element, key);
  const box: Box = [at('x'), at('y'), at('width'), at('height')];
  if (element['type'] === 'text') addText(drawing, element, box);
  else if (element['type'] === 'image') addPicture(drawing, element, files, box);
  else addOutline(drawing, element, box);
}

function addOutline(drawing: Drawing, element: Fields, box: Box): void {
  const [x, y, wide, high] = box;
  const centre: Position = [x + wide / 2, y + high / 2];
  const angle = numberAt(element, 'angle');
  const points = pointsOf(element, box).map((point) => turned(point, centre, angle));
  if (points.length < 2) return;
  const pen = {
    stroke: textAt(element, 'strokeColor'),
    width: numberAt(element, 'strokeWidth') || 1,
  };
  const isClosed = points[0]?.join() === points.at(-1)?.join();
  const fill = isClosed ? textAt(element, 'backgroundColor') : undefined;
  drawing.outlines.push({
    points,
    ...pen,
    dash: dashes[textAt(element, 'strokeStyle') ?? ''],
    fill: fill === 'transparent' ? undefined : fill,
  });
  const ends = { startArrowhead: points.toReversed(), endArrowhead: points };
  for (const [key, line] of Object.entries(ends)) {
    if (textAt(element, key) !== undefined)
      drawing.outlines.push({ points: arrowHead(line, 16), ...pen });
  }
}

const dashes: Readonly<Record<string, string>> = { dashed: '8 6', dotted: '2 5' };

function pointsOf(element: Fields, box: Box): Position[] {
  const [x, y] = box;
  switch (element['type']) {
    case 'ellipse':
    case 'diamond':
      return boxOutline(element['type'], box);
    case 'line':
    case 'arrow':
    case 'draw':
    case 'freedraw':
      return listOf(element['points']).flatMap((point): Position[] => {
        const [dx, dy] = listOf(point);
        return typeof dx === 'number' && typeof dy === 'number' ? [[x + dx, y + dy]] : [];
      });
    default:
      return boxOutline('rectangle', box);
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function addText(drawing: Drawing, element: Fields, [x, y, wide]: Box): void {
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
  const [x, y, wide, high] = box;
  const file = files[textAt(element, 'fileId') ?? ''];
  const href = isRecord(file) ? textAt(file, 'dataURL') : undefined;
  if (href === undefined || !/^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]+$/.test(href))
    return;
  drawing.pictures.push({ at: [x, y], size: [wide, high], href });
}
