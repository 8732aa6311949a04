import { describe, expect, test } from '@jest/globals';
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Points,
  SkinnedMesh,
} from 'three';
import { stlText } from '../../../../../web/viewers/parts/check-model.ts';
import {
  joinModelParts,
  withoutMaterials,
} from '../../../../../web/viewers/parts/join-model-parts.ts';
import { loadModel } from '../../../../../web/viewers/parts/load-model.ts';
import { mergeParts } from '../../../../../web/viewers/parts/merge-parts.ts';
import { repairPositions } from '../../../../../web/viewers/parts/repair-positions.ts';
import { repairMaterials } from '../../../../../web/viewers/parts/repair-materials.ts';

describe('materials of an OBJ', () => {
  test.each([
    [
      'an opacity that MeshLab calls transparency',
      'newmtl a\nTr 1.000000\nKd 1 0 0',
      'newmtl a\nKd 1 0 0',
    ],
    ['a transparency beside an opacity', 'newmtl a\nd 0.5\nTr 0.5', 'newmtl a\nd 0.5'],
    ['a material that nobody could see', 'newmtl a\nd 0.0', 'newmtl a'],
    ['a transparency', 'newmtl a\nTr 0.25', 'newmtl a\nTr 0.25'],
    [
      'black under a picture',
      'newmtl a\nKd 0 0.0 0.000\nmap_Kd a.png',
      'newmtl a\nKd 1 1 1\nmap_Kd a.png',
    ],
    [
      'black without a picture',
      'newmtl a\nKd 0 0 0\nnewmtl b\nmap_Kd a.png',
      'newmtl a\nKd 0 0 0\nnewmtl b\nmap_Kd a.png',
    ],
    ['a picture on a disk', 'map_Kd C:\\Users\\Ann B\\hull 2.png', 'map_Kd hull 2.png'],
    ['a picture on another disk', 'map_Kd -s 1 1 1 /home/ann/hull.tga', 'map_Kd -s 1 1 1 hull.tga'],
    ['a picture in a folder beside it', 'map_Kd tex\\hull.png', 'map_Kd tex/hull.png'],
  ])('%s', (_, mtl, expected) => expect(repairMaterials(mtl)).toBe(expected));
});

