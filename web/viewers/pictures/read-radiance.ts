import { FloatType } from 'three';
import { EXRLoader } from 'three/addons/loaders/EXRLoader.js';
import { HDRLoader } from 'three/addons/loaders/HDRLoader.js';
import type { PictureSize } from './jxl-size.ts';
import { checkSize, damagedPicture, type Pixels } from './pixels.ts';

/** Headers are some hundred bytes long, unless a program keeps its notes in them. */
const mostHeaderBytes = 64 * 1024;

/**
 * A picture that holds light instead of colours (OpenEXR, Radiance), as a screen shows it: what is brighter than white
 * is white.
 */
export function readRadiance(bytes: Uint8Array<ArrayBuffer>): Pixels {
  const isExr = [0x76, 0x2f, 0x31, 0x01].every((byte, at) => bytes[at] === byte);
  checkSize(isExr ? exrSize(bytes) : hdrSize(bytes));
  const loader = isExr ? new EXRLoader() : new HDRLoader();
  const { width, height, data } = loader.setDataType(FloatType).parse(bytes.buffer);
  const size = { width: width ?? 0, height: height ?? 0 };
  checkSize(size);
  return { ...size, rgba: screenColours(data ?? [], size, isExr) };
}

/** The attribute `dataWindow`, a box of its first and its last point (OpenEXR File Layout). */
function exrSize(bytes: Uint8Array<ArrayBuffer>): PictureSize {
  const name = 'dataWindow\0box2i\0';
  const at = new TextDecoder('latin1').decode(bytes.subarray(0, mostHeaderBytes)).indexOf(name);
  if (at === -1 || at + name.length + 20 > bytes.length) throw damagedPicture();
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + name.length + 4, 16);
  const [left, top, right, bottom] = [0, 4, 8, 12].map((from) => view.getInt32(from, true));
  return { width: (right ?? 0) - (left ?? 0) + 1, height: (bottom ?? 0) - (top ?? 0) + 1 };
}

/** The line behind the header. The decoder knows this order of points alone. */
function hdrSize(bytes: Uint8Array<ArrayBuffer>): PictureSize {
  const header = new TextDecoder('latin1').decode(bytes.subarray(0, mostHeaderBytes));
  const [, height, width] = /\n-Y\s+(\d{1,9})\s+\+X\s+(\d{1,9})\s*\n/.exec(header) ?? [];
  return { width: Number(width), height: Number(height) };
}

/** Light as a screen stores it (IEC 61966-2-1). The decoder of OpenEXR begins with the last line. */
function screenColours(
  light: ArrayLike<number>,
  { width, height }: PictureSize,
  isUpsideDown: boolean,
): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < rgba.length; at += 4) {
    const line = Math.floor(at / 4 / width);
    const from = isUpsideDown ? at + (height - 1 - 2 * line) * width * 4 : at;
    for (let channel = 0; channel < 3; channel += 1)
      rgba[at + channel] = screenValue(light[from + channel] ?? 0);
    rgba[at + 3] = 255 * (light[from + 3] ?? 1);
  }
  return rgba;
}

const screenValue = (light: number) =>
  255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
