import { gunzipSync } from 'node:zlib';
import type { LeftOutWarning, UploadedFile } from '../../contract/fields.ts';
import { gzippedZip } from '../../contract/limits.ts';
import { CodedError } from '../errors.ts';
import type { UploadOptions } from './choose-home.ts';
import { describeContent, type PreparedUpload } from './describe-content.ts';
import type { IncomingFile } from './place-files.ts';
import { extensionOf } from './media-type.ts';
import { checkNames, withoutTopFolder } from './checked-names.ts';
import { leaveOut, leftOutWarnings } from './left-out/leave-out.ts';
import { bytesSource } from './zip/byte-source.ts';
import { archiveError } from './zip/header-fields.ts';
import { type ArchiveIndex, type ArchiveLimits, openUnlessShared } from './zip/open-archive.ts';
import { type ArchiveFile, readArchive } from './zip/read-archive.ts';

export type { PreparedUpload } from './describe-content.ts';
export type { IncomingFile } from './place-files.ts';

/**
 * Limits of one upload, by the caller's plan or for callers without an account. Counts and bytes.
 */
export interface UploadLimits {
  maxParts: number;
  maxBytes: number;
  maxArchiveEntries: number;
  maxArchiveBytes: number;
  /**
   * The largest ZIP that a request publishes itself; a worker publishes larger ones. Absent if no
   * worker may.
   */
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
    const { sent, files, topFolder, leftOut } = await relativeFiles(upload, limits);
    return describeContent(upload, sent, {
      files: files.map(withSize),
      topFolder,
      leftOut,
      isArchive: false,
      look: (path) => lookAt(files, path),
      read: () => incomingFiles(files),
    });
  }
  const { topFolder, leftOut } = opened.index;
  const files = await readArchive(opened.file.bytes, opened.index);
  return describeContent(upload, names, {
    files: files.map(withSize),
    topFolder,
    leftOut,
    isArchive: true,
    look: (path) => lookAt(files, path),
    read: () => incomingFiles(files),
  });
}

/** A ZIP that is the only file of a request, and its index. */
export interface SentArchive {
  file: UploadedFile;
  index: ArchiveIndex;
}

/**
 * Checks the size of an upload in the request and opens its archive, if it is one. Unpacks nothing.
 * @throws CodedError TOO_MANY_FILES, PAYLOAD_TOO_LARGE, ARCHIVE_INVALID, FILE_TYPE_REFUSED, INVALID_REQUEST
 */
export async function openSentArchive(
  upload: Upload,
  limits: UploadLimits,
): Promise<SentArchive | undefined> {
  const { files } = upload;
  checkUploadBytes(files, limits);
  const [sent] = files;
  if (sent === undefined || files.length > 1 || !isArchive(sent)) return undefined;
  const isGzipped = sent.contentType === gzippedZip.type;
  const file = isGzipped ? { ...sent, bytes: unzipped(sent.bytes) } : sent;
  const source = bytesSource(file.bytes);
  // Its sender says that it is to be unpacked.
  const options = isGzipped ? {} : upload;
  const index = await openUnlessShared(source, archiveLimits(limits, upload), options);
  return index && { file, index };
}

/** The ZIP in a gzip; its size is bounded, whatever it unpacks to. @throws CodedError ARCHIVE_INVALID */
function unzipped(bytes: Uint8Array): Uint8Array {
  const { maxBytes } = gzippedZip;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes, chunkSize: gunzipChunkBytes });
  } catch {
    throw archiveError(`is no complete gzip, or of more than ${maxBytes} bytes`);
  }
}

/** With zlib's default of 16 kB, a ZIP of megabytes would be put together from hundreds of pieces. */
const gunzipChunkBytes = 1024 * 1024;

async function lookAt(files: readonly ArchiveFile[], path: string) {
  return files.find((file) => file.path === path)?.bytes;
}

