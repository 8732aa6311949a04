import { decodeAs, guessEncoding } from '../../../core/content/guess-encoding.ts';

/**
 * Decodes text by its likeliest encoding, or by one that somebody chose.
 * @param cut whether the bytes are truncated, possibly inside a character
 */
export function decodeText(
  bytes: Uint8Array,
  cut = false,
  encoding = guessEncoding(bytes),
): string {
  return decodeAs(encoding, bytes, cut);
}
