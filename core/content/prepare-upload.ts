import type { ProjectType, UploadedFile } from '../../contract/fields.ts';
import { CodedError } from '../errors.ts';
import { chooseHome } from './choose-home.ts';
import { detectType } from './detect-type.ts';
import { extensionOf, stem } from './file-name.ts';
import { isHtml } from './media-type.ts';
import type { IncomingFile } from './incoming-file.ts';
import { type ArchiveFile, readArchive } from './read-archive.ts';
import { checkPath, findCollision } from './safe-path.ts';

/** What a plan, or a visitor without one, may upload at once. Bytes and counts. */
export interface UploadLimits {
  maxParts: number;
  maxBytes: number;
  maxArchiveEntries: number;
  maxArchiveBytes: number;
}

/** An upload as the caller sent it. */
export interface Upload {
  files: readonly UploadedFile[];
  zipIndexHtmlPath?: string | undefined;
  asFileBundle?: boolean | undefined;
}

/** An upload understood: what it is, its home page where it is a site, and every file by a safe path. */
export interface PreparedUpload {
  type: ProjectType;
  home: string | null;
  title: string;
  fileCount: number;
  bytes: number;
  /** The files, each to be read to its end before the next; may be asked for again. */
  files(): AsyncIterable<IncomingFile>;
}

/**
 * Reads an upload whole and refuses it whole; nothing is stored before this has returned.
 * @throws CodedError INVALID_REQUEST, TOO_MANY_FILES, PAYLOAD_TOO_LARGE, ARCHIVE_INVALID, FILE_TYPE_REFUSED, ZIP_MULTIPLE_HTML
 */
export async function prepareUpload(upload: Upload, limits: UploadLimits): Promise<PreparedUpload> {
  checkSize(upload.files, limits);
  const archive = soleArchive(upload.files);
  const { files, topFolder } =
    archive === undefined
      ? { files: namedFiles(upload.files), topFolder: '' }
      : await readArchive(archive.bytes, {
          maxEntries: limits.maxArchiveEntries,
          maxTotalBytes: limits.maxArchiveBytes,
        });
  return {
    ...understand(upload, files, archive === undefined ? undefined : topFolder),
    title: titleOf(upload.files),
    fileCount: files.length,
    bytes: files.reduce((sum, file) => sum + file.bytes.length, 0),
    files: () => inMemory(files),
  };
}

async function* inMemory(files: readonly ArchiveFile[]): AsyncGenerator<IncomingFile> {
  for (const { path, bytes } of files) {
    yield { path, size: bytes.length, content: [bytes] };
  }
}

function checkSize(files: readonly UploadedFile[], limits: UploadLimits): void {
  if (files.length > limits.maxParts) {
    throw new CodedError('TOO_MANY_FILES', {
      error: `The upload has ${files.length} files; at most ${limits.maxParts} are taken at once.`,
    });
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (bytes > limits.maxBytes) {
    throw new CodedError('PAYLOAD_TOO_LARGE', {
      error: `The upload has ${bytes} bytes; at most ${limits.maxBytes} are taken at once.`,
    });
  }
}

/** The one ZIP of an upload; among several files a ZIP is a file like any other. */
function soleArchive(files: readonly UploadedFile[]): UploadedFile | undefined {
  const [only] = files;
  if (only === undefined || files.length > 1) return undefined;
  const named = extensionOf(only.name) === 'zip';
  return named || /^application\/(?:x-)?zip(?:-compressed)?$/.test(only.contentType)
    ? only
    : undefined;
}

function namedFiles(files: readonly UploadedFile[]): ArchiveFile[] {
  const named = files.map(({ name, bytes }) => {
    const checked = checkPath(name);
    if (!checked.ok) throw refusedName(checked.rule, checked.reserved === true);
    return { path: checked.path, bytes };
  });
  const twice = findCollision(named.map(({ path }) => path));
  if (twice !== undefined) throw invalidName(`Two files would share the address ${twice}.`);
  return named;
}

function refusedName(rule: string, reserved: boolean): CodedError {
  return reserved
    ? new CodedError('FILE_TYPE_REFUSED', { error: `A file name is not taken: ${rule}.` })
    : invalidName(`A file name is not taken: ${rule}.`);
}

function invalidName(error: string): CodedError {
  return new CodedError('INVALID_REQUEST', { error, details: [{ path: 'files', message: error }] });
}

function understand(
  upload: Upload,
  files: readonly ArchiveFile[],
  topFolder: string | undefined,
): Pick<PreparedUpload, 'type' | 'home'> {
  const bundle = { type: 'files', home: null } as const;
  if (upload.asFileBundle === true) return bundle;
  const pages = files.map((file) => file.path).filter(isHtml);
  const fromArchive = topFolder !== undefined;
  const home = chooseHome(pages, upload.zipIndexHtmlPath, fromArchive, topFolder);
  if (home !== null) return { type: fromArchive ? 'zip' : 'html', home };
  const [only] = files;
  return only === undefined || files.length > 1 || fromArchive
    ? bundle
    : { type: detectType(only.path), home: null };
}

function titleOf(files: readonly UploadedFile[]): string {
  const [first] = files;
  if (first === undefined || files.length > 1) return `${files.length} files`;
  return stem(first.name).normalize('NFC').slice(0, 255) || 'Untitled';
}
