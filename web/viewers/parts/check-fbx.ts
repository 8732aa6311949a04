/** All lists of a model, unpacked. */
const mostBytes = 400 * 1024 * 1024;

/** Bytes of a value by the letter of its type; texts (S) and raw data (R) say their length. */
const valueBytes: Readonly<Record<string, number>> = { C: 1, Y: 2, I: 4, F: 4, D: 8, L: 8 };
/** Bytes of an item of a list, which may be packed (zlib). */
const itemBytes: Readonly<Record<string, number>> = { b: 1, c: 1, i: 4, f: 4, d: 8, l: 8 };

/**
 * Whether the packed lists of a binary FBX are short enough: its loader unpacks each whole, whatever it says. The
 * records follow one another, parents before their children, and the loader reads them in this order.
 */
export async function areListsShort(
  bytes: Uint8Array<ArrayBuffer>,
  most = mostBytes,
): Promise<boolean> {
  if (new TextDecoder('latin1').decode(bytes.subarray(0, 18)) !== 'Kaydara FBX Binary') return true;
  let count = 0;
  for (const list of packedLists(bytes)) {
    const stream = new Blob([list]).stream().pipeThrough(new DecompressionStream('deflate'));
    const reader = stream.getReader();
    // The loader has its own words for a list that cannot be unpacked.
    const next = async () => reader.read().catch(() => ({ done: true, value: undefined }));
    for (let part = await next(); !part.done; part = await next()) {
      count += part.value?.length ?? 0;
      if (count <= most) continue;
      await reader.cancel();
      return false;
    }
  }
  return true;
}

function* packedLists(bytes: Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint32(23, true) >= 7500 ? 8 : 4;
  const head = 3 * size + 1;
  for (let at = 27; at + head <= bytes.length; ) {
    const isEnd = view.getUint32(at, true) === 0;
    const count = isEnd ? 0 : view.getUint32(at + size, true);
    at += head + view.getUint8(at + head - 1);
    for (let index = 0; index < count; index += 1) {
      const property = readProperty(view, at);
      // What follows the records is none.
      if (property === undefined) return;
      if (property.isPacked) yield bytes.subarray(property.from, property.end);
      at = property.end;
    }
  }
}

/** Where the bytes of a property are, behind the letter of its type. */
function readProperty(view: DataView, at: number) {
  if (at + 13 > view.byteLength) return undefined;
  const letter = String.fromCodePoint(view.getUint8(at));
  const value = valueBytes[letter];
  if (value !== undefined) return { from: at + 1, end: at + 1 + value, isPacked: false };
  const length = view.getUint32(at + 1, true);
  if (letter === 'S' || letter === 'R') {
    return { from: at + 5, end: at + 5 + length, isPacked: false };
  }
  const item = itemBytes[letter];
  if (item === undefined) return undefined;
  const isPacked = view.getUint32(at + 5, true) !== 0;
  const from = at + 13;
  return { from, end: from + (isPacked ? view.getUint32(at + 9, true) : length * item), isPacked };
}

const colourLayer = 'LayerElementColor';

/**
 * An FBX whose points have no colours of their own: its loader gives up where a list of colours lacks its index.
 * Records of another name are passed over. `undefined` if it has no such colours.
 */
export function withoutColours(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const text = new TextDecoder('latin1').decode(bytes);
  const changed = Uint8Array.from(bytes);
  let at = text.indexOf(colourLayer);
  if (at === -1) return undefined;
  for (; at !== -1; at = text.indexOf(colourLayer, at + 1)) changed[at] = 0x58;
  return changed;
}
