import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { mediaType } from '../../core/content/media-type.ts';

/** One file as it can be sent. */
export interface Asset {
  contentType: string;
  bytes: Buffer;
  encoding?: 'br' | 'gzip';
  /** Strong, and different for each encoding (RFC 9110 §8.8.3.3). */
  etag: string;
}

/**
 * Returns a file in the smallest encoding that the caller accepts; `undefined` if the file does not
 * exist.
 */
export type AssetFolder = (name: string, acceptEncoding: string) => Asset | undefined;

const compressedForms = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * The files that lie in `dir` when the function starts, by their exact names. A name is looked up in
 * that list and never joined to a path, so that no name reaches a file outside.
 */
export function assetFolder(dir: string): AssetFolder {
  const files = new Map(filesIn(dir).map((file) => [path.relative(dir, file), file] as const));
  return (name, acceptEncoding) => {
    const plain = files.get(name);
    if (plain === undefined || isCompressedForm(name)) return undefined;
    const contentType = mediaType(name);
    const encodings = acceptEncoding.split(',').map((part) => part.trim().toLowerCase());
    for (const [encoding, suffix] of compressedForms) {
      const file = encodings.includes(encoding) ? files.get(`${name}${suffix}`) : undefined;
      if (file === undefined) continue;
      return { contentType, bytes: readFileSync(file), encoding, etag: `"${name}-${encoding}"` };
    }
    return { contentType, bytes: readFileSync(plain), etag: `"${name}"` };
  };
}

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function isCompressedForm(name: string): boolean {
  return compressedForms.some(([, suffix]) => name.endsWith(suffix));
}
