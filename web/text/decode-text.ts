import { declaredEncoding } from '../../core/content/declared-encoding.ts';
import { decodeAs, guessEncoding } from '../../core/content/guess-encoding.ts';

/**
 * Decodes a file: by the encoding that it declares, otherwise by the likeliest one. Invalid characters become U+FFFD,
 * and lines end in a line feed.
 */
export function decodeText(bytes: Uint8Array, path = ''): string {
  const encoding = declaredEncoding(path, bytes) ?? guessEncoding(bytes);
  return decodeAs(encoding, bytes).replace(/\r\n?/g, '\n');
}
