import { BufferAttribute, BufferGeometry, Mesh, type Object3D, Points } from 'three';

/**
 * Puts points whose place is no number, or infinite, into the middle: one of them would leave no size of the model,
 * and all of it would be out of view. A face of an OBJ may name a point that the file does not have.
 */
export function repairPositions(part: Object3D): void {
  if (!(part instanceof Mesh || part instanceof Points)) return;
  if (!(part.geometry instanceof BufferGeometry) || !part.geometry.hasAttribute('position')) return;
  const { geometry } = part;
  for (const name of Object.keys(geometry.attributes)) {
    const { array, itemSize } = geometry.getAttribute(name);
    // Graphics cards do not take numbers of 64 bits, which scanners write into a PLY.
    if (array instanceof Float64Array)
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(array), itemSize));
  }
  const positions = geometry.getAttribute('position');
  for (let at = 0; at < positions.count; at += 1) {
    // The sum of three finite numbers of 32 bits is finite.
    if (!Number.isFinite(positions.getX(at) + positions.getY(at) + positions.getZ(at))) {
      positions.setXYZ(at, 0, 0, 0);
    }
  }
}
