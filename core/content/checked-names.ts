import { CodedError } from '../errors.ts';
import { type Collision, checkPath, findCollision, quoted } from './safe-path.ts';
import { topFolderOf } from './left-out/sift-paths.ts';

/**
 * The paths of files that were sent one by one, checked and in Unicode NFC, in the order of their
 * names.
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

/**
 * Removes the one folder that all files are in, with its slash, as for a ZIP: a person who sends a folder means its
 * content. Paths are checked again: `site/_slipway/x` becomes a reserved path only here.
 * @throws CodedError FILE_TYPE_REFUSED
 */
export function withoutTopFolder(
  checked: readonly string[],
  topFolder = topFolderOf(checked),
): readonly string[] {
  if (topFolder === '') return checked;
  return checked.map((path) => checkedName(path, path.slice(topFolder.length)));
}

/** The path of one file, checked. @throws CodedError INVALID_REQUEST, FILE_TYPE_REFUSED */
export function checkedName(sent: string, path: string): string {
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
