import { answerMessages } from './parts/worker-answer.ts';
import { pixelsToBlob } from './pictures/canvas-pixels.ts';
import { decodeHeic } from './pictures/decode-heic.ts';
import type { PictureRequest } from './pictures/decode-picture.ts';
import type { PictureAnswer } from './pictures/show-decoded.ts';

/** Photos of iPhones, whose decoder only their own pages load. */
answerMessages(async (request: PictureRequest): Promise<PictureAnswer> => {
  const { pages, ...pixels } = await decodeHeic(request);
  return { picture: await pixelsToBlob(pixels), pages };
});
