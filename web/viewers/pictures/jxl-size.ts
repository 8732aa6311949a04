/** Width and height of a picture in pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

/**
 * The size of a JPEG XL picture, from its first bytes (ISO/IEC 18181-1, size header; part 2 for the
 * container). Its decoder makes room for what they say.
 */
export function jxlSize(bytes: Uint8Array): PictureSize | undefined {
  const start = codestreamStart(bytes);
  if (start === undefined) return undefined;
  const read = bitReader(bytes.subarray(start, start + 32));
  const isSmall = read(1) === 1;
  const height = isSmall ? (read(5) + 1) * 8 : readSize(read);
  const ratio = ratios[read(3)];
  if (ratio !== undefined) return { width: Math.floor(height * ratio), height };
  return { width: isSmall ? (read(5) + 1) * 8 : readSize(read), height };
}

const ratios = [undefined, 1, 12 / 10, 4 / 3, 3 / 2, 16 / 9, 5 / 4, 2];

type BitReader = (count: number) => number;

function readSize(read: BitReader): number {
  return 1 + read([9, 13, 18, 30][read(2)] ?? 9);
}

/** Least significant bits first. */
function bitReader(bytes: Uint8Array): BitReader {
  let at = 0;
  return (count) => {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, at += 1) {
      value += (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) * 2 ** bit;
    }
    return value;
  };
}

/** Behind the signature of a bare codestream, or of the one in the box `jxlc` or the first `jxlp`. */
function codestreamStart(bytes: Uint8Array): number | undefined {
  if (isCodestream(bytes, 0)) return 2;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 16 < bytes.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCodePoint(...bytes.subarray(at + 4, at + 8));
    const content = at + (length === 1 ? 16 : 8) + (type === 'jxlp' ? 4 : 0);
    if (type === 'jxlc' || type === 'jxlp')
      return isCodestream(bytes, content) ? content + 2 : undefined;
    // A box that ends with the file, or is longer than 4 GB, has no codestream behind it.
    if (length < 8) return undefined;
    at += length;
  }
  return undefined;
}

function isCodestream(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xff && bytes[at + 1] === 0x0a;
}
