import type { SecretFinding } from '../../../contract/errors.ts';
import { isText } from '../is-text.ts';
import { literalSearch } from './literal-search.ts';
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
