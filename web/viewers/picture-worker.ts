import { answerMessages } from './parts/worker-answer.ts';
import { pixelsToBlob, readPixels } from './pictures/canvas-pixels.ts';
import { decodePicture, type PictureRequest } from './pictures/decode-picture.ts';
import { turnPixels } from './pictures/pixels.ts';
import type { PictureAnswer } from './pictures/show-decoded.ts';

/** Pictures of photographers and printers. */
answerMessages(async (request: PictureRequest): Promise<PictureAnswer> => {
  const { picture, orientation, pages } = await decodePicture(request);
  if (!(picture instanceof Uint8Array)) {
    return { picture: await pixelsToBlob(turnPixels(picture, orientation)), pages };
  }
  const jpeg = new Blob([picture], { type: 'image/jpeg' });
  if (orientation < 2) return { picture: jpeg, pages };
  return { picture: await pixelsToBlob(turnPixels(await readPixels(jpeg), orientation)), pages };
});
