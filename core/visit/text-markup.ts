import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod/mini';

/** How the text was read, where it is neither UTF-8 nor UTF-16: people may choose another one. */
const encoding = z.optional(z.string());

/** The content of a text file's page: rendered Markdown, or code with line numbers. */
export const TextMarkup = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('markdown'), markup: z.string(), encoding }),
  z.object({
    kind: z.literal('code'),
    markup: z.string(),
    /** False where the page's script numbers the lines, because there are too many. */
    isNumbered: z.boolean(),
    isCut: z.boolean(),
    encoding,
  }),
]);
export type TextMarkup = z.infer<typeof TextMarkup>;

/**
 * Increase this when a change produces different markup for the same text. Stored markup of another
 * revision is not shown any more.
 */
export const markupRevision = 13;

/** The stored form: gzipped JSON. */
export function encodeMarkup(markup: TextMarkup): Uint8Array {
  return gzipSync(JSON.stringify(markup));
}

/** The inverse of {@link encodeMarkup}. */
export function decodeMarkup(stored: Uint8Array): TextMarkup {
  return TextMarkup.parse(JSON.parse(gunzipSync(stored).toString()));
}