describe('a 3MF of several parts', () => {
  const part = (path: string, xml: string) => ({
    name: Buffer.from(path),
    path,
    bytes: new Uint8Array(Buffer.from(xml)),
  });
  const texts = (parts: readonly { bytes: Uint8Array }[]) =>
    parts.map(({ bytes }) => Buffer.from(bytes).toString());
  const object =
    '<model><basematerials id="2"/><object id="1" pid="2" pindex="0"><triangle v1="0" pid="2" p1="0"/></object></model>';

  test('has each object once, by the part that it is in', () => {
    expect(
      texts(
        joinModelParts([
          part('3D/Objects/a.model', object),
          part('3D/Objects/b.model', object),
          part(
            '3D/3dmodel.model',
            '<model><object id="1"><component p:path="/3D/Objects/a.model" objectid="1"/><component p:path="/3D/Objects/b.model" objectid="1"/></object><build><item objectid="1"/><item p:path="/3D/Objects/b.model" objectid="1"/></build></model>',
          ),
          part('Metadata/a.png', 'id="1"'),
        ]),
      ),
    ).toEqual([
      object.replaceAll(/((?:\bid|pid)=")/g, '$10-'),
      object.replaceAll(/((?:\bid|pid)=")/g, '$11-'),
      '<model><object id="2-1"><component p:path="/3D/Objects/a.model" objectid="0-1"/><component p:path="/3D/Objects/b.model" objectid="1-1"/></object><build><item objectid="2-1"/><item p:path="/3D/Objects/b.model" objectid="1-1"/></build></model>',
      'id="1"',
    ]);
  });

  test('keeps triangles whose properties are unknown, and can do without materials', () => {
    const other = '<model><m:multiproperties id="5"/><object id="1" pid="5" pindex="0"/></model>';
    expect(texts(joinModelParts([part('3D/a.model', other)]))).toEqual([
      other.replace(' pid="5"', ''),
    ]);
    expect(texts(withoutMaterials([part('3D/a.model', object)]))).toEqual([
      '<model><basematerials id="2"/><object id="1"><triangle v1="0"/></object></model>',
    ]);
  });
});

test.each([
  ['capitals', Buffer.from('SOLID Cube\nFACET NORMAL 0 0 1\nENDSOLID')],
  ['a byte order mark', Buffer.from('\uFEFFsolid cube\nfacet normal 0 0 1\nendsolid')],
  ['UTF-16', Buffer.from('\uFEFFsolid cube\nfacet normal 0 0 1\nendsolid', 'utf16le')],
])('an STL of text with %s is read as text', async (_, bytes) => {
  expect(await stlText(bytes)).toMatch(/^solid cube\nfacet normal 0 0 1\nendsolid *$/);
});

test('a binary STL whose header begins with the same word is binary', async () => {
  expect(
    await stlText(Buffer.concat([Buffer.from('solid cube'), Buffer.alloc(200)])),
  ).toBeUndefined();
});

test.each([
  ['a surface', (geometry: BufferGeometry) => new Mesh(geometry)],
  ['points', (geometry: BufferGeometry) => new Points(geometry)],
])('a place of %s that is no number is the middle of the model', (_, partOf) => {
  const geometry = new BufferGeometry();
  const places = [1, 2, 3, Infinity, 0, 0, 0, NaN, 0, 4, 5, -Infinity];
  geometry.setAttribute('position', new Float32BufferAttribute(places, 3));
  repairPositions(partOf(geometry));
  expect([...geometry.getAttribute('position').array]).toEqual([
    1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ]);
});

test.each([
  ['quay.obj', 'v 0 0 0\nv 0 1 0\nv 1 0 0\nf 1 2 3\n'],
  [
    'quay.stl',
    'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\nendsolid a\n',
  ],
])('%s, whose surfaces may turn to either side, is seen from both', async (name, text) => {
  const bytes = Uint8Array.from(Buffer.from(text));
  const { object } = await loadModel({ name, bytes, decoders: {} as any });
  const sides: unknown[] = [];
  object.traverse((part) => {
    if (part instanceof Mesh) sides.push(part.material.side);
  });
  expect(sides).toEqual([DoubleSide]);
});

test('numbers of 64 bits become those that graphics cards take', () => {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float64Array([0, 0, Number.NaN]), 3));
  geometry.setAttribute('normal', new BufferAttribute(new Float64Array([0, 0, 1]), 3));
  repairPositions(new Mesh(geometry));
  expect(geometry.getAttribute('normal').array).toEqual(new Float32Array([0, 0, 1]));
  expect(geometry.getAttribute('position').array).toEqual(new Float32Array(3));
});

const drawnIn = (object: Object3D) => {
  const parts: Mesh[] = [];
  object.traverse((part) => {
    if (part instanceof Mesh) parts.push(part);
  });
  return parts;
};
const cornersOf = ({ geometry }: Mesh) => [...geometry.getAttribute('position').array];

test.each([
  ['groups', (at: number) => `g a${at}`],
  ['materials', (at: number) => `usemtl a${at}`],
])('of a model of many %s, those that look alike are one part', async (_, part) => {
  const load = async (count: number) => {
    const parts = Array.from({ length: count }, (__, at) => `${part(at)}\nf 1 2 3\n`);
    const bytes = Uint8Array.from(Buffer.from(`v 0 0 0\nv 1 0 0\nv 0 1 0\n${parts.join('')}`));
    return drawnIn((await loadModel({ name: 'a.obj', bytes, decoders: '' })).object);
  };
  const [whole, ...others] = await load(5001);
  expect(others).toEqual([]);
  expect(whole && cornersOf(whole).length).toBe(5001 * 9);
});

describe('parts that are merged', () => {
  const shape = () =>
    new BufferGeometry()
      .setAttribute('position', new Float32BufferAttribute([0, 0, 0, 1, 0, 0, 0, 1, 0], 3))
      .setIndex([0, 1, 2]);
  const partAt = (x: number, colour: number) => {
    const part = new Mesh(shape(), new MeshStandardMaterial({ color: colour }));
    part.position.x = x;
    return part;
  };

  test('keep their places, their colours, and the sides that they show', () => {
    const mirrored = partAt(3, 1);
    mirrored.scale.x = -1;
    const inner = new Group().add(partAt(1, 2));
    inner.position.y = 5;
    const object = new Group().add(partAt(1, 1), inner, mirrored);
    object.position.z = 7;
    mergeParts(object);
    const parts = drawnIn(object);
    expect(parts.map(cornersOf)).toEqual([
      [1, 0, 0, 2, 0, 0, 1, 1, 0, 3, 1, 0, 2, 0, 0, 3, 0, 0],
      [1, 5, 0, 2, 5, 0, 1, 6, 0],
    ]);
    expect(parts.map(({ material }) => (material as MeshStandardMaterial).color.getHex())).toEqual([
      1, 2,
    ]);
  });

  test('are not those that bend, that differ in what they hold, or that are too large together', () => {
    const bending = new SkinnedMesh(shape(), new MeshStandardMaterial({ color: 1 }));
    const coloured = partAt(0, 1);
    coloured.geometry.setAttribute('color', new Float32BufferAttribute(new Float32Array(9), 3));
    const object = new Group().add(partAt(1, 1).add(bending), coloured, partAt(2, 1));
    mergeParts(object);
    expect(drawnIn(object)).toHaveLength(3);
    expect(drawnIn(object)).toContain(bending);

    const large = shape().setIndex(new BufferAttribute(new Uint32Array(3_000_000), 1));
    const many = new Group().add(...[1, 2].map(() => new Mesh(large, new MeshStandardMaterial())));
    mergeParts(many);
    expect(drawnIn(many)).toHaveLength(2);
  });
});
