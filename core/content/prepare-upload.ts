import type { ContentWarning, ProjectType, UploadedFile } from '../../contract/fields.ts';
import { CodedError } from '../errors.ts';
import { detectTypeAndHome, type UploadOptions } from './choose-home.ts';
import { titleFromNames } from './detect-type.ts';
import { filesInFolder, keepsTopFolder, namedInFolder, pathInFolder } from './place-files.ts';
import { folderWarning } from './top-folder.ts';
import { extensionOf } from './media-type.ts';
import { checkNames, withoutSystemFiles, withoutTopFolder } from './checked-names.ts';
import type { ArchiveIndex, ArchiveLimits } from './zip/open-archive.ts';
import { type ArchiveFile, openReceived, unpackFiles } from './zip/read-archive.ts';

/**
 * Limits of one upload, by the caller's plan or for callers without an account. Counts and bytes.
 */
export interface UploadLimits {
  maxParts: number;
  maxBytes: number;
  maxArchiveEntries: number;
  maxArchiveBytes: number;
  /** What a request publishes itself of a ZIP; a worker publishes larger ones. Absent where none does. */
  request?: { maxFiles: number; maxBytes: number; maxStagedBytes: number };
  /** The next step for callers who need more. Default: the next step of the error's code. */
  nextStep?: string;
}

/** An upload whose bytes are in the request. */
export interface Upload extends UploadOptions {
  files: readonly UploadedFile[];
  /** Whether the names are the paths of the site: a folder that holds all files stays in them. */
  hasExactPaths?: boolean | undefined;
}

/** A checked upload: its type, its home page if it is a site, and its files with safe paths. */
export interface PreparedUpload {
  type: ProjectType;
  home: string | null;
  /** A single file of an unknown format: if its content is text, its type is `code`. */
  mayBeText?: boolean;
  title: string;
  fileCount: number;
  bytes: number;
  /** What was noticed in the names. */
  warnings?: readonly ContentWarning[];
  /** The files. Read each to its end before you request the next. May be called again. */
  files(): AsyncIterable<IncomingFile>;
}

/** One file of an upload that will be stored. */
export interface IncomingFile {
  path: string;
  /** In bytes, exact. */
  size: number;
  /** May be read once. */
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Checks an upload whose bytes are in the request, archives included. Stores nothing.
 * @throws CodedError INVALID_REQUEST, TOO_MANY_FILES, PAYLOAD_TOO_LARGE, ARCHIVE_INVALID,
 * FILE_TYPE_REFUSED, ZIP_MULTIPLE_HTML
 */
export async function prepareUpload(
  upload: Upload,
  limits: UploadLimits,
  archive?: SentArchive,
): Promise<PreparedUpload> {
  const opened = archive ?? (await openSentArchive(upload, limits));
  const names = upload.files.map(({ name }) => name);
  if (opened === undefined) {
    const { sent, files, topFolder } = relativeFiles(upload, checkNames(names));
    return describeContent(upload, sent, {
      files: files.map(withSize),
      topFolder,
      isArchive: false,
      look: (path) => lookAt(files, path),
      read: () => incomingFiles(files),
    });
  }
  const files = await unpackFiles(opened.file.bytes, opened.index);
  return describeContent(upload, names, {
    files: files.map(withSize),
    topFolder: opened.index.topFolder,
    isArchive: true,
    look: (path) => lookAt(files, path),
    read: () => incomingFiles(files),
  });
}

/** A ZIP that is the only file of a request, and what it declares. */
export interface SentArchive {
  file: UploadedFile;
  index: ArchiveIndex;
}

/**
 * Checks the size of an upload in the request and opens its archive, if it is one. Unpacks nothing.
 * @throws CodedError TOO_MANY_FILES, PAYLOAD_TOO_LARGE, ARCHIVE_INVALID, FILE_TYPE_REFUSED
 */
export async function openSentArchive(
  { files }: Upload,
  limits: UploadLimits,
): Promise<SentArchive | undefined> {
  checkUploadSize(files, limits);
  const [file] = files;
  if (file === undefined || files.length > 1 || !isArchive(file)) return undefined;
  return { file, index: await openReceived(file.bytes, archiveLimits(limits)) };
}

async function lookAt(files: readonly ArchiveFile[], path: string) {
  return files.find((file) => file.path === path)?.bytes;
}

function relativeFiles({ files, hasExactPaths }: Upload, checked: readonly string[]) {
  const all = files.map(({ bytes }, at) => ({ path: checked[at] ?? '', bytes }));
  if (hasExactPaths === true) return { sent: checked, files: all, topFolder: '' };
  const kept = withoutSystemFiles(all);
  const sent = kept.map(({ path }) => path);
  const { paths, topFolder } = withoutTopFolder(sent);
  return {
    sent,
    files: kept.map(({ bytes }, at) => ({ path: paths[at] ?? '', bytes })),
    topFolder,
  };
}

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
  const isUnknown = found.type === 'files' && paths.length === 1 && !isArchive;
  return {
    ...found,
    ...(isUnknown && options.asFileBundle !== true && { mayBeText: true }),
    title: titleFromNames(names, topFolder),
    fileCount: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    ...(isNoticed && { warnings: [folderWarning(topFolder, isKept)] }),
    files: isKept ? () => filesInFolder(topFolder, content.read()) : content.read,
  };
}

