import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';

/** What the page of a file of text shows of it: Markdown set, or code with its lines. */
export const TextMarkup = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('markdown'), markup: z.string() }),
  z.object({
    kind: z.literal('code'),
    markup: z.string(),
    /** False where there were too many lines to number them. */
    isNumbered: z.boolean(),
    isCut: z.boolean(),
  }),
]);
export type TextMarkup = z.infer<typeof TextMarkup>;

/**
 * Of how text is made into markup: counted up when the same text comes to make other markup. What
 * was kept under another one is not shown any more.
 */
export const markupRevision = 1;

/** The stored form: gzipped JSON. */
export function encodeMarkup(markup: TextMarkup): Uint8Array {
  return gzipSync(JSON.stringify(markup));
}

/** The opposite of {@link encodeMarkup}. */
export function decodeMarkup(stored: Uint8Array): TextMarkup {
  return TextMarkup.parse(JSON.parse(gunzipSync(stored).toString()));
}
