import { isUtf8 } from 'node:buffer';

/** Tab, line feed, form feed, carriage return, escape: text may have them (WHATWG MIME Sniffing §7.2). */
const textControls = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

/** Whether bytes are text in UTF-8, for a file whose name does not say what it is. */
export function isPlainText(bytes: Uint8Array): boolean {
  return (
    bytes.length > 0 &&
    bytes.every((byte) => byte >= 0x20 || textControls.has(byte)) &&
    isUtf8(bytes)
  );
}
