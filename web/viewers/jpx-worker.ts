import { answerMessages } from './parts/worker-answer.ts';
import { pixelsToBlob } from './pictures/canvas-pixels.ts';
import { decodeJpx } from './pictures/decode-jpx.ts';
import type { PictureRequest } from './pictures/decode-picture.ts';
import type { PictureAnswer } from './pictures/show-decoded.ts';

/** JPEG 2000, whose decoder only its own pages load. */
answerMessages(
  async (request: PictureRequest): Promise<PictureAnswer> => ({
    picture: await pixelsToBlob(await decodeJpx(request)),
    pages: 1,
  }),
);
