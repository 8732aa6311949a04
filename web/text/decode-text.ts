/**
 * Decodes a file: UTF-16 if it has that byte order mark, otherwise UTF-8. Invalid characters become
 * U+FFFD, and lines end in a line feed.
 */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes).replace(/\r\n?/g, '\n');
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
