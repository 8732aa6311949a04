import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Stands for the build in templates that are synthesized before the web app is built.
 * `bin/local-assembly.ts` replaces it, so that a change of the app changes no other template.
 */
export const unknownBuild = '{{web app build}}';

/** Where a function's bundle holds the files of the web app. */
export const webAppFolder = path.join('web-app', 'files');

/** Identifies a build: a hash of the names and contents of its files. */
export function webAppBuild(bundlesDir: string): string {
  const folder = path.join(bundlesDir, webAppFolder);
  return existsSync(folder) ? hashOfFolder(folder) : unknownBuild;
}

/** A hash of the names and contents of all files in a folder. */
export function hashOfFolder(folder: string): string {
  const hash = createHash('sha256');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  for (const file of files.toSorted()) {
    hash.update(path.relative(folder, file)).update('\0').update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 24);
}
