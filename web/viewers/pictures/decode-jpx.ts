import { JpxImage } from 'pdfjs-dist/legacy/image_decoders/pdf.image_decoders.mjs';
import type { PictureRequest } from './decode-picture.ts';
import { checkSize, type Pixels } from './pixels.ts';

/** The pixels of a JPEG 2000 picture, by the decoder that pdf.js brings. */
export async function decodeJpx({ bytes, decoder }: PictureRequest): Promise<Pixels> {
  const { width, height } = JpxImage.parseImageProperties(bytes);
  checkSize({ width, height });
  JpxImage.setOptions({ useWasm: true, useWorkerFetch: true, wasmUrl: decoder });
  return { width, height, rgba: await JpxImage.decode(bytes, { numComponents: 0 }) };
}
