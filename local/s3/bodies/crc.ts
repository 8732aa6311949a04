/** CRC-32C (Castagnoli, RFC 3720 appendix B.4) over pieces; `digest` is 4 bytes, big-endian. */
export function crc32c() {
  let crc = 0xffffffff;
  return {
    update(bytes: Uint8Array): void {
      let value = crc;
      for (let i = 0; i < bytes.length; i++) {
        value = entry(CASTAGNOLI, (value ^ entry(bytes, i)) & 0xff) ^ (value >>> 8);
      }
      crc = value;
    },
    digest(): Buffer {
      const out = Buffer.alloc(4);
      out.writeUInt32BE(~crc >>> 0);
      return out;
    },
  };
}

/**
 * CRC-64/NVME (reflected polynomial 0x9a6c9329ac4bc9b5) over pieces; `digest` is 8 bytes, big-endian.
 *
 * Kept as two 32-bit halves, because BigInt arithmetic is some fifty times slower.
 */
export function crc64nvme() {
  let high = 0xffffffff;
  let low = 0xffffffff;
  return {
    update(bytes: Uint8Array): void {
      let h = high;
      let l = low;
      for (let i = 0; i < bytes.length; i++) {
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

function entry(table: Uint8Array | Int32Array, index: number): number {
  return table[index] ?? 0;
}

const CASTAGNOLI = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

const NVME = nvmeTables();

function nvmeTables() {
  const high = new Int32Array(256);
  const low = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let value = BigInt(byte);
    for (let bit = 0; bit < 8; bit++) {
      value = value & 1n ? (value >> 1n) ^ 0x9a6c9329ac4bc9b5n : value >> 1n;
    }
    high[byte] = Number(value >> 32n);
    low[byte] = Number(value & 0xffffffffn);
  }
  return { high, low };
}
