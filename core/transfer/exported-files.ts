import { createHash } from 'node:crypto';
import type { ExportedFile } from '../../contract/account-export.ts';

/** Compares files for the fixed order of an export: by path, compared as text. */
export function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : Number(a.path > b.path);
}

/** Hexadecimal SHA-256 over all files of a version, independent of their order. */
export function filesHash(files: readonly ExportedFile[]): string {
  const hash = createHash('sha256');
  for (const { path, size, hash: content } of files.toSorted(byPath)) {
    hash.update(`${JSON.stringify([path, size, content])}\n`);
  }
  return hash.digest('hex');
}

/** Identifies a file's content, independent of its path. */
export type ObjectFacts = Pick<ExportedFile, 'size' | 'hash'>;

/** The file name of a content in an exported folder. Files with the same content share it. */
export function objectName({ hash, size }: ObjectFacts): string {
  return `${hash}-${size}`;
}
