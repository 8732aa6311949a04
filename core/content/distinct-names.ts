import { baseName } from './media-type.ts';
import { collisionKey } from './safe-path.ts';

/**
 * Names that also differ on a case-insensitive file system: the second `Fn.html` becomes `fn
 * (2).html`, and so does a file with the name of a folder.
 */
export function withDistinctNames<File extends { path: string }>(files: readonly File[]): File[] {
  const keys = files.map(({ path }) => collisionKey(path));
  const usedKeys = new Set(keys.flatMap(foldersOf));
  // A file's own name takes precedence over a name that is made here.
  const own = new Set(keys);
  // Where numbering stopped: each number of a name is tried once, however many files have it.
  const nextCounts = new Map<string, number>();
  return files.map((file, index) => {
    const ownKey = keys[index] ?? '';
    let { path } = file;
    let key = ownKey;
    let count = nextCounts.get(ownKey) ?? 2;
    for (; usedKeys.has(key); count += 1) {
      const numbered = withNumber(file.path, count);
      if (own.has(collisionKey(numbered))) continue;
      path = numbered;
      key = collisionKey(path);
    }
    nextCounts.set(ownKey, count);
    usedKeys.add(key);
    return { ...file, path };
  });
}

/** The folders that a file is in: `a` and `a/b` of `a/b/c`. */
function foldersOf(key: string): string[] {
  return Array.from(key.matchAll(/\//g), ({ index }) => key.slice(0, index));
}

/** `docs/fn (2).html` of `docs/fn.html`. */
function withNumber(path: string, count: number): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  const end = path.length - (dot > 0 ? name.length - dot : 0);
  return `${path.slice(0, end)} (${count})${path.slice(end)}`;
}

/** Characters that file systems refuse, and those that make a name look like another one. */
const forbiddenInNames = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\\/:*?"<>|]+/gu;

/** A text of a person as the name of a file or folder, at most 100 characters long; empty if nothing is left of it. Pure. */
export function nameFromText(text: string): string {
  const name = text
    .replace(forbiddenInNames, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '');
  const [...characters] = name;
  return characters.slice(0, 100).join('').trim();
}

/** The name for a new folder at the top of these files: with a number if a file or folder has it already. Pure. */
export function freeFolderName(paths: Iterable<string>, name: string): string {
  const used = new Set(Array.from(paths, (path) => collisionKey(path.split('/')[0] ?? '')));
  let free = name;
  for (let count = 2; used.has(collisionKey(free)); count += 1) free = `${name} (${count})`;
  return free;
}
