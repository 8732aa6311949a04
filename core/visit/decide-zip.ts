import { maxZipBytes } from '../../contract/limits.ts';
import { nameFromText, withDistinctNames } from '../content/distinct-names.ts';
import { maxZipEntries, zipLength } from '../content/zip/write-archive.ts';
import { baseName } from '../content/media-type.ts';
import type { FileEntry, Manifest } from './manifest.ts';
import { readRequestPath, toUrlPath } from './protocol/request-path.ts';
import type { ServingRecord } from './serving-record.ts';

/** One file of a ZIP download. */
export interface ZipFile {
  /** Its path relative to the requested folder. In the ZIP, {@link zipEntries} may number it. */
  path: string;
  /** Its path in the project. */
  source: string;
  entry: FileEntry;
}

/** The outcome of a request for a ZIP. */
export type ZipDecision =
  | { kind: 'zip'; fileName: string; files: ZipFile[]; bytes: number }
  | { kind: 'missing' }
  | { kind: 'disabled' }
  | { kind: 'too-large'; bytes: number };

type ZipSite = Pick<ServingRecord, 'type' | 'home' | 'title' | 'disableDownloads'>;

const zipPath = '/_slipway/zip';

/** Only projects without a home page, and with several files, are offered as a ZIP. */
function isDownloadedWhole(
  { type, home }: Pick<ZipSite, 'type' | 'home'>,
  files: Manifest,
): boolean {
  return home === null && (type === 'files' || files.size > 1);
}

/** The path at which a folder (`''`, or ending in `/`) is downloaded as a ZIP; null where it is too large, `undefined` where no ZIP is offered. */
export function zipAddress(
  site: ZipSite,
  files: Manifest,
  folder: string,
): string | null | undefined {
  const address = folder === '' ? zipPath : `${zipPath}${toUrlPath(folder.slice(0, -1))}`;
  const { kind } = decideZip(site, files, address);
  if (kind === 'too-large') return null;
  return kind === 'zip' ? address : undefined;
}

/**
 * The files of the ZIP at this raw path. The visitor's access has been checked before. Pure. Every view of a listing
 * asks for it, so names are worked out later: {@link zipEntries}.
 */
export function decideZip(site: ZipSite, files: Manifest, rawPath: string): ZipDecision {
  const requested = readRequestPath(rawPath.slice(zipPath.length) || '/');
  if (requested === undefined || !isDownloadedWhole(site, files)) return { kind: 'missing' };
  const folder = requested.path === '' ? '' : `${requested.path}/`;
  const zip = zipOf(files, folder);
  if (zip === undefined) return { kind: 'missing' };
  if (site.disableDownloads) return { kind: 'disabled' };
  if (isTooLarge(zip)) return { kind: 'too-large', bytes: zip.bytes };
  const title = folder === '' ? site.title : baseName(requested.path);
  return { kind: 'zip', fileName: zipFileName(title), ...zip };
}

/**
 * The ZIP of all files of a folder, or of all files (`''`); undefined where there are none. Numbers in names, some bytes
 * for each, are not in its length.
 */
export function zipOf(
  files: Manifest,
  folder = '',
): { files: ZipFile[]; bytes: number } | undefined {
  const zipFiles = filesIn(files, folder);
  if (zipFiles.length === 0) return undefined;
  const bytes = zipLength(zipFiles.map(({ path, entry }) => ({ path, size: entry.size })));
  return { files: zipFiles, bytes };
}

/** Whether a ZIP is more than one answer can have. */
export function isTooLarge({
  files,
  bytes,
}: {
  files: readonly ZipFile[];
  bytes: number;
}): boolean {
  return bytes > maxZipBytes || files.length > maxZipEntries;
}

function filesIn(files: Manifest, folder: string): ZipFile[] {
  return [...files]
    .filter(([path]) => path.startsWith(folder))
    .map(([source, entry]) => ({ path: source.slice(folder.length), source, entry }));
}

/**
 * The files as they are in the ZIP: sorted by path, so that it does not depend on the order of the upload, with distinct
 * names. Only for a download that was counted: thousands of hostile names take a tenth of a second.
 */
export function zipEntries(files: readonly ZipFile[]): ZipFile[] {
  return withDistinctNames(files.toSorted((a, b) => (a.path < b.path ? -1 : 1)));
}

/** The name of the ZIP of what has this title. */
export function zipFileName(title: string): string {
  return `${nameFromText(title) || 'files'}.zip`;
}
