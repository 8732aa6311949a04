import { expect, test } from '@jest/globals';
import { checkGltf, checkStl } from '../../../../../web/viewers/parts/check-model.ts';
import { aGlb, aGltf, anStl } from '../../../../fixtures/visits/sample-models.ts';

test('a self-contained glTF passes, as text and as binary', () => {
  expect(() => checkGltf(aGltf())).not.toThrow();
  expect(() => checkGltf(aGlb())).not.toThrow();
});

test('a glTF whose picture is not there passes: it has its shape all the same', () => {
  expect(() => checkGltf(aGlb({ images: [{ uri: 'https://a.example/b.png' }] }))).not.toThrow();
});

test('only the decoders that a model uses are loaded', () => {
  expect([...checkGltf(aGlb())]).toEqual([]);
  const extensionsUsed = ['KHR_draco_mesh_compression', 'KHR_texture_basisu', 'KHR_other', 7];
  expect([...checkGltf(aGlb({ extensionsUsed }))]).toEqual(['draco', 'basis']);
});

const accessors = (length: number, more = {}) =>
  Array.from({ length }, () => ({ count: 2_000_000, type: 'VEC3', ...more }));

test('points that the file has, and those that Draco makes of it, may be many', () => {
  expect(() => checkGltf(aGlb({ accessors: accessors(5, { bufferView: 0 }) }))).not.toThrow();
  const extensionsUsed = ['KHR_draco_mesh_compression'];
  expect(() => checkGltf(aGlb({ accessors: accessors(5), extensionsUsed }))).not.toThrow();
});

test.each([
  ['a buffer beside it', aGltf({ buffers: [{ uri: 'hull.bin', byteLength: 9 }] }), /hull\.bin/],
  ['the form of version 1', aGltf({ asset: { version: '1.0' }, accessors: {} }), /glTF 1|1\.0/],
  ['no version', aGltf({ asset: undefined }), /1\.0/],
  ['room for billions of points', aGlb({ accessors: [{ count: 4e9 }] }), /too many points/],
  [
    'room for many points in each of many accessors',
    aGlb({ accessors: accessors(5) }),
    /too many points/,
  ],
  [
    'a part of many points in each of many accessors',
    aGlb({
      accessors: accessors(5, { bufferView: 0, sparse: {} }),
    }),
    /too many points/,
  ],
  [
    'the same points again and again',
    aGlb({ accessors: accessors(50, { bufferView: 0 }) }),
    /too many points/,
  ],
  ['less than no points', aGlb({ accessors: [{ count: -4e9 }] }), /too many points/],
  [
    'one mesh again and again',
    aGltf({
      meshes: [{ primitives: [{}] }],
      nodes: Array.from({ length: 200_000 }, () => ({ mesh: 0 })),
    }),
    /too many parts/,
  ],
  [
    'a mesh of very many primitives',
    aGltf({
      meshes: [{ primitives: Array.from({ length: 200_000 }, () => ({})) }],
      nodes: [{ mesh: 0 }],
    }),
    /too many parts/,
  ],
  ['no JSON', Buffer.from('hello, this is not a model'), /damaged/],
  ['other JSON', Buffer.from('[]'), /damaged/],
  ['nothing', Buffer.alloc(0), /damaged/],
])('a glTF with %s is refused with a reason', (_, bytes, reason) => {
  expect(() => checkGltf(bytes)).toThrow(reason);
});

test('an STL has its declared number of triangles', () => {
  expect(() => checkStl(anStl())).not.toThrow();
  expect(() => checkStl(Buffer.from('solid cube\nendsolid'))).not.toThrow();
  expect(() => checkStl(anStl(0xffff_ffff))).toThrow(/damaged/);
  expect(() => checkStl(Buffer.alloc(20))).toThrow(/damaged/);
});
