import { mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { usageError } from './command-error.ts';

/**
 * Replaces a file at once, as JSON with two spaces: an interrupted write loses nothing, and `mode` holds from the first
 * byte. The folder may be somebody else's: nothing is written through a link.
 */
export async function replaceJson(file: string, content: object, mode = 0o666): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await rm(draft, { force: true });
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx', mode });
  await rename(draft, file);
}

/**
 * The folder `name` directly within `root`, made where it is missing.
 * @throws CommandError where it is a link: it may be somebody else's, and lead anywhere
 */
export async function folderWithin(root: string, name: string): Promise<string> {
  const folder = path.join(root, name);
  await mkdir(folder, { recursive: true });
  if ((await realpath(folder)) === path.join(await realpath(root), name)) return folder;
  throw usageError(`${folder} is a link.`, 'Delete it, then run the same command again.');
}
