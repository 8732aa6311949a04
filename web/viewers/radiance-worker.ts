import { answerMessages } from './parts/worker-answer.ts';
import { pixelsToBlob } from './pictures/canvas-pixels.ts';
import type { PictureRequest } from './pictures/decode-picture.ts';
import { readRadiance } from './pictures/read-radiance.ts';
import type { PictureAnswer } from './pictures/show-decoded.ts';

/** Pictures of light, whose decoders only their own pages load. */
answerMessages(
  async ({ bytes }: PictureRequest): Promise<PictureAnswer> => ({
    picture: await pixelsToBlob(readRadiance(bytes)),
    pages: 1,
  }),
);
