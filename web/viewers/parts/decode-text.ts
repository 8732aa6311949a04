/**
 * Text as whoever wrote it meant it: by its byte order mark, else as UTF-8, else as Windows-1252,
 * which reads any bytes.
 *
 * @param cut whether the bytes end somewhere in the middle, perhaps of a character
 */
export function decodeText(bytes: Uint8Array, cut = false): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
