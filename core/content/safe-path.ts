const maxPathBytes = 1024;
const maxDepth = 32;

/**
 * What no path may hold: C0, DEL, C1, line and paragraph separators, and half of a surrogate pair;
 * and bidirectional controls, with which `gpj.exe` shows as `exe.jpg`.
 */
const forbiddenCharacter = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;

/** Either the path to keep, or the rule it breaks as a phrase that follows the name: `"a//b" ${rule}`. */
export type PathCheck = { ok: true; path: string } | { ok: false; rule: string; reserved?: true };

/**
 * Checks one relative file path of an upload and gives it back NFC normalised. Pure.
 *
 * For ZIP entries and multipart file names alike, so it names a rule instead of throwing a code.
 * Nothing is repaired: a path that has to be changed to be safe is a path somebody made on purpose.
 * `reserved` tells the product's own folder `_slipway/` from paths that are unsafe.
 */
export function checkPath(raw: string): PathCheck {
  const path = raw.normalize('NFC');
  const rule = textRule(path) ?? segmentRule(path.split('/'));
  if (rule !== undefined) return { ok: false, rule };
  if (isReserved(path)) {
    return { ok: false, rule: 'is inside "_slipway", a reserved folder', reserved: true };
  }
  return { ok: true, path };
}

function textRule(path: string): string | undefined {
  if (path === '') return 'has no name';
  if (Buffer.byteLength(path) > maxPathBytes) {
    return `has a path of more than ${maxPathBytes} bytes`;
  }
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

/** A path, or what was sent as one, as an answer may carry it: short, and without anything that a terminal or a reader obeys. */
export function quoted(path: string): string {
  const short = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return JSON.stringify(short.replace(new RegExp(forbiddenCharacter, 'gu'), '\uFFFD'));
}

/**
 * The key under which two paths are the same path: equal but for case or Unicode normalisation.
 *
 * JavaScript has no case folding; lower → upper → lower comes to the same for every code point
 * (ß, ẞ and SS; ſ and s; σ and final ς; İ however composed) and folds dotless ı into i besides,
 * so it may refuse a pair that a file system would keep apart, never the reverse.
 */
export function collisionKey(path: string): string {
  return path.normalize('NFD').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/**
 * The first path that cannot stand beside the others: a file with the same {@link collisionKey} as
 * another, a folder named twice, or anything at or below a path that is a file.
 *
 * A path that ends in `/` is a folder. Folders may differ by case alone: nothing in them is lost.
 */
export function findCollision(paths: readonly string[]): string | undefined {
  const taken = new Set<string>();
  for (const path of paths) {
    const key = path.endsWith('/') ? path : collisionKey(path);
    if (taken.has(key)) return path;
    taken.add(key);
  }
  return paths.find((path) => foldersOf(collisionKey(path)).some((folder) => taken.has(folder)));
}

/**
 * The first of some paths that cannot stand beside the ones that are held, with the one that is in
 * its way; each list is free of collisions by itself.
 */
export function clashWith(
  held: readonly string[],
  added: readonly string[],
): { added: string; held: string } | undefined {
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const path of held) {
    const key = collisionKey(path);
    files.set(key, path);
    for (const folder of foldersOf(key)) folders.set(folder, path);
  }
  for (const path of added) {
    const key = collisionKey(path);
    const inTheWay = [key, ...foldersOf(key)].map((one) => files.get(one)).find(isThere);
    const other = inTheWay ?? folders.get(key);
    if (other !== undefined) return { added: path, held: other };
  }
  return undefined;
}

function isThere(path: string | undefined): path is string {
  return path !== undefined;
}

/** `a/b/c` lies in `a` and `a/b`; no key but a file's lacks the final slash. */
function foldersOf(path: string): string[] {
  return Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index));
}