function withSize({ path, bytes }: ArchiveFile) {
  return { path, size: bytes.length };
}

/** The limits for the archive of an upload. */
export function archiveLimits(limits: UploadLimits): ArchiveLimits {
  return {
    maxEntries: limits.maxArchiveEntries,
    maxTotalBytes: limits.maxArchiveBytes,
    ...nextStepOf(limits),
  };
}

/** The limit's own next step, for the body of an error. */
export function nextStepOf({ nextStep }: Pick<UploadLimits, 'nextStep'>): { nextStep?: string } {
  return nextStep === undefined ? {} : { nextStep };
}

/** A ZIP is unpacked only if it is the only file of the upload. */
function isArchive({ name, contentType }: UploadedFile): boolean {
  return isArchiveName(name) || /^application\/(?:x-)?zip(?:-compressed)?$/.test(contentType);
}

export function isArchiveName(name: string): boolean {
  return extensionOf(name) === 'zip';
}

/**
 * Separate files by their checked paths. A ZIP among them is not unpacked.
 * @throws CodedError INVALID_REQUEST, TOO_MANY_FILES, PAYLOAD_TOO_LARGE, FILE_TYPE_REFUSED
 */
export function filesByCheckedPath(
  files: readonly UploadedFile[],
  limits: UploadLimits,
): Map<string, Uint8Array> {
  checkUploadSize(files, limits);
  const paths = checkNames(files.map(({ name }) => name));
  return new Map(files.map(({ bytes }, at) => [paths[at] ?? '', bytes]));
}

function checkUploadSize(files: readonly UploadedFile[], limits: UploadLimits): void {
  if (files.length > limits.maxParts) {
    throw new CodedError('TOO_MANY_FILES', {
      error: `The upload has ${files.length} files; one upload can have at most ${limits.maxParts}.`,
      ...nextStepOf(limits),
    });
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (bytes > limits.maxBytes) {
    throw new CodedError('PAYLOAD_TOO_LARGE', {
      error: `The upload has ${bytes} bytes; one upload can have at most ${limits.maxBytes}.`,
      ...nextStepOf(limits),
    });
  }
}

/** Files in memory as files to store. */
export async function* incomingFiles(files: readonly ArchiveFile[]): AsyncGenerator<IncomingFile> {
  for (const { path, bytes } of files) {
    yield { path, size: bytes.length, content: [bytes] };
  }
}
