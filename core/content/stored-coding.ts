import { brotliDecompressSync, constants } from 'node:zlib';
import { extensionOf, mediaType } from './media-type.ts';

/** How a file was compressed before it was published. */
export type StoredCoding = 'gzip' | 'br';

/** What pages load by a compressed name. Others, such as `data.csv.gz` and `site.tar.gz`, are downloads. */
const loaded = new Set('js mjs css wasm data mem json symbols svg pck bundle code'.split(' '));

const codings: Readonly<Record<string, StoredCoding>> = { gz: 'gzip', br: 'br' };

/** So many files of an upload are decoded: a few bytes of brotli may fill a window of 16 MB, which takes milliseconds. */
const mostDecoded = 20;

/** The coding of a file's bytes, by its path and its beginning. */
export type CodingOf = (path: string, start: Uint8Array) => StoredCoding | undefined;

/**
 * Finds the codings of the files of one upload: gzip by its magic (RFC 1952 §2.3.1), brotli by its name and by a
 * beginning that can be decoded, because brotli has no magic. After many files, names alone tell it.
 */
export function storedCodings(): CodingOf {
  let decoded = 0;
  return (path, start) => {
    if (start[0] === 0x1f && start[1] === 0x8b && start[2] === 8) return 'gzip';
    if (start.length === 0 || !mayBeBrotli(path)) return undefined;
    decoded += 1;
    return decoded > mostDecoded || beginsAsBrotli(start) ? 'br' : undefined;
  };
}

/** `notes.br` is a download, and maybe a text, whatever its bytes are. */
function mayBeBrotli(path: string): boolean {
  return ['br', 'unityweb'].includes(extensionOf(path)) && innerType(path) !== undefined;
}

function beginsAsBrotli(start: Uint8Array): boolean {
  try {
    const finishFlush = constants.BROTLI_OPERATION_FLUSH;
    return brotliDecompressSync(start, { finishFlush, maxOutputLength: 1024 * 1024 }).length > 0;
  } catch (error) {
    return error instanceof RangeError;
  }
}

/** The type of what a compressed file contains, if pages load it by this name: `x.wasm.gz`, `a.svgz`. */
export function innerType(path: string): string | undefined {
  const extension = extensionOf(path);
  if (extension === 'svgz') return mediaType('a.svg');
  if (codings[extension] === undefined && extension !== 'unityweb') return undefined;
  const inner = path.slice(0, -(extension.length + 1));
  // The loader of Unity's builds is the only one that asks for such a file.
  return extension === 'unityweb' || loaded.has(extensionOf(inner)) ? mediaType(inner) : undefined;
}

/** The compressed files that may take the place of a file, the first one first. */
export function pairsOf(path: string): string[] {
  if (!loaded.has(extensionOf(path))) return [];
  return [`${path}.gz`, `${path}.br`];
}
