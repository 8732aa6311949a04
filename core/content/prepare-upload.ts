import type { ProjectType, UploadedFile } from '../../contract/fields.ts';
import { CodedError } from '../errors.ts';
import { chooseHome } from './choose-home.ts';
import { detectType } from './detect-type.ts';
import { extensionOf, stem } from './file-name.ts';
import { isHtml } from './media-type.ts';
import type { IncomingFile } from './incoming-file.ts';
import type { ArchiveLimits } from './zip/open-archive.ts';
import { type ArchiveFile, readArchive } from './zip/read-archive.ts';
import { checkPath, findCollision } from './safe-path.ts';

/** What a plan, or a visitor without one, may upload at once. Bytes and counts. */
export interface UploadLimits {
  maxParts: number;
  maxBytes: number;
  maxArchiveEntries: number;
  maxArchiveBytes: number;
}

/** How an upload is to be understood. */
export interface UploadOptions {
  zipIndexHtmlPath?: string | undefined;
  asFileBundle?: boolean | undefined;
}

/** An upload as the caller sent it. */
export interface Upload extends UploadOptions {
  files: readonly UploadedFile[];
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
      : await readArchive(archive.bytes, archiveLimits(limits));
  const paths = files.map(({ path }) => path);
  return {
    ...understand(upload, paths, archive === undefined ? undefined : topFolder),
    title: titleOf(upload.files.map(({ name }) => name)),
    fileCount: files.length,
    bytes: files.reduce((sum, file) => sum + file.bytes.length, 0),
    files: () => inMemory(files),
  };
}

/** What an archive may hold. */
export function archiveLimits({ maxArchiveEntries, maxArchiveBytes }: UploadLimits): ArchiveLimits {
  return { maxEntries: maxArchiveEntries, maxTotalBytes: maxArchiveBytes };
}

/** Files that are held whole, on their way into storage. */
export async function* inMemory(files: readonly ArchiveFile[]): AsyncGenerator<IncomingFile> {
  for (const { path, bytes } of files) {
    yield { path, size: bytes.length, content: [bytes] };
  }
}

/**
 * Files that were sent one by one, by their checked paths; a ZIP among them is a file like any other.
 * @throws CodedError INVALID_REQUEST, TOO_MANY_FILES, PAYLOAD_TOO_LARGE, FILE_TYPE_REFUSED
 */
export function checkedFiles(
  files: readonly UploadedFile[],
  limits: UploadLimits,
): Map<string, Uint8Array> {
  checkSize(files, limits);
  return new Map(namedFiles(files).map(({ path, bytes }) => [path, bytes]));
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
  return isArchiveName(only.name) ||
    /^application\/(?:x-)?zip(?:-compressed)?$/.test(only.contentType)
    ? only
    : undefined;
}

/** Whether a file is a ZIP by its name. */
export function isArchiveName(name: string): boolean {
  return extensionOf(name) === 'zip';
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

/**
 * What an upload is, from its paths.
 * @param topFolder the folder that was dropped from every path of a ZIP; `undefined` for files sent one by one
 * @throws CodedError ZIP_MULTIPLE_HTML, INVALID_REQUEST
 */
export function understand(
  upload: UploadOptions,
  paths: readonly string[],
  topFolder: string | undefined,
): Pick<PreparedUpload, 'type' | 'home'> {
  const bundle = { type: 'files', home: null } as const;
  if (upload.asFileBundle === true) return bundle;
  const pages = paths.filter(isHtml);
  const fromArchive = topFolder !== undefined;
  const home = chooseHome(pages, upload.zipIndexHtmlPath, fromArchive, topFolder);
  if (home !== null) return { type: fromArchive ? 'zip' : 'html', home };
  const [only] = paths;
  return only === undefined || paths.length > 1 || fromArchive
    ? bundle
    : { type: detectType(only), home: null };
}

/** A title for an upload that comes without one, from the names of what was sent. */
export function titleOf(names: readonly string[]): string {
  const [first] = names;
  if (first === undefined || names.length > 1) return `${names.length} files`;
  return stem(first).normalize('NFC').slice(0, 255) || 'Untitled';
}
