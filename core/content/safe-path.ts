import { composed, hasTooManyMarks } from '../compose-text.ts';

/** The longest path of a file. */
export const maxPathBytes = 1024;
const maxDepth = 32;

/**
 * Characters that no path may contain: C0, DEL, C1, line and paragraph separators, half of a
 * surrogate pair, and bidirectional controls, which can make `gpj.exe` look like `exe.jpg`.
 */
const forbiddenCharacter = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;

/**
 * Either the path to store, or the rule that it breaks: a phrase that an error message puts after
 * the name.
 */
export type PathCheck = { ok: true; path: string } | { ok: false; rule: string; reserved?: true };

/**
 * Checks one relative file path of an upload and returns it NFC normalised, without a `./` that it
 * begins with. Pure.
 *
 * It returns the broken rule instead of throwing, because ZIP entries and multipart file names need
 * different error codes. It never repairs a path: an unsafe path was most likely made on purpose.
 * `reserved` marks paths inside the product's own folder `_slipway/`; they are refused but not
 * unsafe.
 */
export function checkPath(raw: string): PathCheck {
  const path = normalPath(raw);
  const rule = textRule(path) ?? segmentRule(path.split('/'));
  if (rule !== undefined) return { ok: false, rule };
  if (isReserved(path)) {
    return { ok: false, rule: 'is inside "_slipway", a reserved folder', reserved: true };
  }
  return { ok: true, path };
}

/**
 * A path as it is stored and compared: NFC, without a leading `./`, which `find .` and `tar -acf
 * site.zip .` write before every name.
 */
export function normalPath(path: string): string {
  return composed(path.replace(/^(?:\.\/)+/, ''));
}

function textRule(path: string): string | undefined {
  if (path === '') return 'has no name';
  if (Buffer.byteLength(path) > maxPathBytes) {
    return `has a path of more than ${maxPathBytes} bytes`;
  }
  if (hasTooManyMarks(path)) return 'has more than 30 combining marks in a row in its path';
  if (forbiddenCharacter.test(path)) return 'has a control character in its path';
  if (path.includes('\\')) return 'has a backslash in its path';
  if (path.startsWith('/')) return 'has an absolute path';
  if (/^[a-z]:/i.test(path)) return 'has a drive letter in its path';
  return undefined;
}

function segmentRule(segments: string[]): string | undefined {
  if (segments.length > maxDepth) return `has a path of more than ${maxDepth} segments`;
  if (segments.includes('')) return 'has an empty segment in its path';
  if (segments.includes('.') || segments.includes('..')) {
    return 'has a "." or ".." segment in its path';
  }
  return undefined;
}

function isReserved(path: string): boolean {
  return collisionKey(path.split('/')[0] ?? '') === '_slipway';
}

/**
 * A path, quoted for an error message: shortened, and without characters that a terminal or a
 * reader would act on.
 */
export function quoted(path: string): string {
  const short = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return JSON.stringify(short.replace(new RegExp(forbiddenCharacter, 'gu'), '\uFFFD'));
}

/**
 * A key that is equal for two paths that differ only in case or Unicode normalisation.
 *
 * JavaScript has no case folding; lower → upper → lower has the same result for every code point
 * (ß, ẞ and SS; ſ and s; σ and final ς; İ however composed). It also folds dotless ı into i. So it
 * may refuse a pair that a file system would accept, but never the reverse.
 */
export function collisionKey(path: string): string {
  if (/^[ -~]*$/.test(path)) return path.toLowerCase();
  return path.normalize('NFD').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** Two paths of an upload that cannot both be served. */
export interface Collision {
  path: string;
  other: string;
}

/**
 * The first path that conflicts with another one: a path that occurs twice, in any Unicode form, or
 * a path at or below a file. Paths that differ by case alone are two files.
 *
 * A path that ends in `/` is a folder.
 */
export function findCollision(paths: readonly string[]): Collision | undefined {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const key = path.normalize('NFC');
    const other = seen.get(key);
    if (other !== undefined) return { path, other };
    seen.set(key, path);
  }
  for (const path of paths) {
    const folders = parentFolders(path.normalize('NFC'));
    const other = folders.map((folder) => seen.get(folder)).find(isDefined);
    if (other !== undefined) return { path, other };
  }
  return undefined;
}

/**
 * The first new path that conflicts with an existing path, and that existing path. Neither list may
 * contain collisions of its own.
 */
export function findConflict(
  existing: readonly string[],
  added: readonly string[],
): { added: string; existing: string } | undefined {
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const path of existing) {
    const key = path.normalize('NFC');
    files.set(key, path);
    for (const folder of parentFolders(key)) folders.set(folder, path);
  }
  for (const path of added) {
    const key = path.normalize('NFC');
    const conflictingFile = [key, ...parentFolders(key)]
      .map((one) => files.get(one))
      .find(isDefined);
    const other = conflictingFile ?? folders.get(key);
    if (other !== undefined) return { added: path, existing: other };
  }
  return undefined;
}

function isDefined(path: string | undefined): path is string {
  return path !== undefined;
}

/** `a` and `a/b` for `a/b/c`, without the final slash, which only keys of folders have. */
function parentFolders(path: string): string[] {
  return Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index));
}
