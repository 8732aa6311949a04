/** The picture in JPEG that a camera puts into its own format. */
export interface RawPhoto {
  width: number;
  height: number;
  jpeg: Uint8Array<ArrayBuffer>;
  /** Whether it says itself how the camera was held. */
  isOriented: boolean;
}

/** The largest JPEG in a file, which decoders read up to its end. */
export function largestJpeg(bytes: Uint8Array<ArrayBuffer>): RawPhoto | undefined {
  let largest: RawPhoto | undefined;
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] !== 0xd8 || bytes[at + 2] !== 0xff) continue;
    const photo = readJpeg(bytes.subarray(at));
    if (photo === undefined) continue;
    if (largest === undefined || photo.width * photo.height > largest.width * largest.height) {
      largest = photo;
    }
  }
  return largest;
}

/** Cameras write fewer segments before the size. */
const mostSegments = 64;

/** Reads the segments up to the size (ITU-T T.81, annex B); sensors' own data is JPEG of another kind. */
function readJpeg(jpeg: Uint8Array<ArrayBuffer>): RawPhoto | undefined {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  let isOriented = false;
  for (let at = 2, count = 0; at + 9 < jpeg.length && count < mostSegments; count += 1) {
    const marker = view.getUint16(at);
    if (marker >= 0xffc0 && marker <= 0xffc2) {
      if (view.getUint8(at + 4) !== 8) return undefined;
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7), jpeg, isOriented };
    }
    // Tables, comments and data of applications have a length.
    if (marker !== 0xffc4 && marker < 0xffdb) return undefined;
    isOriented ||= marker === 0xffe1 && view.getUint32(at + 4) === 0x4578_6966;
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
