import { isUtf8 } from 'node:buffer';

/** As much of a file as decides whether it is text. */
export const decidingBytes = 8192;

/** Tab, line feed, form feed, carriage return, escape: text may have them (WHATWG MIME Sniffing §7.2). */
const textControls = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

/**
 * Whether the start of a file is text: UTF-8 without control characters but those of lines and colours, or
 * UTF-16 with a byte order mark. An empty file is none.
 */
export function isText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, decidingBytes);
  return isUtf16(start) || (hasNoOtherControls(start) && beginsAsUtf8(start));
}

/** Whether a whole file is text in UTF-8, for one whose name does not say what it is. An empty file is none. */
export function isPlainText(bytes: Uint8Array): boolean {
  return hasNoOtherControls(bytes) && isUtf8(bytes);
}

/** By its byte order mark. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function hasNoOtherControls(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes.every((byte) => byte >= 0x20 || textControls.has(byte));
}

/** The start may end within a character. */
function beginsAsUtf8(start: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}
