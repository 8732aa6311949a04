import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { zipOf } from './sample-files.ts';

/** Writes these files below `folder`, making the folders on the way. */
export function writeFiles(folder: string, files: Record<string, string | Buffer>): void {
  for (const [path, body] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, body);
  }
}

/** Packs `folder` to `target`, a ZIP file; gives the paths inside. */
export async function zipFolder(folder: string, target: string): Promise<string[]> {
  const files = filesOf(folder);
  writeFileSync(target, await zipOf(files));
  return Object.keys(files).sort();
}

/** Every file below `folder`, by its path with slashes. */
function filesOf(folder: string): Record<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name));
  return Object.fromEntries(
    paths.map((path) => [relative(folder, path).replaceAll(sep, '/'), readFileSync(path)]),
  );
}
