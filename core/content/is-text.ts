/** As much of a file as decides whether it is text. */
export const decidingBytes = 8192;

/**
 * Whether the start of a file is text: UTF-8 without control characters but those of lines, or
 * UTF-16 with a byte order mark. An empty file is none.
 */
export function isText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, decidingBytes);
  const [first, second] = start;
  if (first === undefined) return false;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  if (start.some((byte) => byte < 0x20 && !isLayout(byte))) return false;
  try {
    // The start may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Tab, line feed, form feed, carriage return, and the escape of colours. */
function isLayout(byte: number): boolean {
  return byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x1b;
}
