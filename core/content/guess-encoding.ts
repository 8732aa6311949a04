import { decodeWhole, likeliestPage, standardPages } from './code-pages.ts';

/** This much of a text decides. */
const sampleBytes = 64 * 1024;
/** And so much of its lines with letters beyond ASCII, which are read in each code page. */
const tellingBytes = 4096;
const lineFeed = 0x0a;

/**
 * The encoding of a text without a declaration, as a name that `TextDecoder` takes: by its byte order mark, as
 * UTF-16 where every second byte is zero, as UTF-8 where it is that but for a few bytes, otherwise the one
 * whose letters are the most plausible. Every answer decodes any bytes.
 */
export function guessEncoding(bytes: Uint8Array): string {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return wide;
  if (utf8Mark.every((byte, at) => bytes[at] === byte)) return 'utf-8';
  const sample = bytes.subarray(0, sampleBytes);
  if (isNearlyUtf8(sample)) return isMailOfJapan(sample) ? 'iso-2022-jp' : 'utf-8';
  const { bytes: telling, isCut } = tellingLines(sample);
  const cut = isCut || sample.length === sampleBytes;
  return likeliestPage([telling], { pages: standardPages, cut })?.page.name ?? 'windows-1252';
}

/**
 * The lines that have bytes beyond ASCII, from a little before the first one, until there are enough. A line feed is part
 * of no longer character, and what stands before the first byte beyond ASCII is ASCII.
 */
function tellingLines(sample: Uint8Array): { bytes: Uint8Array; isCut: boolean } {
  const bytes = new Uint8Array(tellingBytes);
  let length = 0;
  for (let at = 0; at < sample.length; ) {
    const feed = sample.indexOf(lineFeed, at);
    const end = feed === -1 ? sample.length : feed + 1;
    const line = sample.subarray(at, end);
    at = end;
    const first = line.findIndex((byte) => byte >= 0x80);
    if (first === -1) continue;
    const telling = line.subarray(Math.max(0, first - 16));
    bytes.set(telling.subarray(0, tellingBytes - length), length);
    length += telling.length;
    if (length > tellingBytes) return { bytes, isCut: true };
  }
  return { bytes: bytes.subarray(0, length), isCut: false };
}

/**
 * Decodes bytes; what is invalid becomes U+FFFD.
 * @param cut whether the last character may be incomplete and is left out then
 */
export function decodeAs(encoding: string, bytes: Uint8Array, cut = false): string {
  return decodeWhole(bytes, encoding, { cut, fatal: false });
}

/** Texts of seven bits, which mails have: the sequences that begin other characters (RFC 1468). */
function isMailOfJapan(sample: Uint8Array): boolean {
  return sample.some(
    (byte, at) =>
      byte === 0x1b &&
      sample[at + 1] === 0x24 &&
      (sample[at + 2] === 0x40 || sample[at + 2] === 0x42),
  );
}

const utf8Mark = [0xef, 0xbb, 0xbf];

/** UTF-16 has a mark, or, where most characters are Latin, a zero in every second byte. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, 1024);
  const even = start.filter((byte, at) => byte === 0 && at % 2 === 0).length;
  const odd = start.filter((byte, at) => byte === 0 && at % 2 === 1).length;
  if (even + odd <= start.length / 4) return undefined;
  if (even === 0) return 'utf-16le';
  return odd === 0 ? 'utf-16be' : undefined;
}

/** Whether bytes are UTF-8 but for a few; the last character may be cut off. */
export function isNearlyUtf8(sample: Uint8Array): boolean {
  const foreign = foreignIn(new TextDecoder('utf-8').decode(sample, { stream: true }));
  // The only byte beyond ASCII is the last one.
  if (foreign.length === 0) return sample.every((byte) => byte < 0x80);
  const replaced = foreign.filter((character) => character === '\uFFFD').length;
  const broken = replaced - replacementsIn(sample);
  return broken <= (foreign.length - broken) / 10;
}

/** How often U+FFFD itself is written, as `EF BF BD`: it stands in place of nothing broken. */
function replacementsIn(sample: Uint8Array): number {
  let count = 0;
  for (let at = sample.indexOf(0xef); at !== -1; at = sample.indexOf(0xef, at + 1)) {
    if (sample[at + 1] === 0xbf && sample[at + 2] === 0xbd) count += 1;
  }
  return count;
}

function foreignIn(text: string): string[] {
  // oxlint-disable-next-line no-control-regex -- ASCII starts with control characters
  return text.match(/[^\u0000-\u007F]/gu) ?? [];
}
