import type { SecretFinding } from '../../../contract/errors.ts';
import { isText } from '../is-text.ts';
import { secretForms } from './secret-forms.ts';

/** Larger files are not searched: they are data, and people write keys into small files. */
export const maxScannedBytes = 1024 * 1024;
/** More findings in one file help nobody, so its search ends here. */
const maxOfFile = 100;

/** Finds keys in a file's bytes: the line and the kind of each, never the key. */
export type SecretFinder = (bytes: Uint8Array) => Omit<SecretFinding, 'path'>[];

/**
 * A finder for keys with a fixed form, including those of this installation. One pass over the
 * bytes looks for the literal texts of such keys; only where one is found does it examine the
 * surroundings.
 */
export function secretFinder(keyPrefix: string): SecretFinder {
  const forms = new Map(secretForms(keyPrefix).map((form) => [form.literal, form]));
  const search = literalSearch([...forms.keys()]);
  return (bytes) => {
    if (bytes.length > maxScannedBytes) return [];
    const wide = wideText(bytes);
    const searched = wide === undefined ? bytes : Buffer.from(wide, 'latin1');
    const found: Omit<SecretFinding, 'path'>[] = [];
    const text = lazyText(bytes, wide);
    search(searched, (at, literal) => {
      const { content, lineOf } = text();
      if (content === undefined) return false;
      const form = forms.get(literal);
      if (form?.isAt(content, at) === true) found.push({ line: lineOf(at), kind: form.kind });
      return found.length < maxOfFile;
    });
    return found;
  };
}

/** The text of a file, decoded on first use; none for a binary file. */
function lazyText(bytes: Uint8Array, wide: string | undefined) {
  let made: { content: string | undefined; lineOf: (at: number) => number } | undefined;
  return () => {
    made ??= textWithLines(
      isText(bytes) ? (wide ?? bufferOf(bytes).toString('latin1')) : undefined,
    );
    return made;
  };
}

function textWithLines(content: string | undefined) {
  return { content, lineOf: lineCounter(content ?? '') };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * The text of a file in UTF-16, by its byte order mark. All others are read byte by byte, because
 * keys are ASCII.
 */
function wideText(bytes: Uint8Array): string | undefined {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  if (!isLittle && !isBig) return undefined;
  const whole = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return (isBig ? whole.swap16() : whole).toString('utf16le');
}

/** Line numbers of places in ascending order; a line ends with LF, CR or both. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let next = 0;
  return (at) => {
    for (; next < at; next += 1) {
      const code = text.charCodeAt(next);
      if (code === 0x0a || (code === 0x0d && text.charCodeAt(next + 1) !== 0x0a)) line += 1;
    }
    return line;
  };
}

/** This many bytes of each text are compared first; no text is shorter. */
const windowBytes = 4;
/**
 * A window has three pairs of adjacent bytes, so looking at every third position always hits one of
 * them.
 */
const stride = windowBytes - 1;

/** A text to search for, as bytes, and the position of its window. */
interface Needle {
  literal: string;
  bytes: Uint8Array;
  windowAt: number;
}

/** Calls `onFound` with each place where one of the texts begins, until it returns false. */
type LiteralSearch = (bytes: Uint8Array, onFound: (at: number, literal: string) => boolean) => void;

/**
 * Searches for several short ASCII texts in one pass. It tests only the pair of bytes at every
 * third position: any window of four bytes contains one of these pairs. Each test is independent of
 * the one before, so this is several times faster than a regular expression or a search with jumps,
 * and its time is linear.
 */
function literalSearch(literals: readonly string[]): LiteralSearch {
  /** For each pair of bytes, one bit for each position that it may have in a window. */
  const places = new Uint8Array(0x1_0000);
  const needles = new Map<number, Needle[]>();
  for (const literal of literals) {
    const bytes = Buffer.from(literal, 'latin1');
    const windowAt = rarestWindow(literal);
    for (let place = 0; place < stride; place += 1) {
      const pair = bytes.readUInt16BE(windowAt + place);
      places[pair] = (places[pair] ?? 0) | (1 << place);
    }
    const window = bytes.readInt32BE(windowAt);
    needles.set(window, [...(needles.get(window) ?? []), { literal, bytes, windowAt }]);
  }
  return (bytes, onFound) => {
    const last = bytes.length - 1;
    for (let at = 0; at < last; at += stride) {
      const found = places[((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)] ?? 0;
      if (found === 0) continue;
      for (let place = stride - 1; place >= 0; place -= 1) {
        if ((found & (1 << place)) === 0) continue;
        const needle = needleAt(needles, bytes, at - place);
        if (needle === undefined) continue;
        if (!onFound(at - place - needle.windowAt, needle.literal)) return;
      }
    }
  };
}

/** The needle whose window is at this position, if the whole needle matches. */
function needleAt(
  needles: ReadonlyMap<number, readonly Needle[]>,
  bytes: Uint8Array,
  at: number,
): Needle | undefined {
  const pair = (from: number) => ((bytes[from] ?? 0) << 8) | (bytes[from + 1] ?? 0);
  return needles
    .get((pair(at) << 16) | pair(at + 2))
    ?.find((needle) =>
      needle.bytes.every((byte, offset) => bytes[at - needle.windowAt + offset] === byte),
    );
}

/** The window with the fewest pairs of lowercase letters, because words are full of those. */
function rarestWindow(literal: string): number {
  const starts = Array.from({ length: literal.length - stride }, (_, at) => at);
  const commonPairs = (at: number) =>
    [0, 1, 2].filter((place) => /^[a-z]{2}$/.test(literal.slice(at + place, at + place + 2)))
      .length;
  const [rarest] = starts.toSorted((a, b) => commonPairs(a) - commonPairs(b));
  if (rarest === undefined) throw new Error(`${literal} is too short to search for`);
  return rarest;
}
