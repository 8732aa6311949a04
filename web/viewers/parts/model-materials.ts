import type { MTLLoader } from 'three/addons/loaders/MTLLoader.js';
import { fetchFile } from './fetch-file.ts';
import { ModelNeighbours, neighbourOf } from './model-neighbours.ts';

const mostBytes = 4 * 1024 * 1024;
/** Pictures that do not arrive in time appear later. */
const patienceMs = 10_000;

/** The materials that an OBJ names, with their pictures; `undefined` if it names none that is there. */
export async function loadMaterials(
  obj: string,
  folder: string,
): Promise<MTLLoader.MaterialCreator | undefined> {
  const [, name] = /^\s*mtllib\s+(\S[^\r\n]*)/m.exec(obj) ?? [];
  const address = name === undefined ? undefined : neighbourOf(name.trim(), folder);
  if (address === undefined) return undefined;
  const bytes = await fetchFile(address, mostBytes).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const { MTLLoader: Loader } = await import('three/addons/loaders/MTLLoader.js');
  const neighbours = new ModelNeighbours(folder);
  // Paths as Windows writes them are paths too.
  const text = new TextDecoder().decode(bytes).replaceAll('\\', '/');
  const materials = new Loader(neighbours.manager).parse(text, folder);
  materials.preload();
  await Promise.race([
    neighbours.loaded(),
    new Promise((resolve) => setTimeout(resolve, patienceMs)),
  ]);
  return materials;
}
