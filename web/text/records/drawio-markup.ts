import { inflateRawSync } from 'node:zlib';
import {
  attributeOf,
  descendantsOf,
  elementsOf,
  localName,
  parseXml,
  textIn,
  type XmlElement,
} from '../../viewers/parts/xml-tree.ts';
import { arrowHead, type Box, boxOutline, type Drawing, drawingMarkup } from './drawing.ts';
import type { Position } from './places.ts';
import { shownText } from './record-table.ts';

const most = { pages: 20, xmlBytes: 8 * 1024 * 1024, depth: 50 } as const;

/** The pages of a drawing of draw.io (mxGraph) as pictures; `undefined` for anything else. */
export function drawioMarkup(text: string): string | undefined {
  if (!/<(?:mxfile|mxGraphModel)[\s>]/.test(text.slice(0, 2000))) return undefined;
  const root = parseXml(text);
  const pages = descendantsOf(root, 'diagram');
  const shown = (pages.length === 0 ? [root] : pages).slice(0, most.pages).flatMap((page) => {
    const drawing = new Graph(modelOf(page)).draw();
    const picture = drawingMarkup(drawing, 1);
    const name = attributeOf(page, 'name');
    const head = pages.length > 1 && name !== undefined ? `<h2>${shownText(name, 200)}</h2>\n` : '';
    return picture === undefined ? [] : [head + picture];
  });
  return shown.length === 0 ? undefined : shown.join('\n');
}

/** A page may be packed: deflate in base64, of XML in the form of addresses. */
function modelOf(page: XmlElement): XmlElement {
  if (descendantsOf(page, 'mxGraphModel').length > 0) return page;
  try {
    const packed = Buffer.from(textIn(page).trim(), 'base64');
    const text = inflateRawSync(packed, { maxOutputLength: most.xmlBytes }).toString();
    return parseXml(decodeURIComponent(text));
  } catch {
    return page;
  }
}

interface Cell {
  id: string;
  label: string;
  style: Style;
  parent: string;
  geometry: XmlElement | undefined;
  element: XmlElement;
}

class Graph {
  readonly #cells = new Map<string, Cell>();
  /** Places that are known; a cell whose place depends on itself finds one here. */
  readonly #boxes = new Map<string, Box>();

  constructor(model: XmlElement) {
    const named = [...descendantsOf(model, 'UserObject'), ...descendantsOf(model, 'object')];
    const wrappers = new Map(named.map((one) => [elementsOf(one, 'mxCell')[0], one]));
    for (const [index, element] of descendantsOf(model, 'mxCell').entries()) {
      const wrapper = wrappers.get(element);
      const id = attributeOf(wrapper ?? element, 'id') ?? `cell ${index}`;
      const label = attributeOf(wrapper ?? element, wrapper ? 'label' : 'value') ?? '';
      const [geometry] = elementsOf(element, 'mxGeometry');
      const style = styleOf(attributeOf(element, 'style') ?? '');
      const parent = attributeOf(element, 'parent') ?? '';
      this.#cells.set(id, { id, label, style, parent, geometry, element });
    }
  }

  draw(): Drawing {
    const drawing: Drawing = { outlines: [], labels: [], pictures: [] };
    for (const cell of this.#cells.values()) {
      if (attributeOf(cell.element, 'visible') === '0') continue;
      if (attributeOf(cell.element, 'edge') === '1') this.#drawEdge(drawing, cell);
      else if (attributeOf(cell.element, 'vertex') === '1') this.#drawShape(drawing, cell);
    }
    return drawing;
  }

