import { declaredEncoding } from '../../core/content/declared-encoding.ts';

/**
 * Decodes a file: by the encoding that it declares, otherwise as UTF-8. Invalid characters become U+FFFD,
 * and lines end in a line feed.
 */
export function decodeText(bytes: Uint8Array, path = ''): string {
  const encoding = declaredEncoding(path, bytes) ?? markedEncoding(bytes);
  return new TextDecoder(encoding).decode(bytes).replace(/\r\n?/g, '\n');
}

/** By its byte order mark, for text whose name does not tell that it is. */
function markedEncoding([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
