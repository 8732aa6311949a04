import { isHostingFile } from '../../site-rules/rules-file.ts';
import type { LeftOutWarning, PictureWarning } from '../../../contract/fields.ts';
import type { PlanLimits } from '../../../contract/plans.ts';
import { chooseHome, detectTypeAndHome } from '../../content/choose-home.ts';
import { isHtml } from '../../content/media-type.ts';
import { checkedName } from '../../content/checked-names.ts';
import { freeFolderName } from '../../content/distinct-names.ts';
import type { IncomingFile, PreparedUpload } from '../../content/prepare-upload.ts';
import { findConflict, collisionKey, quoted } from '../../content/safe-path.ts';
import { CodedError } from '../../errors.ts';
import type { FileEntry, Manifest } from '../../visit/manifest.ts';
import type { Project } from '../project.ts';
import type { VersionWithFiles } from './kept-versions.ts';

/** Files that a merge adds or replaces, and paths that it deletes. */
export interface FileMerge {
  folder?: undefined;
  /** Contents by path; the paths are checked. */
  sent: ReadonlyMap<string, Uint8Array>;
  /** Whether files are published even if they seem to contain keys. */
  allowSecrets?: boolean | undefined;
  /** Paths, each once, in Unicode NFC. */
  deleted: readonly string[];
  /** Warnings about files that were left out of `sent`, and about pictures that could not be taken along. */
  warnings?: readonly (LeftOutWarning | PictureWarning)[];
}

/** A merged version before it is stored: all its paths, and the entries of unchanged files. */
export interface MergePlan extends Pick<PreparedUpload, 'type' | 'home'> {
  paths: readonly string[];
  unchanged: Manifest;
}

type LiveVersion = Pick<VersionWithFiles, 'type' | 'home' | 'store' | 'files'>;

/** The files of a merge were not unpacked, and keep their paths. */
const sentAsFiles = { topFolder: '', isArchive: false };

/** Keeps the response short. */
const maxFaults = 10;

/**
 * Plans the version that results from adding, replacing and deleting files of the live one. Pure.
 *
 * Unchanged files keep the `Content-Disposition` with which they were stored: a merge never turns a
 * download of a bundle into a page, nor the reverse.
 * @throws CodedError INVALID_REQUEST, TOO_MANY_FILES
 */
export function planMerge(
  live: LiveVersion,
  { sent, deleted }: FileMerge,
  { maxFilesPerProject }: Pick<PlanLimits, 'maxFilesPerProject'>,
): MergePlan {
  checkDeleted(live.files, deleted);
  const gone = new Set(deleted);
  const kept = [...live.files.keys()].filter((path) => !gone.has(path));
  const added = [...sent.keys()].filter((path) => !live.files.has(path));
  const paths = [...kept, ...added];
  if (paths.length === 0) throw noFilesLeft(deleted.length);
  checkCount(paths.length, live.files.size, maxFilesPerProject);
  checkConflict(kept, added);
  const unchanged = new Map<string, FileEntry>();
  for (const [path, entry] of live.files) {
    if (!gone.has(path) && !sent.has(path)) unchanged.set(path, unchangedEntry(live, entry));
  }
  return { paths, unchanged, ...detectMergedTypeAndHome(live, paths) };
}

/** A whole upload that a merge adds as a new folder at the top of a list of files. */
export interface FolderMerge {
  /** The name of the folder; it gets a number if the project has a file or folder of this name. */
  folder: string;
  /** Nothing is added once visitors may open the project. */
  expectsPrivate: boolean;
  upload: PreparedUpload;
  deleted?: undefined;
}

/**
 * Plans the version that has an upload as a new folder. It replaces nothing, and the result is always a list of files:
 * its pages and rules come from strangers. Pure.
 * @throws CodedError UPLOAD_LINK_NOT_FOUND; INVALID_REQUEST for a path that the folder makes too long
 */
export function planFolder(
  live: LiveVersion,
  { folder: name, expectsPrivate, upload }: FolderMerge,
  {
    access,
    archivedAt,
    maxFilesPerProject,
  }: Pick<Project, 'access' | 'archivedAt'> & Pick<PlanLimits, 'maxFilesPerProject'>,
): { plan: MergePlan; upload: PreparedUpload } {
  if (archivedAt !== null) throw takesNoFiles('is archived');
  if (live.home !== null) throw takesNoFiles('is a site now');
  if (expectsPrivate && access !== 'private') throw takesNoFiles('is open to visitors');
  const count = live.files.size + upload.fileCount;
  if (maxFilesPerProject !== -1 && count > maxFilesPerProject) throw takesNoFiles('is full');
  const folder = freeFolderName(live.files.keys(), name);
  const shown = { type: 'files', home: null } as const;
  const unchanged = new Map(
    Array.from(live.files, ([path, entry]) => [path, unchangedEntry(live, entry)]),
  );
  const files = () => filesBelow(folder, upload.files());
  return {
    plan: { ...shown, paths: [...live.files.keys()], unchanged },
    upload: { ...upload, ...shown, folder, files },
  };
}

