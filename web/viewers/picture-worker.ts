import { answerMessages } from './parts/worker-answer.ts';
import { decodePicture, type PictureRequest } from './pictures/decode-picture.ts';

/** A picture that every browser shows: with it, zoom and copying work as with any other. */
answerMessages(async (request: PictureRequest): Promise<Blob> => {
  const { width, height, rgba } = await decodePicture(request);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.putImageData(new ImageData(rgba, width, height), 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
});
