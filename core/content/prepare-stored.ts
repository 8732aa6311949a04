import { archiveFiles } from './zip/archive-files.ts';
import type { ByteSource } from './zip/byte-source.ts';
import type { IncomingFile } from './incoming-file.ts';
import { openArchive } from './zip/open-archive.ts';
import {
  archiveLimits,
  isArchiveName,
  type PreparedUpload,
  titleOf,
  understand,
  type UploadLimits,
  type UploadOptions,
} from './prepare-upload.ts';

/** An upload whose bytes lie in storage; names were checked when it was announced. */
export interface StoredUpload {
  kind: 'files' | 'archive';
  files: readonly StoredPart[];
}

interface StoredPart {
  path: string;
  source: ByteSource;
}

/**
 * Understands an upload from its names, or from the index of its archive; content is read when it
 * is published, and may be refused then.
 * @throws CodedError INVALID_REQUEST, TOO_MANY_FILES, ARCHIVE_INVALID, FILE_TYPE_REFUSED, ZIP_MULTIPLE_HTML
 */
export async function prepareStored(
  upload: StoredUpload,
  options: UploadOptions,
  limits: UploadLimits,
): Promise<PreparedUpload> {
  const archive = soleArchive(upload);
  if (archive !== undefined) return prepareArchive(archive, options, limits);
  const { files } = upload;
  return {
    ...understand(
      options,
      files.map(({ path }) => path),
      undefined,
    ),
    title: titleOf(files.map(({ path }) => path)),
    fileCount: files.length,
    bytes: files.reduce((sum, { source }) => sum + source.size, 0),
    files: () => readAhead(files),
  };
}

function soleArchive({ kind, files }: StoredUpload): StoredPart | undefined {
  const [only] = files;
  const isArchive = kind === 'archive' || (files.length === 1 && isArchiveName(only?.path ?? ''));
  return isArchive ? only : undefined;
}

async function prepareArchive(
  { path, source }: StoredPart,
  options: UploadOptions,
  limits: UploadLimits,
): Promise<PreparedUpload> {
  const index = await openArchive(source, archiveLimits(limits));
  const paths = index.files.map((file) => file.path);
  return {
    ...understand(options, paths, index.topFolder),
    title: titleOf([path]),
    fileCount: index.files.length,
    bytes: index.bytes,
    files: async function* () {
      for await (const file of archiveFiles(source, index)) {
        yield { path: file.path, size: file.bytes, content: file.content };
      }
    },
  };
}

/** Small files are fetched a few at a time: each alone would take longer to ask for than to read. */
const together = { count: 16, bytes: 32 * 1024 * 1024 };

async function* readAhead(files: readonly StoredPart[]): AsyncGenerator<IncomingFile> {
  for (const batch of batches(files)) {
    if (batch.length === 1) {
      yield* batch.map(streamed);
      continue;
    }
    yield* await Promise.all(batch.map(fetched));
  }
}

function* batches(files: readonly StoredPart[]): Generator<StoredPart[]> {
  let batch: StoredPart[] = [];
  let bytes = 0;
  for (const file of files) {
    const { size } = file.source;
    if (batch.length === together.count || (batch.length > 0 && bytes + size > together.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function streamed({ path, source }: StoredPart): IncomingFile {
  const { size } = source;
  return { path, size, content: size === 0 ? [] : source.stream(0, size - 1) };
}

async function fetched({ path, source }: StoredPart): Promise<IncomingFile> {
  const { size } = source;
  return { path, size, content: size === 0 ? [] : [await source.read(0, size - 1)] };
}
