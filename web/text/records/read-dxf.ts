import type { Position } from './places.ts';

/** A thing of a drawing: lines of an exchange file, each a number and its value (DXF Reference, "Group Codes"). */
export interface Entity {
  kind: string;
  groups: (readonly [code: number, value: string])[];
  /** Those of a line of the older kind, which follow it. */
  corners: Entity[];
}

/** Things under a name, which may stand in a drawing many times. */
export interface Block {
  base: Position;
  entities: Entity[];
}

/** The things of a DXF file, and its blocks by their names. */
export function readDxf(text: string): { entities: Entity[]; blocks: Map<string, Block> } {
  const blocks = new Map<string, Block>();
  const entities: Entity[] = [];
  let section = '';
  let block: Block | undefined;
  let line: Entity | undefined;
  for (const entity of recordsIn(text)) {
    const { kind } = entity;
    if (kind === 'SECTION') section = textOf(entity, 2);
    else if (kind === 'VERTEX') line?.corners.push(entity);
    else if (kind === 'BLOCK') {
      block = { base: pointOf(entity), entities: [] };
      blocks.set(textOf(entity, 2), block);
    } else if (section === 'ENTITIES') entities.push(entity);
    else if (section === 'BLOCKS') block?.entities.push(entity);
    if (kind === 'POLYLINE') line = entity;
  }
  return { entities, blocks };
}

/** A record begins with the number 0. */
function recordsIn(text: string): Entity[] {
  const lines = text.split('\n');
  const records: Entity[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const code = Number(lines[at]);
    const value = (lines[at + 1] ?? '').replace(/\r$/, '');
    if (code === 0) records.push({ kind: value.trim(), groups: [], corners: [] });
    else records.at(-1)?.groups.push([code, value]);
  }
  return records;
}

/** All values of a code, and the first of them. */
export const numbersOf = ({ groups }: Entity, code: number) =>
  groups.filter(([one]) => one === code).map(([, value]) => Number(value) || 0);
export const numberOf = (entity: Entity, code: number, otherwise = 0) =>
  numbersOf(entity, code)[0] ?? otherwise;
export const textOf = ({ groups }: Entity, code: number) =>
  (groups.find(([one]) => one === code)?.[1] ?? '').trim();
/** A point; its second number has a code ten higher. */
export const pointOf = (entity: Entity, code = 10): Position => [
  numberOf(entity, code),
  numberOf(entity, code + 10),
];
export const pointsOf = (entity: Entity, code = 10): Position[] => {
  const ys = numbersOf(entity, code + 10);
  return numbersOf(entity, code).map((x, index) => [x, ys[index] ?? 0]);
};
export const radians = (degrees: number) => (degrees * Math.PI) / 180;
