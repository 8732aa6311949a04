import { isRecord, listOf, parseRecord } from '../../../core/json.ts';
import { ViewerError } from './fetch-file.ts';

const damaged = 'The file is damaged, or its content does not match its name.';

/** A compression of models that needs a decoder of its own. */
export type Compression = 'draco' | 'meshopt' | 'basis';

const knownCompressions: Record<string, Compression> = {
  KHR_draco_mesh_compression: 'draco',
  EXT_meshopt_compression: 'meshopt',
  KHR_meshopt_compression: 'meshopt',
  KHR_texture_basisu: 'basis',
};

/**
 * Refuses a glTF whose shape needs more than is in its one file (glTF 2.0, sections 3.6, 3.12 and 4.4), or in
 * its bundle. Returns the decoders that it needs.
 */
export function checkGltf(bytes: Uint8Array, isInBundle = false): Set<Compression> {
  const gltf = parse(jsonOf(bytes));
  checkVersion(gltf['asset']);
  const compressions = compressionsIn(gltf);
  checkPoints(listOf(gltf['accessors']), compressions.has('draco'));
  checkParts(gltf);
  // Without its pictures, a model has its shape all the same.
  const uris = listOf(gltf['buffers']).flatMap(foreignUri);
  const missing = isInBundle ? uris.filter((uri) => /^[a-z][a-z\d+.-]*:|^\/\//i.test(uri)) : uris;
  if (missing.length > 0) {
    const named = missing.slice(0, 3).join(', ') + (missing.length > 3 ? ' and more' : '');
    throw new ViewerError(
      `The model needs other files: ${named}. Save it as .glb to keep everything in one file.`,
    );
  }
  return compressions;
}

function compressionsIn(gltf: Record<string, unknown>): Set<Compression> {
  return new Set(
    listOf(gltf['extensionsUsed']).flatMap((name) =>
      typeof name === 'string' ? (knownCompressions[name] ?? []) : [],
    ),
  );
}

/**
 * The text of an STL that is text, as its loader reads it: it knows lower case only, and no byte order
 * mark. `undefined` for a binary one, whose header may begin with the same word.
 */
export async function stlText(bytes: Uint8Array): Promise<string | undefined> {
  const { decodeText } = await import('../tables/decode-table.ts');
  const text = (some: Uint8Array) =>
    decodeText(some)
      .replace(/^\uFEFF/, '')
      .trimStart();
  const start = text(bytes.subarray(0, 2048)).toLowerCase();
  const isText = start.startsWith('solid') && /\b(?:facet|endsolid)\b/.test(start);
  // The loader looks for a number of triangles behind the 80 bytes of a header.
  return isText ? text(bytes).toLowerCase().padEnd(84) : undefined;
}

/** Refuses a binary STL that says it has more triangles than it has: room for all of them would be made. */
export function checkStl(bytes: Uint8Array): void {
  if (new TextDecoder('latin1').decode(bytes.subarray(0, 512)).trimStart().startsWith('solid'))
    return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 84 || bytes.length < 84 + view.getUint32(80, true) * 50) {
    throw new ViewerError(damaged);
  }
}

/** A binary glTF has its JSON in the first chunk (section 4.4.3); the other kind is all JSON. */
function jsonOf(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 20 || view.getUint32(0, true) !== 0x46546c67) return bytes;
  return bytes.subarray(20, 20 + view.getUint32(12, true));
}

function parse(json: Uint8Array): Record<string, unknown> {
  const value = parseRecord(new TextDecoder().decode(json));
  if (value === undefined) throw new ViewerError(damaged);
  return value;
}

/** Version 1 was another format (glTF 2.0, section 3.2). */
function checkVersion(asset: unknown): void {
  if (isRecord(asset) && !String(asset['version']).startsWith('1')) return;
  throw new ViewerError(
    'The model has a form of glTF from before 2017 (1.0). Save it again as glTF 2.0, for example in Blender.',
  );
}

/** Numbers of all accessors together; of those with room of their own; and of those that Draco fills. */
const mostNumbers = { all: 200_000_000, made: 20_000_000, packed: 100_000_000 } as const;
const numbersOf = new Map<unknown, number>([
  ['VEC2', 2],
  ['VEC3', 3],
  ['VEC4', 4],
  ['MAT2', 4],
  ['MAT3', 9],
  ['MAT4', 16],
]);

/** Room is made for what an accessor says, where nothing or a part alone backs it (glTF 2.0, section 3.6.2.3). */
function checkPoints(accessors: readonly unknown[], isPacked: boolean): void {
  let all = 0;
  let made = 0;
  for (const accessor of accessors) {
    const { count, type, bufferView, sparse } = isRecord(accessor) ? accessor : {};
    const numbers =
      typeof count === 'number' && count >= 0 ? count * (numbersOf.get(type) ?? 1) : Infinity;
    all += numbers;
    if (bufferView === undefined || sparse !== undefined) made += numbers;
  }
  if (all > mostNumbers.all || made > (isPacked ? mostNumbers.packed : mostNumbers.made)) {
    throw new ViewerError('The model has too many points to show here.');
  }
}

/** A model of 100,000 parts is drawn (see `load-model.ts`), and may have half as many nodes that draw nothing. */
const mostParts = 150_000;

/** The loader stands still while it makes an object of each node and each primitive (sections 3.5.3 and 3.7.2.1). */
function checkParts(gltf: Record<string, unknown>): void {
  const primitives = listOf(gltf['meshes']).map(
    (mesh) => listOf(isRecord(mesh) ? mesh['primitives'] : undefined).length,
  );
  let parts = 0;
  for (const node of listOf(gltf['nodes'])) {
    const mesh = isRecord(node) ? node['mesh'] : undefined;
    parts += Math.max(1, typeof mesh === 'number' ? (primitives[mesh] ?? 0) : 0);
  }
  if (parts > mostParts) throw new ViewerError('The model has too many parts to show here.');
}

function foreignUri(part: unknown): string[] {
  const uri = isRecord(part) ? part['uri'] : undefined;
  return typeof uri !== 'string' || uri.startsWith('data:') ? [] : [uri];
}

/** The address of the picture of a texture, unless that is in the file itself. */
export function addressOfTexture(gltf: unknown, index: number): string | undefined {
  if (!isRecord(gltf)) return undefined;
  const texture = listOf(gltf['textures'])[index];
  const source = isRecord(texture) ? texture['source'] : undefined;
  return typeof source === 'number' ? foreignUri(listOf(gltf['images'])[source])[0] : undefined;
}
