import {
  type AnimationClip,
  type BufferGeometry,
  LoadingManager,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Points,
  PointsMaterial,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js';
import { PLYLoader } from 'three/addons/loaders/PLYLoader.js';
import { STLLoader } from 'three/addons/loaders/STLLoader.js';
import { checkGltf, checkStl } from './check-model.ts';
import { Unshowable } from './unshowable.ts';

/** Something to look at, and how it moves, if it does. */
export interface Model {
  object: Object3D;
  clips: readonly AnimationClip[];
}

/** Reads a model by the ending of its name; nothing beside the file is loaded. */
export async function loadModel(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Model> {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (ending === 'stl') {
    checkStl(bytes);
    return still(meshOf(new STLLoader().parse(bytes.buffer)));
  }
  if (ending === 'ply') {
    const geometry = new PLYLoader().parse(bytes.buffer);
    // A scan may be points alone.
    return still(geometry.index === null ? pointsOf(geometry) : meshOf(geometry));
  }
  if (ending === 'obj') {
    const object = new OBJLoader().parse(new TextDecoder().decode(bytes));
    return still(object);
  }
  checkGltf(bytes);
  const { scene, animations } = await Promise.race([
    new GLTFLoader(ownParts()).parseAsync(bytes.buffer, ''),
    tooLate(),
  ]);
  return { object: scene, clips: animations };
}

function still(object: Object3D): Model {
  return { object, clips: [] };
}

/** Formats that know shapes alone are seen in one calm colour, unless their points have some. */
function meshOf(geometry: BufferGeometry): Mesh {
  if (!geometry.hasAttribute('normal')) geometry.computeVertexNormals();
  const colours = geometry.hasAttribute('color');
  const mesh = new Mesh(
    geometry,
    new MeshStandardMaterial({
      color: colours ? 0xffffff : 0x8fb3b8,
      vertexColors: colours,
      metalness: 0.05,
      roughness: 0.6,
    }),
  );
  // Printers and scanners have their height in z.
  mesh.rotation.x = -Math.PI / 2;
  return mesh;
}

function pointsOf(geometry: BufferGeometry): Points {
  const vertexColors = geometry.hasAttribute('color');
  const color = vertexColors ? 0xffffff : 0x8fb3b8;
  const points = new Points(
    geometry,
    new PointsMaterial({ color, vertexColors, size: 2, sizeAttenuation: false }),
  );
  points.rotation.x = -Math.PI / 2;
  return points;
}

const patienceMs = 30_000;

/** Parts that hold one another are waited for without an end. */
async function tooLate(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, patienceMs));
  throw new Unshowable('It takes too long to open.');
}

/** Lets a model load what it carries in itself, nothing else. */
function ownParts(): LoadingManager {
  const manager = new LoadingManager();
  manager.setURLModifier((url) => (/^(?:data|blob):/.test(url) ? url : 'data:,'));
  return manager;
}
