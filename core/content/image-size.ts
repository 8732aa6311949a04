/** The size of an image in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/**
 * The bytes at the start of a file that contain the image size, except in photos with long
 * metadata.
 */
export const imageHeadBytes = 64 * 1024;

/**
 * The size of a PNG, GIF, JPEG or WebP, from the first bytes of its file; `undefined` if they do
 * not contain it.
 */
export function imageSize(head: Uint8Array): ImageSize | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  try {
    const size = readSize(bytes);
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    // Read past the end: the file is cut short or is not an image.
    return undefined;
  }
}

function readSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.readUInt32BE(0) === 0x89504e47) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) {
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  if (bytes.readUInt16BE(0) === 0xffd8) return jpegSize(bytes);
  if (/^RIFF....WEBP$/s.test(bytes.toString('latin1', 0, 12))) return webpSize(bytes);
  return undefined;
}

/** ITU-T T.81 §B.1: segments up to the frame header, SOF0 to SOF15 without DHT, JPG and DAC. */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  const noFrames = new Set([0xc4, 0xc8, 0xcc]);
  let at = 2;
  while (bytes.readUInt8(at) === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && !noFrames.has(marker)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    // Any number of 0xFF bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** RFC 9649: lossy, lossless and extended. */
function webpSize(bytes: Buffer): ImageSize | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return {
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
      };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
