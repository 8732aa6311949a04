import { type Material, Texture } from 'three';
import type { MTLLoader } from 'three/addons/loaders/MTLLoader.js';
import { fetchFile } from './fetch-file.ts';
import { type ModelNeighbours, neighbourOf } from './model-neighbours.ts';

const mostBytes = 4 * 1024 * 1024;
/** Pictures that do not arrive in time appear later. */
const patienceMs = 10_000;

/** The materials that an OBJ names, with their pictures; `undefined` if it names none that is there. */
export async function loadMaterials(
  obj: string,
  neighbours: ModelNeighbours,
): Promise<MTLLoader.MaterialCreator | undefined> {
  const [, name] = /^[ \t]*mtllib[ \t]+(\S[^\r\n]*)/m.exec(obj) ?? [];
  const { folder } = neighbours;
  const address = name === undefined ? undefined : neighbourOf(name.trim(), folder);
  if (address === undefined) return undefined;
  const bytes = await fetchFile(address, mostBytes).catch(() => undefined);
  if (bytes === undefined) {
    if (name !== undefined) neighbours.missing.add(name.trim());
    return undefined;
  }
  const [{ MTLLoader: Loader }, { TGALoader }, { repairMaterials }] = await Promise.all([
    import('three/addons/loaders/MTLLoader.js'),
    import('three/addons/loaders/TGALoader.js'),
    import('./repair-materials.ts'),
  ]);
  neighbours.manager.addHandler(/\.tga$/i, new TGALoader(neighbours.manager));
  const text = repairMaterials(new TextDecoder().decode(bytes));
  const materials = new Loader(neighbours.manager).parse(text, folder);
  materials.preload();
  await Promise.race([
    neighbours.loaded(),
    new Promise((resolve) => setTimeout(resolve, patienceMs)),
  ]);
  for (const material of Object.values(materials.materials)) leaveMissingPicturesOut(material);
  return materials;
}

/** A picture that is not there would make all of the model black. */
export function leaveMissingPicturesOut(material: Material): void {
  for (const [slot, picture] of Object.entries(material)) {
    if (!(picture instanceof Texture)) continue;
    const image: unknown = picture.source.data;
    const isThere =
      typeof image === 'object' && image !== null && Reflect.get(image, 'data') !== null;
    if (!isThere) Reflect.set(material, slot, null);
  }
  material.needsUpdate = true;
}
