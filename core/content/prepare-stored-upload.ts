import { withoutTopFolder } from './checked-names.ts';
import { leaveOut } from './left-out/leave-out.ts';
import type { UploadOptions } from './choose-home.ts';
import { describeContent } from './describe-content.ts';
import { CodedError } from '../errors.ts';
import { maxPageBytes } from './top-folder.ts';
import {
  archiveLimits,
  checkPartCount,
  type IncomingFile,
  isArchiveName,
  type PreparedUpload,
  type UploadLimits,
} from './prepare-upload.ts';
import type { ByteSource } from './zip/byte-source.ts';
import { type ArchiveIndex, openUnlessShared } from './zip/open-archive.ts';
import { readEntry } from './zip/read-entry.ts';
import { streamArchive } from './zip/stream-archive.ts';

/** An upload whose bytes are in storage. Its names were checked when the upload was created. */
export interface StoredUpload {
  kind: 'files' | 'archive';
  files: readonly StoredPart[];
}

interface StoredPart {
  path: string;
  source: ByteSource;
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
  const index =
    only === undefined || !isZip
      ? undefined
      : await openUnlessShared(only.source, archiveLimits(limits, options), options);
  if (only === undefined || index === undefined) return prepareParts(parts, options, limits);
  return describeContent(options, names, {
    files: index.files.map(({ path, bytes }) => ({ path, size: bytes })),
    topFolder: index.topFolder,
    leftOut: index.leftOut,
    unpackedBytes: index.unpackedBytes,
    isArchive: true,
    look: (path) => lookAtEntry(only.source, index, path),
    read: () => streamArchive(only.source, index),
  });
}

async function prepareParts(
  parts: readonly StoredPart[],
  options: UploadOptions,
  limits: UploadLimits,
): Promise<PreparedUpload> {
  const { kept, leftOut, topFolder } = await siftParts(parts, options);
  checkPartCount(kept.length, limits);
  const sent = kept.map(({ path }) => path);
  const paths = withoutTopFolder(sent, topFolder);
  const files = kept.map(({ source }, at) => ({ path: paths[at] ?? '', source }));
  return describeContent(options, sent, {
    files: files.map(withSize),
    topFolder,
    leftOut,
    isArchive: false,
    look: (path) => lookAtPart(files, path),
    read: () => readAhead(files),
  });
}

async function siftParts(parts: readonly StoredPart[], { includeHidden }: UploadOptions) {
  const look = (path: string) => lookAtPart(parts, path);
  const { kept, ...sifted } = await leaveOut({ files: parts.map(withSize), look }, includeHidden);
  const published = new Set(kept);
  return { ...sifted, kept: parts.filter(({ path }) => published.has(path)) };
}

function withSize({ path, source }: StoredPart) {
  return { path, size: source.size };
}

async function lookAtPart(parts: readonly StoredPart[], path: string) {
  const source = parts.find((part) => part.path === path)?.source;
  return source === undefined || source.size === 0 ? undefined : source.read(0, source.size - 1);
}

/** A damaged entry is refused later, when the whole archive is read. */
async function lookAtEntry(source: ByteSource, { files }: ArchiveIndex, path: string) {
  const entry = files.find((file) => file.path === path);
  if (entry === undefined || entry.compressedBytes > maxPageBytes) return undefined;
  try {
    return await readEntry(source, entry);
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
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
