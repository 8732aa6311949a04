import { init } from '@jsquash/jxl/decode.js';
import { decode, decodeImage, type IFD, toRGBA8 } from 'utif2';
import { ViewerError } from '../parts/fetch-file.ts';
import { jxlSize, type PictureSize } from './jxl-size.ts';

/** A picture that the browser cannot show by itself. */
export interface PictureRequest {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The address of the decoder of JPEG XL. */
  jxl: string;
}

/** A picture of more pixels takes more memory than a phone gives to a page. */
const mostPixels = 50_000_000;

interface Pixels extends PictureSize {
  rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** The pixels of a TIFF or JPEG XL picture. Throws ViewerError if it is too large or damaged. */
export function decodePicture({ name, bytes, jxl }: PictureRequest): Promise<Pixels> | Pixels {
  return /\.jxl$/i.test(name) ? decodeJxl(bytes, jxl) : decodeTiff(bytes);
}

function checkSize(size: PictureSize | undefined): void {
  if (size === undefined || !(size.width > 0 && size.height > 0)) throw damaged();
  if (size.width * size.height > mostPixels) {
    throw new ViewerError('The picture has too many pixels to show here.');
  }
}

function damaged(): ViewerError {
  return new ViewerError('The file is damaged, or its content does not match its name.');
}

async function decodeJxl(bytes: Uint8Array<ArrayBuffer>, url: string): Promise<Pixels> {
  checkSize(jxlSize(bytes));
  const decoder = await init({ locateFile: () => url });
  const image = decoder.decode(bytes);
  if (image === null) throw damaged();
  return { width: image.width, height: image.height, rgba: new Uint8ClampedArray(image.data) };
}

/** The largest of its pages: others are previews. */
function decodeTiff(bytes: Uint8Array<ArrayBuffer>): Pixels {
  const pages = decode(bytes.buffer).map((page) => ({ page, size: sizeOf(page) }));
  const [largest] = pages.sort(
    (a, b) => b.size.width * b.size.height - a.size.width * a.size.height,
  );
  checkSize(largest?.size);
  if (largest === undefined) throw damaged();
  decodeImage(bytes.buffer, largest.page);
  const { width, height } = largest.page;
  checkSize({ width, height });
  return { width, height, rgba: new Uint8ClampedArray(toRGBA8(largest.page)) };
}

/** Tags 256 and 257 (TIFF 6.0, section 3). */
function sizeOf(page: IFD): PictureSize {
  return { width: numberOf(page['t256']), height: numberOf(page['t257']) };
}

function numberOf(tag: unknown): number {
  return Array.isArray(tag) ? Number(tag[0]) || 0 : 0;
}
