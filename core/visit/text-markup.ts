import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod/mini';

/** The content of a text file's page: rendered Markdown, or code with line numbers. */
export const TextMarkup = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('markdown'), markup: z.string() }),
  z.object({
    kind: z.literal('code'),
    markup: z.string(),
    /** False where the page's script numbers the lines, because there are too many. */
    isNumbered: z.boolean(),
    isCut: z.boolean(),
  }),
]);
export type TextMarkup = z.infer<typeof TextMarkup>;

/**
 * Increase this when a change produces different markup for the same text. Stored markup of another
 * revision is not shown any more.
 */
export const markupRevision = 5;

/** The stored form: gzipped JSON. */
export function encodeMarkup(markup: TextMarkup): Uint8Array {
  return gzipSync(JSON.stringify(markup));
}

/** The inverse of {@link encodeMarkup}. */
export function decodeMarkup(stored: Uint8Array): TextMarkup {
  return TextMarkup.parse(JSON.parse(gunzipSync(stored).toString()));
}
