import { maxZipEntries, zipLength } from '../content/zip/write-archive.ts';
import { baseName } from '../content/file-name.ts';
import type { FileEntry, Manifest } from './manifest.ts';
import { readRequestPath, toUrlPath } from './protocol/request-path.ts';
import type { ServingRecord } from './serving-record.ts';

/** A function streams at most 200 MB (AWS Lambda quota); what is left is for what we count otherwise. */
export const maxZipBytes = 190_000_000;

/** One file of a download: its path in the ZIP, and where it stands in the project. */
export interface ZipFile {
  /** From the folder that was asked for. */
  path: string;
  /** From the root of the project. */
  source: string;
  entry: FileEntry;
}

/** What a visitor gets who asks for a ZIP. */
export type ZipDecision =
  | { kind: 'zip'; fileName: string; files: ZipFile[]; bytes: number }
  | { kind: 'missing' }
  | { kind: 'disabled' }
  | { kind: 'too-large'; bytes: number };

type Bundle = Pick<ServingRecord, 'type' | 'home' | 'title' | 'disableDownloads'>;

const root = '/_slipway/zip';

/** Whether a project is one that people download whole: files without a home page. */
function isBundle({ type, home }: Pick<Bundle, 'type' | 'home'>, files: Manifest): boolean {
  return home === null && (type === 'files' || files.size > 1);
}

/** Where a folder (`''`, or ending in `/`) is downloaded as a ZIP; null where that is too large, `undefined` where it is not offered. */
export function zipAddress(
  site: Bundle,
  files: Manifest,
  folder: string,
): string | null | undefined {
  const address = folder === '' ? root : `${root}${toUrlPath(folder.slice(0, -1))}`;
  const { kind } = decideZip(site, files, address);
  if (kind === 'too-large') return null;
  return kind === 'zip' ? address : undefined;
}

/**
 * Which files of a project go into the ZIP at this raw path, and under which names, for a visitor
 * whom nothing keeps out. Pure; the order is that of the paths, whatever the upload's was.
 */
export function decideZip(site: Bundle, files: Manifest, rawPath: string): ZipDecision {
  const wanted = readRequestPath(rawPath.slice(root.length) || '/');
  if (wanted === undefined || !isBundle(site, files)) return { kind: 'missing' };
  const folder = wanted.path === '' ? '' : `${wanted.path}/`;
  const inside = filesIn(files, folder);
  if (inside.length === 0) return { kind: 'missing' };
  if (site.disableDownloads) return { kind: 'disabled' };
  const bytes = zipLength(inside.map(({ path, entry }) => ({ path, size: entry.size })));
  if (bytes > maxZipBytes || inside.length > maxZipEntries) return { kind: 'too-large', bytes };
  const title = folder === '' ? site.title : baseName(wanted.path);
  return { kind: 'zip', fileName: `${nameOf(title)}.zip`, files: inside, bytes };
}

function filesIn(files: Manifest, folder: string): ZipFile[] {
  return [...files]
    .filter(([path]) => path.startsWith(folder))
    .map(([source, entry]) => ({ path: source.slice(folder.length), source, entry }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** What no system lets stand in a file name, and what shows a name as another. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\\/:*?"<>|]+/gu;

function nameOf(title: string): string {
  const name = title
    .replace(unfit, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const [...characters] = name;
  return characters.slice(0, 100).join('').trim() || 'files';
}
