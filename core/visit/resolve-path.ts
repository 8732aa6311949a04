import type { FileEntry, Manifest } from './manifest.ts';
import type { RequestPath } from './request-path.ts';
import { toUrlPath } from './request-path.ts';
import type { ServingRecord } from './serving-record.ts';

/** What a path means on a site. */
export type Resolution =
  | { kind: 'file'; path: string; entry: FileEntry }
  | { kind: 'redirect'; location: string }
  | { kind: 'listing'; folder: string }
  | { kind: 'offer'; path: string; entry: FileEntry }
  | { kind: 'missing' };

const missing: Resolution = { kind: 'missing' };

/** What `wanted` means on this site: a file, a folder's page, a place to go instead, or nothing. */
export function resolvePath(
  site: Pick<ServingRecord, 'type' | 'home'>,
  files: Manifest,
  wanted: RequestPath,
): Resolution {
  if (wanted.path === '') return resolveRoot(site, files);
  if (wanted.folder) return resolveFolder(site, files, wanted.path);
  const entry = files.get(wanted.path);
  if (entry !== undefined) return { kind: 'file', path: wanted.path, entry };
  const folder = resolveFolder(site, files, wanted.path);
  return folder.kind === 'missing'
    ? missing
    : { kind: 'redirect', location: `${toUrlPath(wanted.path)}/` };
}

function resolveRoot(site: Pick<ServingRecord, 'type' | 'home'>, files: Manifest): Resolution {
  if (site.home !== null) return resolveHome(site.home, files);
  if (site.type === 'files') return { kind: 'listing', folder: '' };
  const [single] = files;
  return single === undefined ? missing : { kind: 'offer', path: single[0], entry: single[1] };
}

/** A home page in a folder is gone to, not served in place: its relative links start from there. */
function resolveHome(home: string, files: Manifest): Resolution {
  const entry = files.get(home);
  if (entry === undefined) return missing;
  if (!home.includes('/')) return { kind: 'file', path: home, entry };
  return { kind: 'redirect', location: toUrlPath(home).replace(/\/index\.html$/, '/') };
}

function resolveFolder(
  site: Pick<ServingRecord, 'home'>,
  files: Manifest,
  folder: string,
): Resolution {
  for (const name of ['index.html', 'index.htm']) {
    const path = `${folder}/${name}`;
    const entry = files.get(path);
    if (entry !== undefined && site.home !== null) return { kind: 'file', path, entry };
  }
  return site.home === null && holdsFiles(files, folder)
    ? { kind: 'listing', folder: `${folder}/` }
    : missing;
}

function holdsFiles(files: Manifest, folder: string): boolean {
  for (const path of files.keys()) if (path.startsWith(`${folder}/`)) return true;
  return false;
}
