import { ViewerError } from '../parts/fetch-file.ts';

const frameMark = 0x184d2204;
/** Bits of the flags (LZ4 frame format 1.6.4). */
const flags = { blockSum: 0x10, contentSize: 0x08, dictionary: 0x01 } as const;
const storedBit = 0x8000_0000;

function damaged(): ViewerError {
  return new ViewerError('The file is damaged, or its content does not match its name.');
}

/**
 * Unpacks one LZ4 frame into `length` bytes, and no more. `hyparquet-compressors` unpacks blocks alone,
 * and those of a frame may refer to the ones before.
 * @throws ViewerError if it is damaged
 */
export function unpackLz4Frame(packed: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (view.getUint32(0, true) !== frameMark) throw damaged();
  const has = (flag: number) => (view.getUint8(4) & flag) !== 0;
  let at = 7 + (has(flags.contentSize) ? 8 : 0) + (has(flags.dictionary) ? 4 : 0);
  const output = new Uint8Array(length);
  let written = 0;
  while (written < length) {
    const size = view.getUint32(at, true);
    const bytes = size % storedBit;
    const block = packed.subarray(at + 4, at + 4 + bytes);
    if (size === 0 || block.length < bytes) throw damaged();
    if (size >= storedBit) {
      output.set(block, written);
      written += bytes;
    } else {
      written = unpackBlock(block, output, written);
    }
    at += 4 + bytes + (has(flags.blockSum) ? 4 : 0);
  }
  return output;
}

/** Returns where the output of the block ends (LZ4 block format). */
function unpackBlock(block: Uint8Array, output: Uint8Array, start: number): number {
  let at = 0;
  let end = start;
  const lengthFrom = (bits: number) => {
    let length = bits;
    for (let more = bits === 15; more; ) {
      const byte = block[at] ?? 0;
      at += 1;
      length += byte;
      more = byte === 255;
    }
    return length;
  };
  while (at < block.length) {
    const token = block[at] ?? 0;
    at += 1;
    const literals = lengthFrom(token >> 4);
    output.set(block.subarray(at, at + literals), end);
    at += literals;
    end += literals;
    if (at >= block.length) break;
    const distance = (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8);
    at += 2;
    const copied = lengthFrom(token & 15) + 4;
    if (distance === 0 || distance > end || end + copied > output.length) throw damaged();
    for (const last = end + copied; end < last; end += 1) output[end] = output[end - distance] ?? 0;
  }
  return end;
}
