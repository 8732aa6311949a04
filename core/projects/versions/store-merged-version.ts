import type { Spa } from '../../../contract/fields.ts';
import type { PlanLimits } from '../../../contract/plans.ts';
import type { StoreKey } from '../../content/content-keys.ts';
import {
  type IncomingFile,
  incomingFiles,
  type PreparedUpload,
} from '../../content/prepare-upload.ts';
import { soleFile, takenFinder } from '../../content/taken-pictures.ts';
import { isShownAsText, shownBytesOf } from '../../content/text-file.ts';
import type { ContentStore } from '../../ports.ts';
import { collectSiteRules, type EncodedRules } from '../../site-rules/collect-site-rules.ts';
import { filePlace, readFilePlace } from '../../visit/file-place.ts';
import type { FileEntry, Manifest } from '../../visit/manifest.ts';
import {
  type UnpublishedVersion,
  storeContent,
  storeMarkup,
  type StoreUpload,
} from '../publishing/store-version.ts';
import { versionWarnings } from '../publishing/version-warnings.ts';
import type { Project } from '../project.ts';
import type { VersionWithFiles } from './kept-versions.ts';
import { knownFiles } from '../publishing/known-files.ts';
import {
  type FileMerge,
  type FolderMerge,
  type MergePlan,
  planFolder,
  planMerge,
} from './merge-files.ts';
import type { AccountLimits } from '../quota.ts';

interface MergedDeps {
  content: Pick<ContentStore, 'get' | 'put' | 'renderText'>;
  storeOnce: StoreUpload;
}

/** A merge over one state of its project. */
interface MergedVersion {
  live: VersionWithFiles;
  merge: FileMerge | FolderMerge;
  limits: AccountLimits;
  spa: Spa;
  project: Pick<Project, 'access' | 'archivedAt'>;
}

/**
 * Stores the sent files and makes a version of them and of the remaining files of the live one.
 * Those are neither read nor stored again, except files in sparse packs.
 * @throws CodedError those of planMerge and planFolder, before anything is stored
 */
export async function storeMergedVersion(
  { content, storeOnce }: MergedDeps,
  target: StoreKey,
  { live, merge, limits, spa, project }: MergedVersion,
): Promise<UnpublishedVersion> {
  const { plan, upload } =
    merge.folder === undefined
      ? planFiles(live, merge, limits)
      : planFolder(live, merge, { ...project, ...limits });
  const sent = await storeOnce(upload, knownFiles([live]), plan.unchanged);
  const files = mergeEntries(plan, sent.files);
  const { rules, warnings } = await mergedRules(content, target, { plan, merge, files });
  const shown = await storeContent(content, target, files, rules);
  const { type, home } = plan;
  const { links } = sent;
  const site = { type, home, spa, rules };
  const markup = await mergedMarkup(content, target, { plan, files, sent });
  const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  const fileCount = files.size;
  return {
    store: target.store,
    type,
    home,
    bytes,
    fileCount,
    files,
    links,
    ...shown,
    ...markup,
    ...versionWarnings(site, files, { links, ofRules: warnings, ofFiles: upload.warnings }),
  };
}

function planFiles(live: VersionWithFiles, merge: FileMerge, limits: PlanLimits) {
  const plan = planMerge(live, merge, limits);
  return { plan, upload: sentFilesAsUpload(merge, plan) };
}

/** The sent files as an upload, with the type and home page of the merged version. */
function sentFilesAsUpload(
  { sent, allowSecrets, warnings }: FileMerge,
  { type, home }: MergePlan,
): PreparedUpload {
  const files = [...sent].map(([path, bytes]) => ({ path, bytes }));
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const fileCount = files.length;
  return {
    type,
    home,
    title: '',
    fileCount,
    bytes,
    allowSecrets,
    ...(warnings !== undefined && { warnings }),
    files: () => incomingFiles(files),
  };
}

function mergeEntries({ paths, unchanged }: MergePlan, stored: Manifest): Map<string, FileEntry> {
  const files = new Map<string, FileEntry>();
  for (const path of paths) {
    const entry = stored.get(path) ?? unchanged.get(path);
    if (entry === undefined) throw new Error('a path of a merged version is of no file');
    files.set(path, entry);
  }
  // Of a folder, only storing it tells the paths.
  for (const [path, entry] of stored) files.set(path, entry);
  return files;
}

interface Remaining {
  plan: MergePlan;
  files: Manifest;
  sent: UnpublishedVersion;
}

/**
 * A text that was just sent has its markup already. A text that is the only remaining file gets its
 * markup now.
 */
async function mergedMarkup(
  content: MergedDeps['content'],
  target: StoreKey,
  { plan: { type, home }, files, sent }: Remaining,
): Promise<Pick<UnpublishedVersion, 'markupRevision'>> {
  const { markupRevision } = sent;
  const only = soleFile(files);
  if (only === undefined || home !== null) return {};
  const [path, entry] = only;
  if (!isShownAsText(type, { path, size: entry.size }) || entry.size === 0) return {};
  if (markupRevision !== undefined) return { markupRevision };
  const most = shownBytesOf(path);
  const isWhole = entry.size <= most;
  const range = isWhole ? undefined : { first: 0, last: most - 1 };
  const bytes = await readFilePlace(content, filePlace(target, path, entry), range);
  return storeMarkup(
    content,
    target,
    bytes && { path, type, bytes, isWhole, taken: takenFinder(files) },
  );
}

interface Whole {
  plan: MergePlan;
  merge: FileMerge | FolderMerge;
  files: Manifest;
}

/**
 * The rules of all files, even if only one was sent: they share one size limit. Only the files that say
 * rules are read.
 */
async function mergedRules(
  content: Pick<ContentStore, 'get'>,
  target: StoreKey,
  whole: Whole,
): Promise<EncodedRules> {
  const kind = whole.plan.home === null ? 'bundle' : 'site';
  const noted = collectSiteRules(kind, rulesFiles(content, target, whole));
  const passing = noted.files[Symbol.asyncIterator]();
  while ((await passing.next()).done !== true);
  return noted.rules();
}

async function* rulesFiles(
  content: Pick<ContentStore, 'get'>,
  target: StoreKey,
  { merge, files }: Whole,
): AsyncGenerator<IncomingFile> {
  for (const [path, entry] of files) {
    const read = async () => readFilePlace(content, filePlace(target, path, entry));
    yield {
      path,
      size: entry.size,
      content: readLazily(merge.folder === undefined ? merge.sent.get(path) : undefined, read),
    };
  }
}

/** Reads the file only when its bytes are requested; those of a file that is too large never are. */
async function* readLazily(
  sent: Uint8Array | undefined,
  read: () => Promise<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array> {
  const bytes = sent ?? (await read());
  if (bytes === undefined) throw new Error('a file of a live version is gone');
  yield bytes;
}
