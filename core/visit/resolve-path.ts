import { isRulesFile } from '../site-rules/rules-files.ts';
import type { FileEntry, Manifest } from './manifest.ts';
import type { RequestPath } from './protocol/request-path.ts';
import { toUrlPath } from './protocol/request-path.ts';
import type { ServingRecord } from './serving-record.ts';

/** What a path means on a site. */
export type Resolution =
  | { kind: 'file'; path: string; entry: FileEntry }
  | { kind: 'redirect'; location: string }
  | { kind: 'listing'; folder: string }
  | { kind: 'offer'; path: string; entry: FileEntry }
  | { kind: 'missing' };

const missing: Resolution = { kind: 'missing' };

type Shape = Pick<ServingRecord, 'type' | 'home'>;

/**
 * What `wanted` means on this site: a file, a folder's page, a place to go instead, or nothing.
 *
 * On a site with a home page a page is also found without its `.html`, and `/about` before the
 * folder `/about/`.
 */
export function resolvePath(site: Shape, files: Manifest, wanted: RequestPath): Resolution {
  const { path } = wanted;
  if (path === '') return resolveRoot(site, files);
  return wanted.folder ? resolveSlashed(site, files, path) : resolveBare(site, files, path);
}

function resolveSlashed(site: Shape, files: Manifest, path: string): Resolution {
  const folder = resolveFolder(site, files, path);
  if (folder.kind !== 'missing' || cleanPage(site, files, path).kind === 'missing') return folder;
  return { kind: 'redirect', location: toUrlPath(path) };
}

function resolveBare(site: Shape, files: Manifest, path: string): Resolution {
  const file = fileAt(site, files, path);
  if (file.kind !== 'missing') return file;
  const page = cleanPage(site, files, path);
  if (page.kind !== 'missing' || resolveFolder(site, files, path).kind === 'missing') return page;
  return { kind: 'redirect', location: `${toUrlPath(path)}/` };
}

/** A site's own rules are no part of what it shows. */
function fileAt(site: Pick<Shape, 'home'>, files: Manifest, path: string): Resolution {
  const entry = site.home !== null && isRulesFile(path) ? undefined : files.get(path);
  return entry === undefined ? missing : { kind: 'file', path, entry };
}

function cleanPage(site: Pick<Shape, 'home'>, files: Manifest, path: string): Resolution {
  return site.home === null ? missing : fileAt(site, files, `${path}.html`);
}

function resolveRoot(site: Shape, files: Manifest): Resolution {
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

function resolveFolder(site: Pick<Shape, 'home'>, files: Manifest, folder: string): Resolution {
  if (site.home === null) {
    return holdsFiles(files, folder) ? { kind: 'listing', folder: `${folder}/` } : missing;
  }
  const page = fileAt(site, files, `${folder}/index.html`);
  return page.kind === 'missing' ? fileAt(site, files, `${folder}/index.htm`) : page;
}

function holdsFiles(files: Manifest, folder: string): boolean {
  for (const path of files.keys()) if (path.startsWith(`${folder}/`)) return true;
  return false;
}
