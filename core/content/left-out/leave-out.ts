import type { LeftOutWarning } from '../../../contract/fields.ts';
import { CodedError } from '../../errors.ts';
import { quoted } from '../safe-path.ts';
import { ignoredPaths } from './ignore-patterns.ts';
import { findIgnoreFile, type IncludeHidden, type SiftedPaths, siftPaths } from './sift-paths.ts';

/** An ignore file is read whole before anything is stored. Bytes. */
const maxIgnoreBytes = 64 * 1024;

/** The files of an upload by their checked paths. */
export interface SentFiles {
  files: readonly { path: string; size: number }[];
  /** Reads one file; `undefined` if it cannot be read. */
  look: (path: string) => Promise<Uint8Array | undefined>;
}

/**
 * Decides which files of an upload are published, by their paths and by the upload's ignore file.
 * @throws CodedError INVALID_REQUEST for an ignore file that cannot be followed, and for hidden files alone that are `never` published; what `look` throws
 */
export async function leaveOut(
  { files, look }: SentFiles,
  includeHidden: IncludeHidden | undefined,
  { isMerge = false } = {},
): Promise<SiftedPaths> {
  const paths = files.map(({ path }) => path);
  if (includeHidden === 'never') return withoutHidden(paths);
  const ignoreFile = includeHidden === true ? undefined : followedFile(paths);
  if (ignoreFile === undefined) return siftPaths(paths, { includeHidden, isMerge });
  const { path, folder } = ignoreFile;
  const size = files.find((file) => file.path === path)?.size ?? 0;
  if (size > maxIgnoreBytes) throw unusable(path, `has more than ${maxIgnoreBytes} bytes`);
  const bytes = size === 0 ? new Uint8Array() : await look(path);
  if (bytes === undefined) throw unusable(path, 'cannot be read');
  const below = paths.flatMap((one) => (one.startsWith(folder) ? [one.slice(folder.length)] : []));
  const ignored = ignoredPaths(Buffer.from(bytes).toString(), below);
  if (ignored === undefined) throw unusable(path, 'has too many patterns for this many files');
  const named = new Set(Array.from(ignored, (one) => folder + one));
  return siftPaths(paths, { ignored: named, isMerge });
}

/** An error, because publishing without the patterns would show files that they exclude. */
function unusable(path: string, message: string): CodedError {
  return new CodedError('INVALID_REQUEST', {
    error: `The file ${quoted(path)} ${message}.`,
    details: [{ path: 'files', message: `${quoted(path)} ${message}` }],
    nextStep: 'Use fewer and simpler patterns, or leave the files out yourself. Nothing was kept.',
  });
}

function followedFile(paths: readonly string[]) {
  return paths.length === 1 ? undefined : findIgnoreFile(paths);
}

function withoutHidden(paths: readonly string[]): SiftedPaths {
  const sifted = siftPaths(paths, { includeHidden: 'never' });
  if (sifted.kept.length > 0) return sifted;
  throw new CodedError('INVALID_REQUEST', {
    error: 'The upload has hidden files alone, such as `.env`, and those do not arrive.',
    details: [{ path: 'files', message: 'has hidden files alone' }],
    nextStep: 'Send other files, or give these other names. Nothing was kept.',
  });
}

const namedPaths = 20;
const namedInMessage = 3;
const maxPathLength = 200;

/** The warning about files that were left out; none if there are none. */
export function leftOutWarnings(leftOut: readonly string[]): LeftOutWarning[] {
  const count = leftOut.length;
  if (count === 0) return [];
  const inOrder = leftOut.toSorted((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
  const paths = inOrder.slice(0, namedPaths).map(shortened);
  const names = paths.slice(0, namedInMessage).map(quoted).join(', ');
  const more = count > namedInMessage ? ` and ${count - namedInMessage} more` : '';
  const message = `${count} ${count === 1 ? 'file was' : 'files were'} left out: ${names}${more}. \`includeHidden: true\` publishes them too.`;
  return [{ kind: 'left-out', count, paths, message }];
}

/** Sorts top-level files such as `.env` before files deep in a folder. */
function depthOf(path: string): number {
  return path.split('/').length;
}

function shortened(path: string): string {
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path;
}
