import { createHash } from 'node:crypto';
import type { ExportedFile } from '../../contract/account-export.ts';

/** Files in the one order that an export has: by path, as text compares. */
export function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : Number(a.path > b.path);
}

/** Hexadecimal SHA-256 over what every file of a version is, whatever their order. */
export function filesHash(files: readonly ExportedFile[]): string {
  const hash = createHash('sha256');
  for (const { path, size, hash: content } of files.toSorted(byPath)) {
    hash.update(`${JSON.stringify([path, size, content])}\n`);
  }
  return hash.digest('hex');
}
