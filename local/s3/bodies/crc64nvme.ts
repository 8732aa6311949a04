/**
 * CRC-64/NVME (reflected polynomial 0x9a6c9329ac4bc9b5) over pieces; `digest` is 8 bytes, big-endian.
 *
 * Kept as two 32-bit halves, because BigInt arithmetic is some fifty times slower. Eight bytes are taken at
 * once, each from a table of its own ("slicing-by-8"): every stored object passes through here.
 */
export function crc64nvme() {
  let high = 0xffffffff;
  let low = 0xffffffff;
  return {
    update(bytes: Uint8Array): void {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const sliced = bytes.length - (bytes.length % 8);
      let h = high;
      let l = low;
      for (let i = 0; i < sliced; i += 8) {
        const first = l ^ view.getInt32(i, true);
        const last = h ^ view.getInt32(i + 4, true);
        l = sliceOf(NVME.low, first, last);
        h = sliceOf(NVME.high, first, last);
      }
      for (let i = sliced; i < bytes.length; i++) {
        const index = (l ^ entry(bytes, i)) & 0xff;
        l = ((l >>> 8) | (h << 24)) ^ entry(NVME.low, index);
        h = (h >>> 8) ^ entry(NVME.high, index);
      }
      high = h;
      low = l;
    },
    digest(): Buffer {
      const out = Buffer.alloc(8);
      out.writeUInt32BE(~high >>> 0, 0);
      out.writeUInt32BE(~low >>> 0, 4);
      return out;
    },
  };
}

/** One half of the CRC after eight bytes, which were combined with the CRC before them. */
function sliceOf(table: Int32Array, first: number, last: number): number {
  return (
    entry(table, 0x700 | (first & 0xff)) ^
    entry(table, 0x600 | ((first >>> 8) & 0xff)) ^
    entry(table, 0x500 | ((first >>> 16) & 0xff)) ^
    entry(table, 0x400 | (first >>> 24)) ^
    entry(table, 0x300 | (last & 0xff)) ^
    entry(table, 0x200 | ((last >>> 8) & 0xff)) ^
    entry(table, 0x100 | ((last >>> 16) & 0xff)) ^
    entry(table, last >>> 24)
  );
}

function entry(table: Uint8Array | Int32Array, index: number): number {
  return table[index] ?? 0;
}

const NVME = nvmeTables();

/** Eight tables of 256 entries: the CRC of a byte, and of a byte with one to seven zeros after it. */
function nvmeTables() {
  const high = new Int32Array(8 * 256);
  const low = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = BigInt(byte);
    for (let bit = 0; bit < 8; bit++) {
      value = value & 1n ? (value >> 1n) ^ 0x9a6c9329ac4bc9b5n : value >> 1n;
    }
    high[byte] = Number(value >> 32n);
    low[byte] = Number(value & 0xffffffffn);
  }
  for (let at = 256; at < 8 * 256; at++) {
    const [h, l] = [entry(high, at - 256), entry(low, at - 256)];
    low[at] = ((l >>> 8) | (h << 24)) ^ entry(low, l & 0xff);
    high[at] = (h >>> 8) ^ entry(high, l & 0xff);
  }
  return { high, low };
}
