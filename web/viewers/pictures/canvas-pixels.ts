import type { Pixels } from './pixels.ts';

/** A picture that every browser shows: with it, zoom and copying work as with any other. */
export async function pixelsToBlob({ width, height, rgba }: Pixels): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.putImageData(new ImageData(rgba, width, height), 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}

/** The points of a picture that the browser can decode. */
export async function readPixels(jpeg: Blob): Promise<Pixels> {
  const bitmap = await createImageBitmap(jpeg);
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context?.drawImage(bitmap, 0, 0);
  const rgba = context?.getImageData(0, 0, width, height).data ?? [];
  return { width, height, rgba: new Uint8ClampedArray(rgba) };
}
