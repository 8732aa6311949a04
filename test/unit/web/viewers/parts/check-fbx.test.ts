import { deflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { LoadingManager, Mesh } from 'three';
import { areListsShort } from '../../../../../web/viewers/parts/check-fbx.ts';
import { loadScene } from '../../../../../web/viewers/parts/load-scene.ts';
import { anFbx, coloursWithoutIndex } from '../../../../fixtures/visits/sample-scenes.ts';

const isShort = async (bytes: Buffer) => areListsShort(Uint8Array.from(bytes), 1024 * 1024);

test.each([
  ['a binary model', anFbx()],
  ['one whose lists cannot be unpacked', anFbx((numbers) => numbers)],
  ['one that is cut', anFbx().subarray(0, 400)],
  ['one of text', Buffer.from('; FBX 7.4.0 project file\nObjects: {\n}\n')],
])('%s is left to its reader', async (_, bytes) => {
  expect(await isShort(bytes)).toBe(true);
});

test('lists that are longer than they say are refused', async () => {
  const bomb = deflateSync(Buffer.alloc(600 * 1024));
  expect(await isShort(anFbx(() => bomb))).toBe(false);
});

test('a model whose colours lack their index is shown without them', async () => {
  const bytes = Uint8Array.from(anFbx(deflateSync, [coloursWithoutIndex]));
  const beside = { manager: new LoadingManager(), folder: '' };
  const scene = await loadScene('fbx', bytes, beside);
  const parts: number[] = [];
  scene?.traverse((part) => {
    if (part instanceof Mesh) parts.push(part.geometry.getAttribute('position').count);
  });
  expect(parts).toEqual([36]);
});
