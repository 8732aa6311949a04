import type { ProjectType, UploadedFile } from '../../contract/fields.ts';
import { CodedError } from '../errors.ts';
import { detectTypeAndHome, titleFromNames, type UploadOptions } from './detect-type.ts';
import { extensionOf } from './media-type.ts';
import { checkNames, withoutSystemFiles, withoutTopFolder } from './checked-names.ts';
import type { ByteSource } from './zip/byte-source.ts';
import { type ArchiveLimits, openArchive } from './zip/open-archive.ts';
import { type ArchiveFile, readArchive } from './zip/read-archive.ts';
import { streamArchive } from './zip/stream-archive.ts';

/**
 * Limits of one upload, by the caller's plan or for callers without an account. Counts and bytes.
 */
export interface UploadLimits {
  maxParts: number;
  maxBytes: number;
  maxArchiveEntries: number;
  maxArchiveBytes: number;
  /** The next step for callers who need more. Default: the next step of the error's code. */
  nextStep?: string;
}

/** An upload whose bytes are in the request. */
export interface Upload extends UploadOptions {
  files: readonly UploadedFile[];
  /** Whether the names are the paths of the site: a folder that holds all files stays in them. */
  hasExactPaths?: boolean | undefined;
}

/** An upload whose bytes are in storage. Its names were checked when the upload was created. */
export interface StoredUpload {
  kind: 'files' | 'archive';
  files: readonly StoredPart[];
}

interface StoredPart {
  path: string;
  source: ByteSource;
}

/** A checked upload: its type, its home page if it is a site, and its files with safe paths. */
export interface PreparedUpload {
  type: ProjectType;
  home: string | null;
  title: string;
  fileCount: number;
  bytes: number;
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
export async function prepareUpload(upload: Upload, limits: UploadLimits): Promise<PreparedUpload> {
  checkUploadSize(upload.files, limits);
  const names = upload.files.map(({ name }) => name);
  const [only] = upload.files;
  if (only === undefined || names.length > 1 || !isArchive(only)) {
    const { sent, files, topFolder } = relativeFiles(upload, checkNames(names));
    return describeContent(upload, sent, {
      files: files.map(withSize),
      topFolder,
      isArchive: false,
      read: () => incomingFiles(files),
    });
  }
  const { files, topFolder } = await readArchive(only.bytes, archiveLimits(limits));
  return describeContent(upload, names, {
    files: files.map(withSize),
    topFolder,
    isArchive: true,
    read: () => incomingFiles(files),
  });
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

/**
 * Checks an upload whose bytes are in storage, by its file names or the directory of its archive.
 * Its content is read and checked when it is published.
 * @throws CodedError INVALID_REQUEST, TOO_MANY_FILES, ARCHIVE_INVALID, FILE_TYPE_REFUSED,
 * ZIP_MULTIPLE_HTML
 */
export async function prepareStored(
  { kind, files: parts }: StoredUpload,
  options: UploadOptions,
  limits: UploadLimits,
): Promise<PreparedUpload> {
  const names = parts.map(({ path }) => path);
  const [only] = parts;
  const isZip = kind === 'archive' || (parts.length === 1 && isArchiveName(only?.path ?? ''));
  if (only === undefined || !isZip) {
    const kept = withoutSystemFiles(parts);
    const sent = kept.map(({ path }) => path);
    const { paths, topFolder } = withoutTopFolder(sent);
    const files = kept.map(({ source }, at) => ({ path: paths[at] ?? '', source }));
    return describeContent(options, sent, {
      files: files.map(({ path, source }) => ({ path, size: source.size })),
      topFolder,
      isArchive: false,
      read: () => readAhead(files),
    });
  }
  const index = await openArchive(only.source, archiveLimits(limits));
  return describeContent(options, names, {
    files: index.files.map(({ path, bytes }) => ({ path, size: bytes })),
    topFolder: index.topFolder,
    isArchive: true,
    read: () => streamArchive(only.source, index),
  });
}

/** The files of an upload. */
interface UploadContent {
  files: readonly { path: string; size: number }[];
  /** The folder that was removed from their paths (`site/`), or empty. */
  topFolder: string;
  isArchive: boolean;
  read: () => AsyncIterable<IncomingFile>;
}

function describeContent(
  options: UploadOptions,
  names: readonly string[],
  { files, topFolder, isArchive, read }: UploadContent,
): PreparedUpload {
  const paths = files.map(({ path }) => path);
  return {
    ...detectTypeAndHome(options, { paths, topFolder, isArchive }),
    title: titleFromNames(names, topFolder),
    fileCount: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    files: read,
  };
}

function withSize({ path, bytes }: ArchiveFile) {
  return { path, size: bytes.length };
}

function archiveLimits(limits: UploadLimits): ArchiveLimits {
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

function isArchiveName(name: string): boolean {
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

/** Small files are fetched a few at a time, because their latency is longer than their transfer. */
const batchLimits = { count: 16, bytes: 32 * 1024 * 1024 };

async function* readAhead(parts: readonly StoredPart[]): AsyncGenerator<IncomingFile> {
  for (const batch of batches(parts)) {
    if (batch.length === 1) {
      yield* batch.map(streamFile);
      continue;
    }
    yield* await Promise.all(batch.map(fetchFile));
  }
}

function* batches(parts: readonly StoredPart[]): Generator<StoredPart[]> {
  let batch: StoredPart[] = [];
  let bytes = 0;
  for (const part of parts) {
    const { size } = part.source;
    const isFull =
      batch.length === batchLimits.count || (batch.length > 0 && bytes + size > batchLimits.bytes);
    if (isFull) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(part);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function streamFile({ path, source }: StoredPart): IncomingFile {
  const { size } = source;
  return { path, size, content: size === 0 ? [] : source.stream(0, size - 1) };
}

async function fetchFile({ path, source }: StoredPart): Promise<IncomingFile> {
  const { size } = source;
  return { path, size, content: size === 0 ? [] : [await source.read(0, size - 1)] };
}