/** The separate files of an upload that are published, with their paths. */
async function relativeFiles(upload: Upload, limits: UploadLimits) {
  const { kept, leftOut, topFolder } = await siftFiles(upload, upload, limits);
  const sent = kept.map(({ path }) => path);
  if (upload.hasExactPaths === true) return { sent, files: kept, topFolder: '', leftOut };
  const paths = withoutTopFolder(sent, topFolder);
  const files = kept.map(({ bytes }, at) => ({ path: paths[at] ?? '', bytes }));
  return { sent, files, topFolder, leftOut };
}

/**
 * Separate files without those that are left out, by their checked paths.
 * @throws CodedError INVALID_REQUEST, FILE_TYPE_REFUSED, TOO_MANY_FILES
 */
async function siftFiles(
  { files }: Pick<Upload, 'files'>,
  { includeHidden }: UploadOptions,
  limits: UploadLimits,
  { isMerge = false } = {},
) {
  const checked = checkNames(files.map(({ name }) => name));
  const all = files.map(({ bytes }, at) => ({ path: checked[at] ?? '', bytes }));
  const sent = { files: all.map(withSize), look: (path: string) => lookAt(all, path) };
  const { kept, ...sifted } = await leaveOut(sent, includeHidden, { isMerge });
  checkPartCount(kept.length, limits);
  const published = new Set(kept);
  return { ...sifted, kept: all.filter(({ path }) => published.has(path)) };
}

function withSize({ path, bytes }: ArchiveFile) {
  return { path, size: bytes.length };
}

/** The limits for reading the archive of an upload. */
export function archiveLimits(
  limits: UploadLimits,
  { includeHidden }: UploadOptions,
): ArchiveLimits {
  return {
    maxEntries: limits.maxArchiveEntries,
    maxTotalBytes: limits.maxArchiveBytes,
    includeHidden,
    ...nextStepOf(limits),
  };
}

/** The limit's own next step, for the body of an error. */
export function nextStepOf({ nextStep }: Pick<UploadLimits, 'nextStep'>): { nextStep?: string } {
  return nextStep === undefined ? {} : { nextStep };
}

/** A ZIP is unpacked only if it is the only file of the upload. */
function isArchive({ name, contentType }: UploadedFile): boolean {
  return (
    isArchiveName(name) ||
    contentType === gzippedZip.type ||
    /^application\/(?:x-)?zip(?:-compressed)?$/.test(contentType)
  );
}

export function isArchiveName(name: string): boolean {
  return extensionOf(name) === 'zip';
}

/** Separate files by their checked paths, and the warning about those that were left out. */
export interface FilesByPath {
  sent: ReadonlyMap<string, Uint8Array>;
  warnings: readonly LeftOutWarning[];
}

/**
 * Separate files that keep their paths. A ZIP among them is not unpacked.
 * @throws CodedError INVALID_REQUEST, TOO_MANY_FILES, PAYLOAD_TOO_LARGE, FILE_TYPE_REFUSED
 */
export async function filesByCheckedPath(
  files: readonly UploadedFile[],
  options: UploadOptions,
  limits: UploadLimits,
): Promise<FilesByPath> {
  checkUploadBytes(files, limits);
  const { kept, leftOut } = await siftFiles({ files }, options, limits, { isMerge: true });
  const sent = new Map(kept.map(({ path, bytes }) => [path, bytes]));
  return { sent, warnings: leftOutWarnings(leftOut) };
}

/** @throws CodedError TOO_MANY_FILES */
export function checkPartCount(count: number, limits: UploadLimits): void {
  if (count <= limits.maxParts) return;
  throw new CodedError('TOO_MANY_FILES', {
    error: `The upload has ${count} files; one upload can have at most ${limits.maxParts}.`,
    ...nextStepOf(limits),
  });
}

function checkUploadBytes(files: readonly UploadedFile[], limits: UploadLimits): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (bytes <= limits.maxBytes) return;
  throw new CodedError('PAYLOAD_TOO_LARGE', {
    error: `The upload has ${bytes} bytes; one upload can have at most ${limits.maxBytes}.`,
    ...nextStepOf(limits),
  });
}

/** Turns files in memory into files to store. */
export async function* incomingFiles(files: readonly ArchiveFile[]): AsyncGenerator<IncomingFile> {
  for (const { path, bytes } of files) {
    yield { path, size: bytes.length, content: [bytes] };
  }
}
