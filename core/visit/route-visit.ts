import {
  followRedirects,
  type SiteFields,
  withQuery,
  type RedirectRequest,
  type RedirectStatus,
  type RedirectTarget,
} from '../site-rules/site-rules.ts';
import { fieldsAt, rulesOf, toRulePath } from './rules-at.ts';
import { maxPathBytes } from '../content/safe-path.ts';
import { soleFile } from '../content/taken-pictures.ts';
import { pairsOf } from '../content/stored-coding.ts';
import { isHtml } from '../content/media-type.ts';
import { applicationHome, isForAsset, mayAskForPage } from './application-page.ts';
import { bundlePagePath } from './bundle-file.ts';
import type { FileEntry, Manifest } from './manifest.ts';
import {
  readNamelessPath,
  readRequestPath,
  type RequestPath,
  toUrlPath,
} from './protocol/request-path.ts';
import type { ServingRecord } from './serving-record.ts';
import { isHostingFile } from '../site-rules/rules-file.ts';
import type { Conditions } from './protocol/conditional-request.ts';

/** One visitor's request; `path` and `query` are still percent-encoded; an absent value is `''`. */
export interface VisitorRequest {
  path: string;
  /** Without its question mark. */
  query: string;
  accept: string;
  acceptEncoding: string;
  conditions: Conditions;
  /** The browser's Fetch Metadata about the request (W3C); `''` if absent. */
  fetch: FetchMetadata;
  /** Whether somebody opens the address, or may do so; false when a script or another page loads it. */
  isPageView: boolean;
}

/** The `Sec-Fetch-*` fields, and `Sec-Purpose`. */
export interface FetchMetadata {
  mode: string;
  dest: string;
  site: string;
  purpose: string;
}

/** A file of a site. */
export interface SiteFile {
  path: string;
  entry: FileEntry;
}

/** The part of a site that decides which of its files answers a request. */
export type SiteContent = Pick<ServingRecord, 'type' | 'home' | 'rules' | 'spa'> &
  Partial<Pick<ServingRecord, 'host'>>;

/** Where a visit leads, before conditions and ranges. */
export type Route =
  | { kind: 'missing'; status: MissingStatus }
  | { kind: 'redirect'; location: string; status: RedirectStatus; keepsQuery: boolean }
  | { kind: 'file'; file: SiteFile; fields: SiteFields }
  | { kind: 'not-found-page'; status: MissingStatus; file: SiteFile; fields: SiteFields }
  | Extract<Resolution, { kind: 'listing' | 'single-file-page' }>;

/** 410 by a rule of the site, for what was removed for good. */
export type MissingStatus = 404 | 410;

/**
 * Where a visit leads. Tried in this order: rules that shadow files, files, other rules, the home
 * page of a single-page application, the site's own `404.html`. Pure.
 */
export function routeVisit(
  site: SiteContent,
  files: Manifest,
  visit: VisitorRequest,
  onMiss?: RedirectRequest<SiteFile>['onMiss'],
): Route {
  const named = readRequestPath(visit.path);
  const requested = named ?? readNamelessPath(visit.path);
  const fields = fieldsAt(site, requested);
  if (requested === undefined) return routeNotFound(site, files, '', fields);
  if (isHostingAddress(site, requested))
    return routeNotFound(site, files, folderOf(requested), fields);
  const rules = rulesOf(site);
  const path = toRulePath(requested);
  const found = named === undefined ? missing : resolvePath(site, files, named);
  const target = followRedirects(rules.redirects, {
    path,
    host: site.host,
    query: visit.query,
    isFound: found.kind !== 'missing',
    find: (other) => findFile(site, files, other),
    suits: (file) => !isHtml(file.path) || !isForAsset(visit, requested.path),
    ...(onMiss !== undefined && { onMiss }),
  });
  const carriesQuery = visit.query !== '';
  if (target?.kind === 'redirect') return { ...target, keepsQuery: carriesQuery };
  const notFound = () => routeNotFound(site, files, folderOf(requested), fields);
  if (target !== undefined) return routeOfTarget(target, fields, notFound);
  if (found.kind !== 'missing') return routeOfFound(found, visit, fields);
  const home = mayAskForPage(visit, requested.path)
    ? applicationHome(site, files, requested.path)
    : undefined;
  return home !== undefined ? { kind: 'file', file: home, fields } : notFound();
}