async function* filesBelow(folder: string, files: AsyncIterable<IncomingFile>) {
  for await (const file of files) {
    yield { ...file, path: checkedName(file.path, `${folder}/${file.path}`) };
  }
}

function takesNoFiles(reason: string): CodedError {
  return new CodedError('UPLOAD_LINK_NOT_FOUND', {
    error: `This file request takes no files at the moment: the project that collects them ${reason}.`,
    nextStep: 'Tell the person who sent it to you. Nothing was kept.',
  });
}

/** The entry of an unchanged file: it points to the store that has the file. */
function unchangedEntry({ store }: LiveVersion, entry: FileEntry): FileEntry {
  return entry.storedAt === undefined ? { ...entry, storedAt: store } : entry;
}

/**
 * The home page stays the same while its file exists. Otherwise the most likely HTML file becomes
 * the home page; a merge never asks for `zipIndexHtmlPath`.
 */
function detectMergedTypeAndHome(live: LiveVersion, paths: readonly string[]) {
  if (isRequestedBundle(live))
    return detectTypeAndHome({ asFileBundle: true }, { paths, ...sentAsFiles });
  const isArchive = live.type === 'zip';
  if (isSiteOfRules(live, paths)) return { type: live.type, home: live.home };
  const home =
    live.home !== null && paths.includes(live.home)
      ? live.home
      : chooseHome(paths.filter(isHtml), {}, sentAsFiles);
  const options = { zipIndexHtmlPath: home ?? undefined };
  return detectTypeAndHome(options, { paths, topFolder: '', isArchive });
}

/** Whether a site without a page stays one: its rules answer all addresses. */
function isSiteOfRules({ home, files }: LiveVersion, paths: readonly string[]): boolean {
  if (home === null || paths.some(isHtml)) return false;
  return !files.has(home) || paths.every(isHostingFile);
}

/**
 * Whether the owner requested a bundle (`asFileBundle`): judged by its files alone, it would have
 * another type.
 */
function isRequestedBundle({ type, home, files }: LiveVersion): boolean {
  if (type !== 'files' || home !== null) return false;
  const byItself = detectTypeAndHome({}, { paths: [...files.keys()], ...sentAsFiles });
  return byItself.type !== 'files';
}

function checkDeleted(existing: Manifest, deleted: readonly string[]): void {
  const missing = deleted.flatMap((path, index) => (existing.has(path) ? [] : [{ path, index }]));
  if (missing.length === 0) return;
  const details = missing.slice(0, maxFaults).map(({ path, index }) => ({
    path: `delete[${index}]`,
    message: `${quoted(path)} ${whyMissing([...existing.keys()], path)}`,
  }));
  const more = missing.length > 1 ? ` And ${missing.length - 1} more.` : '';
  const error = `Nothing was changed: ${details[0]?.message ?? ''}.${more}`;
  throw new CodedError('INVALID_REQUEST', { error, details });
}

function whyMissing(existing: readonly string[], path: string): string {
  // Once, and not for each file; behind another slash none begins a run, so that it takes one pass.
  const folder = `${path.replace(/(?<!\/)\/+$/, '')}/`;
  const inside = existing.filter((one) => one.startsWith(folder)).length;
  if (inside > 0) return `is a folder of ${inside} files; name each file to delete`;
  const key = collisionKey(path);
  const meant = existing.find((one) => collisionKey(one) === key);
  return meant === undefined
    ? 'is not a file of the live version'
    : `is not a file of the live version; ${quoted(meant)} is`;
}

function noFilesLeft(count: number): CodedError {
  const message = `This would delete all ${count} files; a project has at least one`;
  return new CodedError('INVALID_REQUEST', {
    error: `${message}.`,
    details: [{ path: 'delete', message }],
    nextStep: 'Keep or send a file, replace all files, or delete the project itself.',
  });
}

/** Allows a merge that adds no file: the plan may have become smaller than the project. */
function checkCount(count: number, before: number, limit: number): void {
  if (limit === -1 || count <= limit || count <= before) return;
  throw new CodedError('TOO_MANY_FILES', {
    error: `The project would have ${count} files; the plan allows ${limit}.`,
    nextStep: 'Delete files in the same change, or change to a larger plan. Nothing was kept.',
  });
}

function checkConflict(kept: readonly string[], added: readonly string[]): void {
  const clash = findConflict(kept, added);
  if (clash === undefined) return;
  const message = `${quoted(clash.added)} conflicts with ${quoted(clash.existing)} of the project: both would have the same address`;
  throw new CodedError('INVALID_REQUEST', {
    error: `${message}.`,
    details: [{ path: 'files', message }],
    nextStep: 'Use the path that the project already has, or delete that file in the same change.',
  });
}
