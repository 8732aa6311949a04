import { init } from '@jsquash/jxl/decode.js';
import { classicTiff } from './classic-tiff.ts';
import { jxlSize } from './jxl-size.ts';
import { checkSize, damagedPicture, type Pixels } from './pixels.ts';
import { largestJpeg } from './raw-photo.ts';
import { isNetpbm, readNetpbm } from './read-netpbm.ts';
import { psdHeader, readPsd } from './read-psd.ts';
import { readTga } from './read-tga.ts';
import { decodeTiffPage, orientationOf, tiffPages, tiffSize } from './read-tiff.ts';

/** A picture that the browser cannot show by itself. */
export interface PictureRequest {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The address of the WebAssembly of its decoder, or of the folder where that is. */
  decoder: string;
  /** From 0; a TIFF may have several. */
  page: number;
}

/** A picture whose points are known, or a JPEG that the browser reads. */
export interface DecodedPicture {
  picture: Pixels | Uint8Array<ArrayBuffer>;
  /** How it is turned (TIFF 6.0, tag Orientation). */
  orientation: number;
  pages: number;
}

/** Decodes a page of a picture. Throws ViewerError if it is too large or damaged. */
export async function decodePicture(request: PictureRequest): Promise<DecodedPicture> {
  const { name, bytes, decoder } = request;
  if (/\.jxl$/i.test(name)) return single(await decodeJxl(bytes, decoder));
  if (/\.tga$/i.test(name)) return single(readTga(bytes));
  if (isNetpbm(bytes)) return single(readNetpbm(bytes));
  const header = psdHeader(bytes);
  if (header !== undefined) {
    checkSize(header);
    return single(readPsd(bytes, header));
  }
  return (/\.tiff?$/i.test(name) ? undefined : rawPhoto(bytes)) ?? decodeTiff(request);
}

const single = (picture: DecodedPicture['picture'], orientation = 1) => ({
  picture,
  orientation,
  pages: 1,
});

async function decodeJxl(bytes: Uint8Array<ArrayBuffer>, url: string): Promise<Pixels> {
  checkSize(jxlSize(bytes));
  const decoder = await init({ locateFile: () => url });
  const image = decoder.decode(bytes);
  if (image === null) throw damagedPicture();
  return { width: image.width, height: image.height, rgba: new Uint8ClampedArray(image.data) };
}

/** What the camera developed; the data of its sensor is left to other programs. */
function rawPhoto(bytes: Uint8Array<ArrayBuffer>): DecodedPicture | undefined {
  const photo = largestJpeg(bytes);
  if (photo === undefined) return undefined;
  checkSize(photo);
  return single(photo.jpeg, photo.isOriented ? 1 : orientationOf(bytes));
}

function decodeTiff({ bytes: file, page }: PictureRequest): DecodedPicture {
  const bytes = classicTiff(file);
  const pages = tiffPages(bytes);
  const shown = pages[page];
  if (shown === undefined) throw damagedPicture();
  checkSize(tiffSize(shown));
  return { ...decodeTiffPage(bytes, shown), pages: pages.length };
}
