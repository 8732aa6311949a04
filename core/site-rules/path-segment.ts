import { composed } from '../compose-text.ts';

/** What stands for a percent-encoded byte that a decoded segment cannot have: U+DC00 and the byte (PEP 383). */
const byteBase = 0xdc00;

const byteMark = (byte: number) => String.fromCharCode(byteBase + byte);

/**
 * Decodes one segment of a URL path without losing anything: {@link encodeSegment} gives the same address.
 * No file has such a segment, but addresses do: an encoded slash (`@scope%2Fname`), letters in another
 * encoding than UTF-8 (`caf%E9`), and a percent sign of its own (`100%`). NFC.
 */
export function decodeSegment(segment: string): string {
  const parts = segment
    .split(/(%2f)/i)
    .map((part, index) => (index % 2 === 1 ? byteMark(0x2f) : decodeText(part)));
  return composed(parts.join(''));
}

function decodeText(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replaceAll(/%(..)/g, (_, digits: string) => {
        const byte = Number.parseInt(digits, 16);
        return byte < 0x80 ? String.fromCharCode(byte) : byteMark(byte);
      });
    }
  });
}

/** The inverse of {@link decodeSegment}: no character of it begins another segment, a query or a fragment. */
export function encodeSegment(segment: string): string {
  return segment
    .split(/([\u{dc2f}\u{dc80}-\u{dcff}])/u)
    .map((part, index) => (index % 2 === 1 ? encodeByte(part) : encodeURIComponent(part)))
    .join('');
}

function encodeByte(mark: string): string {
  return `%${(mark.charCodeAt(0) - byteBase).toString(16).toUpperCase()}`;
}
