/**
 * A path with a segment that no visitor is meant to see: hidden files and folders, packages, and
 * files that operating systems add. Browsers use this module too, so it uses only what all of them
 * have.
 */
const hiddenPath =
  /(?:^|\/)(?:\.(?!well-known(?:\/|$))[^/]*|node_modules|__MACOSX|Thumbs\.db|desktop\.ini)(?:\/|$)/i;

/** Whether a path has a segment that is left out of an upload by its name. */
export function isHidden(path: string): boolean {
  return hiddenPath.test(path);
}

/** The path of an ignore file. */
export const ignoreFilePath = /(?:^|\/)\.(?:slipway|surge|vercel|assets|netlify)ignore$/;

/**
 * A path that hardly anybody means to publish, judged by its name alone: settings with passwords,
 * the history of a repository, private keys. `.key` is not included, because Keynote presentations
 * have it too.
 */
const privatePath =
  /(?:^|\/)(?:\.env(?:\.(?!example|sample|template|dist)[^/]*)?|\.git|\.ssh|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]+\.(?:pem|p12|pfx|jks|keystore))(?:\/|$)/i;

/** The paths among these that hardly anybody means to publish. */
export function privatePaths(paths: readonly string[]): string[] {
  return paths.filter((path) => privatePath.test(path));
}

/**
 * Files with patterns of paths to leave out of an upload. Only the first one that an upload has
 * counts.
 */
const ignoreFiles = [
  '.slipwayignore',
  '.surgeignore',
  '.vercelignore',
  '.assetsignore',
  '.netlifyignore',
] as const;

/** The paths of an upload: those that are published, and those that are not. */
export interface SiftedPaths {
  kept: readonly string[];
  /** Paths that are left out, relative to `topFolder`. */
  leftOut: readonly string[];
  /** The one folder that all kept paths are in, with its slash, or empty. */
  topFolder: string;
}

/**
 * Whether an upload publishes what would be left out. `never` is for what strangers send: no hidden file arrives, also
 * if there is no other, and nothing else is left out, because their ignore files say nothing about what the owner wants.
 */
export type IncludeHidden = boolean | 'never';

/** Options that decide which paths of an upload are published. */
export interface SiftOptions {
  /** Publishes what would be left out. */
  includeHidden?: IncludeHidden | undefined;
  /** The paths that an ignore file of the upload names. */
  ignored?: ReadonlySet<string>;
  /**
   * The files are merged into a version and keep their paths: no folder is removed, and all of them
   * may be left out.
   */
  isMerge?: boolean;
}

/**
 * Leaves out of an upload what nobody means to publish. Pure.
 *
 * Paths are judged below the folder that all of them are in, so that `.output/` can be published. A
 * single file is never left out, and if everything would be left out, nothing is, unless hidden files
 * are `never` published. Ignore files are never published, and are not counted.
 */
export function siftPaths(paths: readonly string[], options: SiftOptions = {}): SiftedPaths {
  const { includeHidden = false, ignored, isMerge = false } = options;
  const shared = isMerge ? '' : topFolderOf(paths);
  const everything = { kept: paths, leftOut: [], topFolder: shared };
  if (paths.length === 1 && includeHidden !== 'never') return everything;
  const isLeftOut = (path: string) =>
    includeHidden !== true && (isHidden(path.slice(shared.length)) || ignored?.has(path) === true);
  const content = paths.filter((path) => !ignoreFilePath.test(path));
  const kept = content.filter((path) => !isLeftOut(path));
  if (kept.length === 0 && !isMerge && includeHidden !== 'never')
    return content.length === 0 ? everything : { ...everything, kept: content };
  const leftOut = content.filter(isLeftOut).map((path) => path.slice(shared.length));
  return { kept, leftOut, topFolder: shared === '' ? topFolderOf(kept) : shared };
}

/** The ignore file of an upload, and the folder with its slash below which its patterns apply. */
export interface IgnoreFile {
  path: string;
  folder: string;
}

/** Looks for an ignore file at the top of what will be published. Pure. */
export function findIgnoreFile(paths: readonly string[]): IgnoreFile | undefined {
  const { topFolder } = siftPaths(paths);
  const all = new Set(paths);
  for (const folder of new Set([topFolderOf(paths), topFolder])) {
    const name = ignoreFiles.find((one) => all.has(folder + one));
    if (name !== undefined) return { path: folder + name, folder };
  }
  return undefined;
}

/** The one folder that all paths are in, with its slash; empty when there is none. */
export function topFolderOf(paths: readonly string[]): string {
  const [first = ''] = paths;
  const top = `${first.split('/')[0]}/`;
  return first !== '' && paths.every((path) => path.startsWith(top)) ? top : '';
}