  #drawShape(drawing: Drawing, cell: Cell): void {
    const { style, label } = cell;
    const box = this.#boxOf(cell);
    const [x, y, wide, high] = box;
    const pen = penOf(style, wide * high === 0);
    if (pen !== undefined) drawing.outlines.push({ points: outlineOf(style, box), ...pen });
    const size = sizeOf(style);
    const lines = wrapped(wordsOf(label), Math.max(wide, 40) / (size * 0.52));
    const isTop = style['verticalAlign'] === 'top' || 'swimlane' in style;
    const middle = y + high / 2 + size * 0.35 - ((lines.length - 1) * size * 1.25) / 2;
    this.#label(drawing, cell, [x + wide / 2, isTop ? y + size * 1.3 : middle], lines);
  }

  #label(drawing: Drawing, { style }: Cell, at: Position, lines: readonly string[]): void {
    if (lines.every((line) => line.trim() === '')) return;
    drawing.labels.push({
      at,
      lines,
      size: sizeOf(style),
      colour: style['fontColor'],
      anchor: 'middle',
    });
  }

  #drawEdge(drawing: Drawing, cell: Cell): void {
    const points = this.#edgePoints(cell);
    if (points.length < 2) return;
    const stroke = cell.style['strokeColor'] ?? '#1e1e1e';
    const dash = cell.style['dashed'] === '1' ? '6 5' : undefined;
    drawing.outlines.push({ points, stroke, dash });
    if (cell.style['endArrow'] !== 'none')
      drawing.outlines.push({ points: arrowHead(points, 9), stroke });
    this.#label(drawing, cell, middleOf(points), wordsOf(cell.label));
  }

  /** From the edge of one shape to that of another, by the corners between. */
  #edgePoints({ element, geometry, parent }: Cell): Position[] {
    const [offsetX, offsetY] = this.#origin(parent, 0);
    const inside = geometry === undefined ? [] : elementsOf(geometry);
    const pointAt = (point: XmlElement): Position => [
      numberAt(point, 'x') + offsetX,
      numberAt(point, 'y') + offsetY,
    ];
    const corners = inside
      .filter((one) => localName(one) === 'Array')
      .flatMap((one) => elementsOf(one, 'mxPoint'));
    const named = (name: string) =>
      inside.filter((one) => attributeOf(one, 'as') === name).map(pointAt)[0];
    const boxAt = (key: string) => {
      const cell = this.#cells.get(attributeOf(element, key) ?? '');
      return cell && this.#boxOf(cell);
    };
    const [from, to] = [boxAt('source'), boxAt('target')];
    const first = from ? centreOf(from) : named('sourcePoint');
    const last = to ? centreOf(to) : named('targetPoint');
    const between = corners.map(pointAt);
    const next = between[0] ?? last;
    const previous = between.at(-1) ?? first;
    if (first === undefined || last === undefined || next === undefined || previous === undefined)
      return [];
    return [from ? rimPoint(from, next) : first, ...between, to ? rimPoint(to, previous) : last];
  }

  #boxOf(cell: Cell): Box {
    const known = this.#boxes.get(cell.id);
    if (known !== undefined) return known;
    this.#boxes.set(cell.id, [0, 0, 0, 0]);
    const box = this.#placed(cell);
    this.#boxes.set(cell.id, box);
    return box;
  }

  #placed({ geometry, parent }: Cell): Box {
    const [x, y] = this.#origin(parent, 0);
    if (geometry === undefined) return [x, y, 0, 0];
    const [wide, high] = [numberAt(geometry, 'width'), numberAt(geometry, 'height')];
    const within = this.#cells.get(parent);
    if (attributeOf(geometry, 'relative') !== '1' || within === undefined)
      return [x + numberAt(geometry, 'x'), y + numberAt(geometry, 'y'), wide, high];
    // It is a part of the way along an arrow, or of the size of a shape.
    if (attributeOf(within.element, 'edge') === '1') {
      const [middleX, middleY] = middleOf(this.#edgePoints(within));
      return [middleX - wide / 2, middleY - high / 2, wide, high];
    }
    const [, , parentWide, parentHigh] = this.#boxOf(within);
    return [
      x + numberAt(geometry, 'x') * parentWide,
      y + numberAt(geometry, 'y') * parentHigh,
      wide,
      high,
    ];
  }

  #origin(id: string, depth: number): Position {
    const cell = this.#cells.get(id);
    if (cell?.geometry === undefined || depth > most.depth) return [0, 0];
    const [x, y] = this.#origin(cell.parent, depth + 1);
    if (attributeOf(cell.element, 'edge') === '1') return [x, y];
    return [x + numberAt(cell.geometry, 'x'), y + numberAt(cell.geometry, 'y')];
  }
}

const numberAt = (element: XmlElement, name: string) => Number(attributeOf(element, name)) || 0;
const centreOf = ([x, y, wide, high]: Box): Position => [x + wide / 2, y + high / 2];

function styleOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(';').map((one) => {
      const [key = '', value = ''] = one.split('=');
      return [key.trim(), value.trim()];
    }),
  );
}

type Style = Readonly<Record<string, string>>;

const sizeOf = (style: Style) => Number(style['fontSize']) || 12;

/** A text has no outline of its own. */
function penOf(style: Style, isEmpty: boolean) {
  const isText = 'text' in style || 'edgeLabel' in style || isEmpty;
  const stroke = style['strokeColor'] ?? (isText ? 'none' : '#1e1e1e');
  const fill = style['fillColor'] ?? (isText ? 'none' : '#ffffff');
  if (stroke === 'none' && fill === 'none') return undefined;
  const visible = (colour: string) => (colour === 'none' ? 'transparent' : colour);
  const dash = style['dashed'] === '1' ? '6 5' : undefined;
  return { stroke: visible(stroke), fill: visible(fill), dash };
}

function outlineOf(style: Style, box: Box): Position[] {
  const shape = style['shape'] ?? '';
  if ('ellipse' in style || /ellipse/i.test(shape)) return boxOutline('ellipse', box);
  return boxOutline('rhombus' in style || shape === 'rhombus' ? 'diamond' : 'rectangle', box);
}

/** Where the line from the middle of a box to a point leaves it. */
function rimPoint(box: Box, to: Position): Position {
  const [, , wide, high] = box;
  const [x, y] = centreOf(box);
  const [dx, dy] = [to[0] - x, to[1] - y];
  const part = Math.min(1, wide / 2 / Math.abs(dx || 1e-9), high / 2 / Math.abs(dy || 1e-9));
  return [x + dx * part, y + dy * part];
}

function middleOf(points: readonly Position[]): Position {
  const at = (points.length - 1) / 2;
  const [a = [0, 0], b = [0, 0]] = [points[Math.floor(at)], points[Math.ceil(at)]];
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

/** Labels may be HTML. */
function wordsOf(label: string): string[] {
  return textIn(
    parseXml(label.replaceAll('&nbsp;', ' ').replaceAll(/<br[^<>]*>|<\/(?:div|p|li|h\d)>/gi, '\n')),
  )
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function wrapped(lines: readonly string[], width: number): string[] {
  return lines.flatMap((line) => {
    const rows = [''];
    for (const word of line.split(' ')) {
      const last = rows.at(-1) ?? '';
      if (last !== '' && last.length + word.length + 1 > width) rows.push(word);
      else rows[rows.length - 1] = last === '' ? word : `${last} ${word}`;
    }
    return rows;
  });
}
