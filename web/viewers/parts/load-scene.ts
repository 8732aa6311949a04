import type { LoadingManager, Object3D } from 'three';
import { decodeAs, guessEncoding } from '../../../core/content/guess-encoding.ts';
import { areListsShort, withoutColours } from './check-fbx.ts';

/** Where the pictures of a scene are loaded from. */
interface Neighbours {
  manager: LoadingManager;
  folder: string;
}

type Read = (bytes: Uint8Array<ArrayBuffer>, beside: Neighbours) => Promise<Object3D | undefined>;

/** Formats of whole scenes, by extension; the loader of each is loaded by its own models alone. */
const readers: Readonly<Record<string, Read>> = {
  async fbx(bytes, { manager, folder }) {
    if (!(await areListsShort(bytes))) return undefined;
    const { FBXLoader } = await import('three/addons/loaders/FBXLoader.js');
    const read = (some: Uint8Array<ArrayBuffer>) =>
      new FBXLoader(manager).parse(some.buffer, folder);
    try {
      return read(bytes);
    } catch (error) {
      const plain = withoutColours(bytes);
      if (plain === undefined) throw error;
      return read(plain);
    }
  },
  async dae(bytes, { manager, folder }) {
    const text = decodeAs(guessEncoding(bytes), bytes);
    // It could expand entities, and COLLADA has none. The loader does not say why it fails.
    if (/<!DOCTYPE/i.test(text) || !text.includes('</COLLADA>')) return undefined;
    const { ColladaLoader } = await import('three/addons/loaders/ColladaLoader.js');
    return new ColladaLoader(manager).parse(text, folder)?.scene;
  },
  async usdz(bytes, { manager }) {
    const { USDLoader } = await import('three/addons/loaders/USDLoader.js');
    return new USDLoader(manager).parse(bytes.buffer);
  },
};

/**
 * The scene of a file; `undefined` for one that cannot be shown. It imports nothing that other pages load, so
 * that their scripts stay whole.
 */
export async function loadScene(
  extension: string,
  bytes: Uint8Array<ArrayBuffer>,
  beside: Neighbours,
): Promise<Object3D | undefined> {
  return readers[extension]?.(bytes, beside);
}
