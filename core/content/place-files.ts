import type { UploadOptions } from './choose-home.ts';
import { isHtml } from './media-type.ts';
import { normalPath } from './safe-path.ts';
import { isHostingFile } from '../site-rules/rules-file.ts';
import { type FolderContent, refersToTopFolder } from './top-folder.ts';

/** One file of an upload that will be stored. */
export interface IncomingFile {
  path: string;
  /** In bytes, exact. */
  size: number;
  /** May be read once. */
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Whether an upload keeps the one folder that all its files are in. */
export async function keepsTopFolder(
  { asFileBundle }: UploadOptions,
  { files, topFolder, look }: FolderContent,
): Promise<boolean> {
  if (topFolder === '' || asFileBundle === true) return false;
  return files.some(({ path }) => isHtml(path)) && refersToTopFolder({ topFolder, files, look });
}

/** A path in a kept folder. Rules apply to a whole site: their files stay at its root. */
export function pathInFolder(topFolder: string, path: string): string {
  return isHostingFile(path) ? path : topFolder + path;
}

/** The named home page, with the folder; callers may name it with the folder or without it. */
export function namedInFolder(
  options: UploadOptions,
  paths: readonly string[],
  topFolder: string,
): UploadOptions {
  if (options.zipIndexHtmlPath === undefined) return options;
  const named = normalPath(options.zipIndexHtmlPath);
  if (paths.includes(named)) return options;
  return { ...options, zipIndexHtmlPath: topFolder + named };
}

/** Files with the kept folder in their paths. */
export async function* filesInFolder<File extends { path: string }>(
  topFolder: string,
  files: AsyncIterable<File>,
): AsyncGenerator<File> {
  for await (const file of files) yield { ...file, path: pathInFolder(topFolder, file.path) };
}
