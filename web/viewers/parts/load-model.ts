import {
  type AnimationClip,
  BufferGeometry,
  DoubleSide,
  Line,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Points,
  PointsMaterial,
  Texture,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js';
import { PLYLoader } from 'three/addons/loaders/PLYLoader.js';
import { STLLoader } from 'three/addons/loaders/STLLoader.js';
import { addressOfTexture, checkGltf, checkStl, stlText } from './check-model.ts';
import { ViewerError } from './fetch-file.ts';
import { joinModelParts, withoutMaterials } from './join-model-parts.ts';
import { repairPositions } from './repair-positions.ts';
import { addDecoders, type ModelDecoders } from './model-decoders.ts';
import { leaveMissingPicturesOut, loadMaterials } from './model-materials.ts';
import { ModelNeighbours } from './model-neighbours.ts';
import { officeLimits, unpackZipParts, type ZipPart } from './zip-parts.ts';
import { writeStoredZip } from './write-stored-zip.ts';

/** A model and its animations. */
export interface Model {
  object: Object3D;
  clips: readonly AnimationClip[];
  /** Names of files that it needs and that are not beside it. */
  missing: readonly string[];
}

/** A model's file, and what may be loaded to show it. */
export interface ModelFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  decoders: ModelDecoders;
  /** The address of its folder in a bundle, from which it may load other files. */
  folder?: string | undefined;
}

/** Reads a model by its file extension. */
export async function loadModel(file: ModelFile): Promise<Model> {
  const model = await readModel(file);
  const { object, clips } = model;
  object.traverse(repairPositions);
  const parts = countParts(object);
  if (parts > mostParts && parts <= mostMerged && clips.length === 0) {
    const { mergeParts } = await import('./merge-parts.ts');
    mergeParts(object);
  }
  if (countParts(object) > mostParts)
    throw new ViewerError('The model has too many parts to show here.');
  return model;
}

/** A browser draws each for itself. */
const mostParts = 5000;
/** Buildings have tens of thousands; with more, the page would stand still. */
const mostMerged = 100_000;

function countParts(object: Object3D): number {
  let parts = 0;
  object.traverse((part) => {
    if (!(part instanceof Mesh || part instanceof Points || part instanceof Line)) return;
    parts += Array.isArray(part.material) ? Math.max(1, part.geometry.groups.length) : 1;
  });
  return parts;
}

async function readModel(file: ModelFile): Promise<Model> {
  const { name, bytes } = file;
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (extension === 'stl') {
    const text = await stlText(bytes);
    if (text === undefined) checkStl(bytes);
    return withoutAnimation(meshOf(new STLLoader().parse(text ?? bytes.buffer)));
  }
  if (extension === 'ply') {
    const geometry = new PLYLoader().parse(bytes.buffer);
    // A scan may have points only.
    return withoutAnimation(geometry.index === null ? pointsOf(geometry) : meshOf(geometry));
  }
  if (extension === 'obj') return loadObj(file);
  if (extension === '3mf') return withoutAnimation(await loadThreeMf(bytes));
  return extension === 'glb' || extension === 'gltf' ? loadGltf(file) : loadOther(extension, file);
}

/** A scene with those of its pictures that are there. */
async function loadOther(extension: string, { bytes, folder }: ModelFile): Promise<Model> {
  const { loadScene } = await import('./load-scene.ts');
  const neighbours = new ModelNeighbours(folder);
  const checked =
    extension === 'usdz' ? writeStoredZip(await unpackZipParts(bytes, officeLimits)) : bytes;
  const object = await loadScene(extension, checked, neighbours);
  if (object === undefined) throw new ViewerError('The model is damaged or too large.');
  await neighbours.loaded();
  object.traverse(leaveMissingOut);
  return { object, clips: object.animations, missing: [...neighbours.missing] };
}

function leaveMissingOut(part: Object3D): void {
  if (part instanceof Mesh) [part.material].flat().forEach(leaveMissingPicturesOut);
}

