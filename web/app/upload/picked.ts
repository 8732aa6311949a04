/** A file and its path within what was dropped or chosen. */
export interface PickedFile {
  path: string;
  file: File;
}

/** What was picked: its name, and its files. */
export interface Picked {
  name: string;
  files: PickedFile[];
}

/** Files that programs leave in folders. */
const clutter = /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|__MACOSX\/.*)$/;

/** By what a file is recognised when somebody picks it again. `size` is in bytes, `lastModified` in milliseconds. */
export interface FileFacts {
  path: string;
  size: number;
  lastModified: number;
}

/**
 * Leaves clutter out. A folder that has everything else names the project; the service removes it from
 * the paths, unless pages refer to it.
 */
export function picked(all: readonly PickedFile[]): Picked {
  const files = all.filter(({ path }) => !clutter.test(path));
  const [first] = files;
  const top = first?.path.includes('/') === true ? first.path.split('/')[0] : undefined;
  const isCommon = top !== undefined && files.every(({ path }) => path.startsWith(`${top}/`));
  return { name: isCommon ? top : nameOf(files), files };
}

function nameOf(files: readonly PickedFile[]): string {
  const [first] = files;
  return first?.path.replace(/\.[^./]+$/, '') ?? '';
}

/** The ZIP of an upload that is nothing but one. */
export function archiveOf({ files: [first, ...others] }: Picked): File | undefined {
  if (first === undefined || others.length > 0) return undefined;
  return /\.zip$/i.test(first.path) ? first.file : undefined;
}

/** The file of an announced path; a ZIP has one, whatever its path. */
export function fileOf(picked: Picked, path: string): File | undefined {
  return archiveOf(picked) ?? picked.files.find((one) => one.path === path)?.file;
}

/** By what files are recognised when somebody picks them again. */
export function factsOf({ files }: Picked): FileFacts[] {
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
  return found.length === upload.files.length ? { name: picked.name, files: found } : undefined;
}