function routeOfFound(
  found: Exclude<Resolution, { kind: 'missing' }>,
  { query }: VisitorRequest,
  fields: SiteFields,
): Route {
  if (found.kind === 'file') return { kind: 'file', file: found, fields };
  if (found.kind !== 'redirect') return found;
  const location = withQuery(found.location, query);
  return { kind: 'redirect', location, status: 301, keepsQuery: query !== '' };
}

/** What says how a site is hosted is no page of it, nor may another page take its place. */
function isHostingAddress({ home }: SiteKind, { path }: RequestPath): boolean {
  return home !== null && isHostingFile(path);
}

/** A rule shows a file of the site either as the requested file or as the page of a missing one. */
function routeOfTarget(
  target: Exclude<RedirectTarget<SiteFile>, { kind: 'redirect' }>,
  fields: SiteFields,
  notFound: () => NotFound,
): Route {
  if (target.kind === 'gone') return { ...notFound(), status: target.status };
  const { file, status } = target;
  return status === 200
    ? { kind: 'file', file, fields }
    : { kind: 'not-found-page', status, file, fields };
}

type NotFound = Extract<Route, { kind: 'missing' | 'not-found-page' }>;

/** The file that a path of the site is answered with; `undefined` for anything but a file. */
function findFile(site: SiteContent, files: Manifest, path: string): SiteFile | undefined {
  const requested = readRequestPath(path);
  const found = requested && resolvePath(site, files, requested);
  return found?.kind === 'file' ? found : undefined;
}

function folderOf({ path, folder }: RequestPath): string {
  return folder ? path : path.split('/').slice(0, -1).join('/');
}

/** No file is deeper (`core/content/safe-path.ts`), but the address of a visitor or of a link may be. */
const maxFolders = 32;

/** `404.html` or `404.htm` of the folder or of the nearest one above it. */
function routeNotFound(
  site: SiteContent,
  files: Manifest,
  folder: string,
  fields: SiteFields,
): NotFound {
  if (site.home === null) return { kind: 'missing', status: 404 };
  const folders = folder === '' ? [] : folder.split('/', maxFolders);
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const page = pageWithoutExtension(site, files, [...folders.slice(0, depth), '404'].join('/'));
    if (page.kind === 'file') return { kind: 'not-found-page', status: 404, file: page, fields };
  }
  return { kind: 'missing', status: 404 };
}

type Resolution =
  | { kind: 'file'; path: string; entry: FileEntry }
  | { kind: 'redirect'; location: string }
  | { kind: 'listing'; folder: string }
  | { kind: 'single-file-page'; path: string; entry: FileEntry }
  | { kind: 'missing' };

const missing: Resolution = { kind: 'missing' };

type SiteKind = Pick<ServingRecord, 'type' | 'home'>;

/**
 * Resolves a path on this site: to a file, a folder's page, a redirect, or nothing.
 *
 * On a site with a home page, a page is also found without its `.html`, and `/about` has priority
 * over the folder `/about/`.
 */
function resolvePath(site: SiteKind, files: Manifest, requested: RequestPath): Resolution {
  const { path } = requested;
  if (path === '') return resolveRoot(site, files);
  if (path.length > maxPathBytes) return missing;
  return requested.folder
    ? resolveFolderPath(site, files, path)
    : resolveFilePath(site, files, path);
}

function resolveFolderPath(site: SiteKind, files: Manifest, path: string): Resolution {
  const folder = resolveFolder(site, files, path);
  if (folder.kind !== 'missing' || pageWithoutExtension(site, files, path).kind === 'missing')
    return folder;
  return { kind: 'redirect', location: toUrlPath(path) };
}

