/**
 * A file's bytes as text: UTF-16 where a byte order mark says so, otherwise UTF-8. What is no valid
 * character becomes U+FFFD, and lines end in a line feed.
 */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes).replace(/\r\n?/g, '\n');
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
