import { detectTypeAndHome, titleFromNames, type UploadOptions } from './detect-type.ts';
import { isHtml } from './media-type.ts';
import type { IncomingFile, PreparedUpload } from './prepare-upload.ts';
import { isRulesFile } from '../site-rules/rules-file.ts';
import { folderWarning, refersToTopFolder } from './top-folder.ts';

/** The files of an upload. */
interface UploadContent {
  files: readonly { path: string; size: number }[];
  /** The folder that was removed from their paths (`site/`), or empty. */
  topFolder: string;
  isArchive: boolean;
  /** Reads one file; `undefined` if it cannot be read yet. */
  look: (path: string) => Promise<Uint8Array | undefined>;
  read: () => AsyncIterable<IncomingFile>;
}

/** What is said of an upload whose names and sizes are known. */
export async function describeContent(
  options: UploadOptions,
  names: readonly string[],
  content: UploadContent,
): Promise<PreparedUpload> {
  const { files, topFolder, isArchive } = content;
  const isKept = await keepsTopFolder(options, content);
  const paths = files.map(({ path }) => (isKept ? pathInFolder(topFolder, path) : path));
  const choice = isKept ? namedInFolder(options, paths, topFolder) : options;
  const found = detectTypeAndHome(choice, {
    paths,
    topFolder: isKept ? '' : topFolder,
    isArchive,
  });
  const isNoticed = topFolder !== '' && found.home !== null;
  return {
    ...found,
    title: titleFromNames(names, topFolder),
    fileCount: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    ...(isNoticed && { warnings: [folderWarning(topFolder, isKept)] }),
    files: isKept ? () => filesInFolder(topFolder, content.read()) : content.read,
  };
}

async function keepsTopFolder(
  { asFileBundle }: UploadOptions,
  { files, topFolder, look }: UploadContent,
): Promise<boolean> {
  if (topFolder === '' || asFileBundle === true) return false;
  return files.some(({ path }) => isHtml(path)) && refersToTopFolder({ topFolder, files, look });
}

/** Rules apply to a whole site: their files stay at its root. */
function pathInFolder(topFolder: string, path: string): string {
  return isRulesFile(path) ? path : topFolder + path;
}

/** The home page may be named by its path with the folder or without it. */
function namedInFolder(
  options: UploadOptions,
  paths: readonly string[],
  topFolder: string,
): UploadOptions {
  const named = options.zipIndexHtmlPath;
  if (named === undefined || paths.includes(named.normalize('NFC'))) return options;
  return { ...options, zipIndexHtmlPath: topFolder + named };
}

async function* filesInFolder(
  topFolder: string,
  files: AsyncIterable<IncomingFile>,
): AsyncGenerator<IncomingFile> {
  for await (const file of files) yield { ...file, path: pathInFolder(topFolder, file.path) };
}