function resolveFilePath(site: SiteKind, files: Manifest, path: string): Resolution {
  const file = fileAt(site, files, path);
  if (file.kind !== 'missing') return file;
  const page = pageWithoutExtension(site, files, path);
  if (page.kind !== 'missing' || resolveFolder(site, files, path).kind === 'missing') return page;
  return { kind: 'redirect', location: `${toUrlPath(path)}/` };
}

/** Files such as `_redirects` are never served. */
function fileAt(site: Pick<SiteKind, 'home'>, files: Manifest, path: string): Resolution {
  const entry = site.home !== null && isHostingFile(path) ? undefined : files.get(path);
  if (entry !== undefined) return { kind: 'file', path, entry };
  return site.home === null ? missing : pairAt(files, path);
}

/** The compressed form of a file that is only there compressed: `app.js.gz` for `app.js`. */
function pairAt(files: Manifest, path: string): Resolution {
  for (const pair of pairsOf(path)) {
    const entry = files.get(pair);
    if (entry?.coding !== undefined) return { kind: 'file', path: pair, entry };
  }
  return missing;
}

function pageWithoutExtension(
  site: Pick<SiteKind, 'home'>,
  files: Manifest,
  path: string,
): Resolution {
  if (site.home === null) return missing;
  for (const extension of pageExtensions) {
    const page = fileAt(site, files, `${path}${extension}`);
    if (page.kind !== 'missing') return page;
  }
  return missing;
}

/** Extensions of pages, in their order. Programs of DOS and Windows write the last ones. */
const pageExtensions = ['.html', '.htm', '.HTML', '.HTM'];

function resolveRoot(site: SiteKind, files: Manifest): Resolution {
  if (site.home !== null) return resolveHome(site.home, files);
  const single = soleFile(files);
  const hasPage = single !== undefined && bundlePagePath(single[0]) !== undefined;
  // A bundle of one file shows that file instead of a list of one.
  if (site.type === 'files' && !hasPage) {
    return { kind: 'listing', folder: '' };
  }
  return single === undefined
    ? missing
    : { kind: 'single-file-page', path: single[0], entry: single[1] };
}

/** A home page in a folder is redirected to, because its relative links start from there. */
function resolveHome(home: string, files: Manifest): Resolution {
  const entry = files.get(home);
  if (entry === undefined) return missing;
  if (!home.includes('/')) return { kind: 'file', path: home, entry };
  const folder = home.slice(0, home.lastIndexOf('/'));
  const isFolderPage = folderPage({ home }, files, folder)?.path === home;
  return { kind: 'redirect', location: isFolderPage ? `${toUrlPath(folder)}/` : toUrlPath(home) };
}

function resolveFolder(site: SiteKind, files: Manifest, folder: string): Resolution {
  if (site.home === null) {
    if (hasFilesBelow(files, folder)) return { kind: 'listing', folder: `${folder}/` };
    return pageOfBundleFile(site, files, folder);
  }
  return folderPage(site, files, folder) ?? missing;
}

/** Names of the page of a folder, in their order; other web servers know the last ones. */
const folderPages = ['index', 'Index', 'INDEX', 'default', 'Default', 'DEFAULT'].flatMap((name) =>
  pageExtensions.map((extension) => name + extension),
);

function folderPage(site: Pick<SiteKind, 'home'>, files: Manifest, folder: string) {
  for (const name of folderPages) {
    const page = fileAt(site, files, `${folder}/${name}`);
    if (page.kind === 'file') return page;
  }
  return undefined;
}

/** Each file of a bundle has a page at its own address with a slash behind it. */
function pageOfBundleFile({ type }: SiteKind, files: Manifest, path: string): Resolution {
  const entry = type === 'files' && bundlePagePath(path) !== undefined && files.get(path);
  return entry ? { kind: 'single-file-page', path, entry } : missing;
}

function hasFilesBelow(files: Manifest, folder: string): boolean {
  for (const path of files.keys()) if (path.startsWith(`${folder}/`)) return true;
  return false;
}
