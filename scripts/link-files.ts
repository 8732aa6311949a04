import { copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** A hard link takes no space, and stays when the first name is deleted. */
export function linkFile(source: string, target: string): void {
  mkdirSync(path.dirname(target), { recursive: true });
  try {
    linkSync(source, target);
  } catch {
    // Not every file system has hard links.
    copyFileSync(source, target);
  }
}

/** Links all files of a folder. */
export function linkAll(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = path.join(entry.parentPath, entry.name);
    linkFile(source, path.join(to, path.relative(from, source)));
  }
}
