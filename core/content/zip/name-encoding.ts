import { cp437, dosPages, hasWords, likeliestPage, standardPages } from '../code-pages.ts';

/**
 * How to read the names of one archive that are not declared to be UTF-8.
 *
 * APPNOTE (appendix D) knows CP437 and UTF-8 alone, but the "compressed folders" of Windows write the code page of
 * their system: Shift JIS in Japan, GBK in China, CP866 in Russia, CP850 in western Europe. Names that are valid
 * UTF-8 and could be words are UTF-8, as macOS and many libraries write it. Otherwise it is the code page in which
 * all names together look most like a language, as a name has few bytes, and CP437 if none does.
 */
export function undeclaredNames(names: readonly Uint8Array[]): (bytes: Uint8Array) => string {
  const foreign = sampleOf(names);
  const best = likeliestPage(foreign, { pages: namePages });
  // `图片` in GBK is valid UTF-8 by chance. So are `½` and `©` on purpose, and they are no frequent characters.
  const least = foreign.every((name) => strictUtf8(name) !== undefined) ? 0.9 : 0;
  const decode = best !== undefined && best.score > least ? best.page.decode : readUtf8OrCp437;
  return (bytes) =>
    (isWordsInUtf8(bytes) ? strictUtf8(bytes) : decode(bytes)) ?? readUtf8OrCp437(bytes);
}

/** So many names, with so many bytes together, say enough. Both bound the time. */
const maxNames = 200;
const maxSampleBytes = 16 * 1024;

/** The first names that are not words in UTF-8. A path of more bytes than the sample is refused anyway. */
function sampleOf(names: readonly Uint8Array[]): Uint8Array[] {
  const sample: Uint8Array[] = [];
  let bytes = 0;
  for (const name of names) {
    if (isWordsInUtf8(name)) continue;
    bytes += name.length;
    if (sample.length === maxNames || bytes > maxSampleBytes) break;
    sample.push(name);
  }
  return sample;
}

const namePages = [...dosPages, ...standardPages];

function readUtf8OrCp437(bytes: Uint8Array): string {
  return strictUtf8(bytes) ?? cp437(bytes);
}

/** Two bytes may be valid UTF-8 by chance, unless their letters are a word; three are not. */
function isWordsInUtf8(name: Uint8Array): boolean {
  if (name.every((byte) => byte < 0x80)) return true;
  const text = strictUtf8(name);
  if (text === undefined) return false;
  if (/[\u0800-\uffff]/.test(text)) return true;
  const [start = ''] = beginningWithLetters.exec(text) ?? [];
  return hasWords(start);
}

/** From before the first letter beyond ASCII on: as much as tells the alphabet of a name. */
const beginningWithLetters = /[^\u0080-\u07ff]?[\u0080-\u07ff].{0,60}/s;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** The bytes as UTF-8; `undefined` if they are not valid. */
export function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