async function loadGltf({ bytes, decoders, folder }: ModelFile): Promise<Model> {
  const compressions = checkGltf(bytes, folder !== undefined);
  const neighbours = new ModelNeighbours(folder);
  const loader = new GLTFLoader(neighbours.manager);
  // The loader would complain about a picture that it may not load.
  loader.register(({ json }) => ({
    name: 'pictures that are there',
    loadTexture: (index) => {
      const address = addressOfTexture(json, index);
      const isThere = address === undefined || neighbours.isBeside(address);
      return isThere ? null : Promise.resolve(new Texture());
    },
  }));
  const free = await addDecoders(loader, compressions, decoders);
  try {
    const { scene, animations } = await Promise.race([
      loader.parseAsync(bytes.buffer, neighbours.folder),
      timeout(),
    ]);
    scene.traverse(enlargePoints);
    if (neighbours.missing.size > 0) scene.traverse(leaveMissingOut);
    return { object: scene, clips: animations, missing: [...neighbours.missing] };
  } catch (error) {
    throw neighbours.explain(error);
  } finally {
    free();
  }
}

/** Its materials are in a file beside it; without that, it has one neutral colour. */
async function loadObj({ bytes, folder }: ModelFile): Promise<Model> {
  const { decodeText } = await import('../tables/decode-table.ts');
  const text = decodeText(bytes);
  const loader = new OBJLoader();
  const neighbours = new ModelNeighbours(folder);
  const materials =
    folder === undefined
      ? undefined
      : // Without them, the model has its shape all the same.
        await loadMaterials(text, neighbours).catch(() => undefined);
  if (materials !== undefined) loader.setMaterials(materials);
  const object = loader.parse(text);
  object.traverse(showBothSides);
  return { object, clips: [], missing: [...neighbours.missing] };
}

/** Unpacked within limits first, because its loader unpacks everything at once. */
async function loadThreeMf(bytes: Uint8Array<ArrayBuffer>): Promise<Object3D> {
  const { ThreeMFLoader } = await import('three/addons/loaders/3MFLoader.js');
  const parts = joinModelParts(await unpackZipParts(bytes, officeLimits));
  const read = (some: readonly ZipPart[]) =>
    new ThreeMFLoader(new ModelNeighbours().manager).parse(writeStoredZip(some).buffer);
  const object = firstOf(
    () => read(parts),
    () => read(withoutMaterials(parts)),
  );
  object.rotation.x = -Math.PI / 2;
  return object;
}

function firstOf<T>(first: () => T, second: () => T): T {
  try {
    return first();
  } catch {
    return second();
  }
}

/** Formats that do not say which side is the outer one are written in either order. */
function showBothSides(part: Object3D): void {
  if (!(part instanceof Mesh)) return;
  for (const material of [part.material].flat()) material.side = DoubleSide;
}

/** Points of one pixel cannot be seen on a fine screen. */
function enlargePoints(part: Object3D): void {
  if (part instanceof Points && part.material instanceof PointsMaterial) {
    part.material.size = pointPixels;
    part.material.sizeAttenuation = false;
  }
}

const pointPixels = 3;

function withoutAnimation(object: Object3D): Model {
  return { object, clips: [], missing: [] };
}

/** Formats without colours are shown in one neutral colour, unless the points have colours. */
function meshOf(geometry: BufferGeometry): Mesh {
  // Some programs write normals of zero, which would be black.
  const normals = geometry.hasAttribute('normal') ? geometry.getAttribute('normal').array : [];
  if (normals.every((one) => one === 0)) geometry.computeVertexNormals();
  const hasColors = geometry.hasAttribute('color');
  const mesh = new Mesh(
    geometry,
    new MeshStandardMaterial({
      side: DoubleSide,
      color: hasColors ? 0xffffff : 0x8fb3b8,
      vertexColors: hasColors,
      metalness: 0.05,
      roughness: 0.6,
    }),
  );
  // Printers and scanners use z as the up axis.
  mesh.rotation.x = -Math.PI / 2;
  return mesh;
}

function pointsOf(geometry: BufferGeometry): Points {
  const vertexColors = geometry.hasAttribute('color');
  const color = vertexColors ? 0xffffff : 0x8fb3b8;
  const points = new Points(
    geometry,
    new PointsMaterial({ color, vertexColors, size: pointPixels, sizeAttenuation: false }),
  );
  points.rotation.x = -Math.PI / 2;
  return points;
}

const loadTimeoutMs = 30_000;

/** Nodes that refer to each other would make the loader wait forever. */
async function timeout(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, loadTimeoutMs));
  throw new ViewerError('The model takes too long to open.');
}
