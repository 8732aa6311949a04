import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Material,
  Matrix3,
  type Matrix4,
  Mesh,
  type Object3D,
  Texture,
  Vector3,
} from 'three';

/** Corners of all triangles: parts that shared a shape have one each afterwards. */
const mostCorners = 5_000_000;
/** What a corner has beside its place. */
const looks = ['normal', 'uv', 'uv1', 'color'] as const;

/** Triangles of one look, and where their part is in the model. */
interface Piece {
  geometry: BufferGeometry;
  material: Material;
  place: Matrix4;
  start: number;
  count: number;
}

/**
 * Makes one part of all surfaces of a model without motion that look alike, because a browser draws every part for
 * itself: models of buildings and machines have tens of thousands. It stays as it is if that would take too much room.
 */
export function mergeParts(object: Object3D): void {
  object.updateMatrixWorld(true);
  const toModel = object.matrixWorld.clone().invert();
  const parts: Mesh[] = [];
  object.traverse((part) => {
    if (part !== object && isSurface(part)) parts.push(part);
  });
  const pieces = parts.flatMap((part) =>
    piecesOf(part, toModel.clone().multiply(part.matrixWorld)),
  );
  if (pieces.reduce((sum, { count }) => sum + count, 0) > mostCorners) return;
  takeOut(object, new Set(parts));
  for (const alike of piecesByLook(pieces)) object.add(joined(alike));
}

/** One by one would take the square of their number. */
function takeOut(object: Object3D, parts: ReadonlySet<Object3D>): void {
  const kept = [...parts].flatMap(({ children }) => children.filter((child) => !parts.has(child)));
  for (const child of kept) object.attach(child);
  object.traverse((part) => {
    part.children = part.children.filter((child) => !parts.has(child));
  });
}

function piecesByLook(pieces: readonly Piece[]): Iterable<[Piece, ...Piece[]]> {
  const materials = new Map<Material, string>();
  const alike = new Map<string, [Piece, ...Piece[]]>();
  for (const piece of pieces) {
    const { material, geometry } = piece;
    const look = materials.get(material) ?? lookOf(material);
    materials.set(material, look);
    const key = [look, ...looks.map((name) => geometry.attributes[name]?.itemSize ?? 0)].join(' ');
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [piece]);
    else others.push(piece);
  }
  return alike.values();
}

/** A surface that neither bends nor is drawn many times. */
function isSurface(part: Object3D): part is Mesh {
  const others = ['isSkinnedMesh', 'isInstancedMesh', 'isBatchedMesh'];
  if (!(part instanceof Mesh) || others.some((other) => other in part)) return false;
  return part.geometry.hasAttribute('position') && part.morphTargetInfluences === undefined;
}

function piecesOf({ geometry, material }: Mesh, place: Matrix4): Piece[] {
  const all = geometry.index?.count ?? geometry.getAttribute('position').count;
  const piece = (one: Material | undefined, start: number, count: number): Piece[] => {
    const whole = 3 * Math.floor(Math.min(count, all - start) / 3);
    return one === undefined || whole <= 0
      ? []
      : [{ geometry, material: one, place, start, count: whole }];
  };
  if (!Array.isArray(material)) return piece(material, 0, all);
  return geometry.groups.flatMap(({ start, count, materialIndex = 0 }) =>
    piece(material[materialIndex], start, count),
  );
}

const own = new Set(['uuid', 'name', 'version', 'userData']);

/** The same for materials that cannot be told apart. */
function lookOf(material: Material): string {
  const values: unknown[] = [material.type];
  for (const [key, value] of Object.entries(material)) {
    if (value instanceof Texture) return material.uuid;
    if (value instanceof Color) values.push(key, value.getHex());
    else if (typeof value !== 'object' && !own.has(key)) values.push(key, value);
  }
  return values.join(' ');
}

function joined(pieces: readonly [Piece, ...Piece[]]): Mesh {
  const [first] = pieces;
  const corners = pieces.reduce((sum, { count }) => sum + count, 0);
  const geometry = new BufferGeometry();
  for (const name of ['position', ...looks]) {
    const size = first.geometry.attributes[name]?.itemSize;
    if (size === undefined) continue;
    const values = new Float32Array(corners * size);
    let at = 0;
    for (const piece of pieces) {
      fill(values.subarray(at * size, (at + piece.count) * size), piece, name);
      at += piece.count;
    }
    geometry.setAttribute(name, new BufferAttribute(values, size));
  }
  return new Mesh(geometry, first.material);
}

/** Copies what the corners of a piece hold under a name, as it is in the model. */
function fill(values: Float32Array, { geometry, place, start, count }: Piece, name: string): void {
  const attribute = geometry.getAttribute(name);
  const size = attribute.itemSize;
  const turn = new Matrix3().getNormalMatrix(place);
  // A mirrored triangle would show its back.
  const isMirrored = place.determinant() < 0;
  const point = new Vector3();
  for (let corner = 0; corner < count; corner += 1) {
    const at = start + (isMirrored ? corner + 2 - 2 * (corner % 3) : corner);
    const from = geometry.index?.getX(at) ?? at;
    if (name === 'position' || name === 'normal') {
      point.fromBufferAttribute(attribute, from);
      if (name === 'position') point.applyMatrix4(place);
      else point.applyNormalMatrix(turn);
      point.toArray(values, corner * size);
    } else {
      for (let part = 0; part < size; part += 1)
        values[corner * size + part] = attribute.getComponent(from, part);
    }
  }
}
