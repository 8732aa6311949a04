import type { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { Compression } from './check-model.ts';

/** The address of the folder with the decoders, ending in a slash. */
export type ModelDecoders = string;

/** Gives a loader the decoders that a model needs, and loads no others. Returns what ends their workers. */
export async function addDecoders(
  loader: GLTFLoader,
  compressions: ReadonlySet<Compression>,
  folder: ModelDecoders,
): Promise<() => void> {
  const ends: (() => void)[] = [];
  if (compressions.has('meshopt')) {
    const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');
    loader.setMeshoptDecoder(MeshoptDecoder);
  }
  if (compressions.has('draco')) {
    const { DRACOLoader } = await import('three/addons/loaders/DRACOLoader.js');
    const draco = new DRACOLoader();
    draco.setDecoderPath(`${folder}draco/gltf/`);
    loader.setDRACOLoader(draco);
    ends.push(() => draco.dispose());
  }
  if (compressions.has('basis')) ends.push(await addBasis(loader, folder));
  return () => {
    for (const end of ends) end();
  };
}

/** Which form textures are unpacked to depends on what the graphics card reads. */
async function addBasis(loader: GLTFLoader, folder: ModelDecoders): Promise<() => void> {
  const [{ KTX2Loader }, { WebGLRenderer }] = await Promise.all([
    import('three/addons/loaders/KTX2Loader.js'),
    import('three'),
  ]);
  const renderer = new WebGLRenderer();
  const textures = new KTX2Loader().setTranscoderPath(`${folder}basis/`).detectSupport(renderer);
  renderer.dispose();
  renderer.forceContextLoss();
  loader.setKTX2Loader(textures);
  return () => textures.dispose();
}
