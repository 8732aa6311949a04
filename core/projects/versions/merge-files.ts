import type { PlanLimits } from '../../../contract/plans.ts';
import { chooseHome } from '../../content/choose-home.ts';
import { isHtml } from '../../content/media-type.ts';
import { type PreparedUpload, understand } from '../../content/prepare-upload.ts';
import { clashWith, collisionKey, quoted } from '../../content/safe-path.ts';
import { CodedError } from '../../errors.ts';
import type { FileEntry, Manifest } from '../../visit/manifest.ts';
import type { ReadVersion } from './kept-versions.ts';

/** What goes into a live version, and what leaves it. */
export interface Merge {
  /** By checked paths. */
  sent: ReadonlyMap<string, Uint8Array>;
  /** Paths, each once, in Unicode's composed form. */
  deleted: readonly string[];
}

/** What a merged version is: every path of it, and the entries of what stays where it stands. */
export interface MergePlan extends Pick<PreparedUpload, 'type' | 'home'> {
  paths: readonly string[];
  carried: Manifest;
}

type Live = Pick<ReadVersion, 'type' | 'home' | 'store' | 'files'>;

/** The rest is of the same kind, and an answer has to stay short. */
const maxFaults = 10;

/**
 * What becomes of a live version when files are added, replaced and removed. Pure.
 *
 * A kept file in which something could run stands as it was stored, large or not: no merge makes
 * a page of what was none, nor the reverse.
 * @throws CodedError INVALID_REQUEST, TOO_MANY_FILES
 */
export function planMerge(
  live: Live,
  { sent, deleted }: Merge,
  { maxFilesPerProject }: Pick<PlanLimits, 'maxFilesPerProject'>,
): MergePlan {
  checkDeleted(live.files, deleted);
  const gone = new Set(deleted);
  const kept = [...live.files.keys()].filter((path) => !gone.has(path));
  const added = [...sent.keys()].filter((path) => !live.files.has(path));
  const paths = [...kept, ...added];
  if (paths.length === 0) throw nothingLeft(deleted.length);
  checkCount(paths.length, live.files.size, maxFilesPerProject);
  checkClash(kept, added);
  const carried = new Map<string, FileEntry>();
  for (const [path, entry] of live.files) {
    if (!gone.has(path) && !sent.has(path)) carried.set(path, carriedFrom(live, entry));
  }
  return { paths, carried, ...understandMerged(live, paths) };
}

/** The entry in another version of a file that stays where it stands. */
function carriedFrom({ store }: Live, entry: FileEntry): FileEntry {
  return entry.kept === undefined ? { ...entry, kept: store } : entry;
}

/**
 * A home page stays the home page while it is there. A site whose home page left takes the
 * likeliest: who changes single files is not asked which of the others it is.
 */
function understandMerged(live: Live, paths: readonly string[]) {
  if (isAskedBundle(live)) return understand({ asFileBundle: true }, paths, undefined);
  const isArchive = live.type === 'zip';
  const home =
    live.home !== null && paths.includes(live.home)
      ? live.home
      : chooseHome(paths.filter(isHtml), undefined, false);
  const options = { zipIndexHtmlPath: home ?? undefined };
  return understand(options, paths, isArchive ? '' : undefined);
}

/** Whether a version is a bundle by its owner's word: its files alone would not make it one. */
function isAskedBundle({ type, home, files }: Live): boolean {
  if (type !== 'files' || home !== null) return false;
  const byItself = understand({}, [...files.keys()], undefined);
  return byItself.type !== 'files';
}

function checkDeleted(held: Manifest, deleted: readonly string[]): void {
  const missing = deleted.flatMap((path, index) => (held.has(path) ? [] : [{ path, index }]));
  if (missing.length === 0) return;
  const details = missing.slice(0, maxFaults).map(({ path, index }) => ({
    path: `delete[${index}]`,
    message: `${quoted(path)} ${whyMissing([...held.keys()], path)}`,
  }));
  const more = missing.length > 1 ? ` And ${missing.length - 1} more.` : '';
  const error = `Nothing was changed: ${details[0]?.message ?? ''}.${more}`;
  throw new CodedError('INVALID_REQUEST', { error, details });
}

function whyMissing(held: readonly string[], path: string): string {
  const inside = held.filter((one) => one.startsWith(`${path.replace(/\/+$/, '')}/`)).length;
  if (inside > 0) return `is a folder of ${inside} files; name each file that is to go`;
  const key = collisionKey(path);
  const meant = held.find((one) => collisionKey(one) === key);
  return meant === undefined
    ? 'is no file of the live version'
    : `is no file of the live version; ${quoted(meant)} is`;
}

function nothingLeft(count: number): CodedError {
  const message = `This would delete all ${count} files; a project has at least one`;
  return new CodedError('INVALID_REQUEST', {
    error: `${message}.`,
    details: [{ path: 'delete', message }],
    nextStep: 'Keep or send a file, replace all files, or delete the project itself.',
  });
}

/** What does not grow is not refused: a plan may have become smaller than its projects. */
function checkCount(count: number, before: number, limit: number): void {
  if (limit === -1 || count <= limit || count <= before) return;
  throw new CodedError('TOO_MANY_FILES', {
    error: `The project would have ${count} files; the plan allows ${limit}.`,
    nextStep: 'Delete files in the same change, or change to a larger plan. Nothing was kept.',
  });
}

function checkClash(kept: readonly string[], added: readonly string[]): void {
  const clash = clashWith(kept, added);
  if (clash === undefined) return;
  const message = `${quoted(clash.added)} cannot stand beside ${quoted(clash.held)}, which the project has: both would be one address`;
  throw new CodedError('INVALID_REQUEST', {
    error: `${message}.`,
    details: [{ path: 'files', message }],
    nextStep: 'Send it under the name that the project has, or delete that one in the same change.',
  });
}
