import { CodedError } from '../errors.ts';
import { type Collision, checkPath, findCollision, quoted } from './safe-path.ts';

/**
 * The paths of files that were sent one by one, checked and in Unicode's composed form, in the order
 * of their names.
 * @throws CodedError INVALID_REQUEST, FILE_TYPE_REFUSED
 */
export function checkNames(names: readonly string[]): string[] {
  const paths = names.map((name) => checkedName(name, name));
  const collision = findCollision(paths);
  if (collision !== undefined) throw invalidName(collisionText(collision));
  return paths;
}

function collisionText({ path, other }: Collision): string {
  return path === other
    ? `The file ${quoted(path)} was sent twice.`
    : `The file ${quoted(path)} is in a folder with the name of the file ${quoted(other)}.`;
}

/** Paths without the folder that all of them are in, if there is one. */
export interface RelativePaths {
  paths: readonly string[];
  /** The folder with its slash, or empty. */
  topFolder: string;
}

/**
 * Removes the one folder that all files are in, as for a ZIP: a person who sends a folder means its
 * content. Paths are checked again: `site/_slipway/x` becomes a reserved path only here.
 * @throws CodedError FILE_TYPE_REFUSED
 */
export function withoutTopFolder(checked: readonly string[]): RelativePaths {
  const topFolder = topFolderOf(checked);
  if (topFolder === '') return { paths: checked, topFolder };
  return {
    paths: checked.map((path) => checkedName(path, path.slice(topFolder.length))),
    topFolder,
  };
}

/** Whether macOS made the file beside those of a person: it is no part of a site. */
export function isSystemFile(path: string): boolean {
  const segments = path.split('/');
  return segments[0] === '__MACOSX' || segments.at(-1) === '.DS_Store';
}

/** Files without those of macOS, as for a ZIP. When there are no others, they are what was meant. */
export function withoutSystemFiles<File extends { path: string }>(
  files: readonly File[],
): readonly File[] {
  const kept = files.filter(({ path }) => !isSystemFile(path));
  return kept.length === 0 ? files : kept;
}

/** The one folder that all paths are in, with its slash; empty when there is none. */
export function topFolderOf(paths: readonly string[]): string {
  const [first = ''] = paths;
  const top = `${first.split('/')[0]}/`;
  return first !== '' && paths.every((path) => path.startsWith(top)) ? top : '';
}

function checkedName(sent: string, path: string): string {
  const checked = checkPath(path);
  if (checked.ok) return checked.path;
  const error = `The file ${quoted(sent)} ${checked.rule}.`;
  throw checked.reserved === true
    ? new CodedError('FILE_TYPE_REFUSED', { error })
    : invalidName(error);
}

function invalidName(error: string): CodedError {
  return new CodedError('INVALID_REQUEST', { error, details: [{ path: 'files', message: error }] });
}
