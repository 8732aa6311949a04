import { type Drawing, drawingMarkup, mostDrawn, turned } from './drawing.ts';
import { linesOf } from './dxf-shapes.ts';
import type { Position } from './places.ts';
import {
  type Block,
  type Entity,
  numberOf,
  pointOf,
  radians,
  readDxf,
  textOf,
} from './read-dxf.ts';

/** A block may hold others, which may hold it again. */
const most = { depth: 6, entities: 50_000, letters: 500_000 } as const;

/** A drawing of AutoCAD as text (DXF); `undefined` for anything else, and for one that is too large. */
export function dxfMarkup(text: string): string | undefined {
  if (!/^\s*(?:999\r?\n[^\n]*\n\s*)*0[^\S\n]*\n\s*SECTION[^\S\n]*\n/.test(text)) return undefined;
  const { entities, blocks } = readDxf(text);
  const plan = new Plan(blocks);
  try {
    plan.add(entities, (point) => point, 0);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return drawingMarkup(plan.drawing, 1e6);
}

/** The first colours of AutoCAD's table; white is ink on paper. */
const colours = ['', '#d00000', '#b09000', '#008a20', '#008a8a', '#0030d0', '#b000b0'];

type Placed = (point: Position) => Position;

/** Draws entities; in this format y goes upwards. */
class Plan {
  readonly drawing: Drawing = { outlines: [], labels: [], pictures: [] };
  readonly #blocks: ReadonlyMap<string, Block>;
  #room: number = most.entities;
  #points: number = mostDrawn.points;
  #letters: number = most.letters;

  constructor(blocks: ReadonlyMap<string, Block>) {
    this.#blocks = blocks;
  }

  /** @throws RangeError where blocks repeat more things than any real drawing has */
  add(entities: readonly Entity[], place: Placed, depth: number): void {
    this.#room -= entities.length;
    if (this.#room < 0) throw new RangeError('too many entities');
    for (const entity of entities.filter(isSeen)) {
      // What is mirrored has an axis that points away (DXF Reference, "Arbitrary Axis Algorithm").
      const isMirrored = numberOf(entity, 230, 1) < 0 && mirrored.has(entity.kind);
      this.#draw(entity, isMirrored ? ([x, y]) => place([-x, y]) : place, depth);
    }
  }

  #draw(entity: Entity, place: Placed, depth: number): void {
    if (entity.kind === 'INSERT' || entity.kind === 'DIMENSION') this.#insert(entity, place, depth);
    else if (labelled.has(entity.kind)) this.#label(entity, place);
    else for (const points of linesOf(entity)) this.#line(entity, points, place);
  }

  #line(entity: Entity, points: readonly Position[], place: Placed): void {
    if (points.length < 2) return;
    this.#points -= points.length;
    if (this.#points < 0) throw new RangeError('too many points');
    const stroke = colours[numberOf(entity, 62)] || undefined;
    this.drawing.outlines.push({ points: points.map((point) => onPaper(place(point))), stroke });
  }

  #insert(entity: Entity, place: Placed, depth: number): void {
    const block = this.#blocks.get(textOf(entity, 2));
    if (block === undefined || depth >= most.depth) return;
    const isPlain = entity.kind === 'DIMENSION';
    const at: Position = isPlain ? [0, 0] : pointOf(entity);
    const [wide, high] = isPlain ? [1, 1] : [numberOf(entity, 41, 1), numberOf(entity, 42, 1)];
    const angle = isPlain ? 0 : radians(numberOf(entity, 50));
    const [baseX, baseY] = block.base;
    this.add(
      block.entities,
      ([x, y]) => {
        const scaled: Position = [at[0] + (x - baseX) * wide, at[1] + (y - baseY) * high];
        return place(turned(scaled, at, angle));
      },
      depth + 1,
    );
  }

  #label(entity: Entity, place: Placed): void {
    const isLong = entity.kind === 'MTEXT';
    const parts = entity.groups.filter(([code]) => code === 3 || code === 1);
    const text = parts.map(([, value]) => value).join('');
    this.#letters -= text.length;
    if (this.#letters < 0 || this.drawing.labels.length === mostDrawn.labels)
      throw new RangeError('too many words');
    const lines = isLong ? plainText(text).split('\n') : [plainText(text)];
    const [at, up] = [place(pointOf(entity)), place([pointOf(entity)[0], pointOf(entity)[1] + 1])];
    const size = numberOf(entity, 40, 1) * Math.hypot(up[0] - at[0], up[1] - at[1]);
    // The place of a long text is its top.
    const [x, y] = onPaper(at);
    const column = isLong ? numberOf(entity, 71, 1) % 3 : [1, 2, 0][numberOf(entity, 72)];
    this.drawing.labels.push({
      at: [x, isLong ? y + size : y],
      lines,
      size,
      anchor: isLong ? (['end', 'start', 'middle'] as const)[column ?? 1] : 'start',
      turn: -numberOf(entity, 50),
      colour: colours[numberOf(entity, 62)] || undefined,
    });
  }
}

/** Neither on a sheet of paper beside the model, nor hidden. */
const isSeen = (entity: Entity) => numberOf(entity, 67) !== 1 && numberOf(entity, 60) !== 1;

const mirrored: ReadonlySet<string> = new Set(
  'LWPOLYLINE CIRCLE ARC INSERT SOLID TEXT ATTRIB TRACE'.split(' '),
);
const labelled: ReadonlySet<string> = new Set(['TEXT', 'MTEXT', 'ATTRIB']);

const onPaper: Placed = ([x, y]) => [x, -y];

/** Text without the codes of its format: `%%c`, `\P`, `{\fArial|b1;…}` (DXF Reference, "MTEXT"). */
function plainText(text: string): string {
  return text
    .replace(
      /%%([cdp])/gi,
      (_, sign: string) => ({ c: '⌀', d: '°', p: '±' })[sign.toLowerCase()] ?? '',
    )
    .replaceAll(/%%[uok]/gi, '')
    .replace(/\\U\+([\da-f]{4})/gi, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
    .replaceAll('\\P', '\n')
    .replaceAll('\\~', ' ')
    .replaceAll(/\\[ACFHQTWfp][^;\\]{0,100};|\\[LlOoKk]|[{}]/g, '');
}
