import { ignoreFilePath, siftPaths } from '../../../core/content/left-out/sift-paths.ts';

/** A file and its path within what was dropped or chosen. */
export interface PickedFile {
  path: string;
  file: File;
}

/** What was picked: its name, the files that are sent, and those that are not. */
export interface Picked {
  name: string;
  files: PickedFile[];
  /** Hidden files and packages, with the paths that the service would name. */
  leftOut: { files: PickedFile[]; paths: readonly string[] };
}

/**
 * The facts by which a file is recognised when somebody picks it again. `size` is in bytes, `lastModified` in
 * milliseconds.
 */
export interface FileFacts {
  path: string;
  size: number;
  lastModified: number;
}

/**
 * Leaves out what the service would leave out, so that it is not sent; the service reads ignore files.
 * A folder that has everything else names the project.
 */
export function picked(all: readonly PickedFile[]): Picked {
  const paths = all.map(({ path }) => path);
  const { kept, leftOut, topFolder } = siftPaths(paths);
  const published = new Set(kept);
  const isSent = ({ path }: PickedFile) => published.has(path) || ignoreFilePath.test(path);
  const content = all.filter(({ path }) => published.has(path));
  return {
    name: topFolder === '' ? nameOf(content) : topFolder.slice(0, -1),
    files: all.filter(isSent),
    leftOut: { files: all.filter((file) => !isSent(file)), paths: leftOut },
  };
}

/** The same files together with those that were left out. */
export function withLeftOut({ name, files, leftOut }: Picked): Picked {
  return { name, files: [...files, ...leftOut.files], leftOut: { files: [], paths: [] } };
}

/** The page that a build makes, in one of the folders that tools write to. */
const buildOutput =
  /^(?:dist|build|out|output|public|www|_site|site|storybook-static|\.output\/public)\/(?:.+\/)?index\.html$/;

/** Whether a folder is the source code of a site: its `package.json` has a build script, and it was not built. */
export async function isSourceFolder({ files }: Pick<Picked, 'files'>): Promise<boolean> {
  const { topFolder } = siftPaths(files.map(({ path }) => path));
  const manifest = files.find(({ path }) => path === `${topFolder}package.json`);
  if (manifest === undefined || files.length === 1) return false;
  if (files.some(({ path }) => buildOutput.test(path.slice(topFolder.length)))) return false;
  try {
    const { scripts } = Object(JSON.parse(await manifest.file.text()));
    return typeof Object(scripts).build === 'string';
  } catch {
    return false;
  }
}

/** Pages of which one has to be chosen to open first: several, and none has the name of a home page. */
export function loosePages({ files }: Pick<Picked, 'files'>): string[] {
  const pages = files.map(({ path }) => path).filter((path) => /\.html?$/i.test(path));
  const isNamed = pages.some((path) => /(?:^|\/)(?:index|default)\.html?$/i.test(path));
  return isNamed || pages.length < 2 ? [] : pages;
}

function nameOf(files: readonly PickedFile[]): string {
  const [first] = files;
  return first?.path.replace(/\.[^./]+$/, '') ?? '';
}

/** The ZIP, if the upload is a single ZIP. */
function archiveOf({ files: [first, ...others] }: Picked): File | undefined {
  if (first === undefined || others.length > 0) return undefined;
  return /\.zip$/i.test(first.path) ? first.file : undefined;
}

/** The file of an announced path. An upload of a single ZIP has one file, whatever the path. */
export function fileOf(picked: Picked, path: string): File | undefined {
  return archiveOf(picked) ?? picked.files.find((one) => one.path === path)?.file;
}

/** The facts by which files are recognised when somebody picks them again. */
export function factsOf({ files }: { files: readonly PickedFile[] }): FileFacts[] {
  return files.map(({ path, file: { size, lastModified } }) => ({ path, size, lastModified }));
}

/** The files that an upload had, among those that somebody picked again; undefined if one is missing or changed. */
export function sameFiles(upload: { files: readonly FileFacts[] }, picked: Picked) {
  const found = upload.files.flatMap(({ path, size, lastModified }) => {
    const same = picked.files.find(
      (one) =>
        one.path === path && one.file.size === size && one.file.lastModified === lastModified,
    );
    return same === undefined ? [] : [same];
  });
  return found.length === upload.files.length ? { ...picked, files: found } : undefined;
}
