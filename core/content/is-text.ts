/** This much of a file decides whether it is text. */
export const decidingBytes = 8192;

/** Tab, line feed, form feed, carriage return, escape: text may have them (WHATWG MIME Sniffing §7.2). */
const textControls = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

/**
 * Whether the start of a file is text: UTF-8 without control characters other than those of lines
 * and terminal colours, or UTF-16 with a byte order mark. An empty file is not text.
 */
export function isText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, decidingBytes);
  return isUtf16(start) || (hasNoOtherControls(start) && beginsAsUtf8(start));
}

/**
 * Packets of an MPEG transport stream. Cameras write a timestamp of four bytes before each packet
 * (`.mts`).
 */
const packets = [
  { bytes: 188, markAt: 0 },
  { bytes: 192, markAt: 4 },
];

/** The first byte of each packet (ISO/IEC 13818-1 §2.4.3.2). It is a `G` in text. */
const packetMark = 0x47;

/**
 * Whether a file is a video by its first bytes; its extension (`.ts`) is also that of TypeScript.
 * HLS segments are such files, and browsers play them only with the video type.
 */
export function isTransportStream(path: string, bytes: Uint8Array): boolean {
  if (!/\.m?ts$/i.test(path)) return false;
  const start = bytes.subarray(0, decidingBytes);
  if (start[0] === packetMark && !isText(start)) return true;
  return packets.some(({ bytes: length, markAt }) => {
    if (start.length <= length + markAt) return false;
    for (let at = markAt; at < start.length; at += length) {
      if (start[at] !== packetMark) return false;
    }
    return true;
  });
}

/** Whether a UTF-16 byte order mark comes first. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Whether bytes have no control characters but those of lines and of terminal colours. */
export function hasNoOtherControls(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes.every((byte) => byte >= 0x20 || textControls.has(byte));
}

/** Whether the bytes are valid UTF-8; the last character may be cut off. */
export function beginsAsUtf8(start: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}
