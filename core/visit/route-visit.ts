import { isHtml } from '../content/media-type.ts';
import { extensionOf } from '../content/file-name.ts';
import { followRedirects, withQuery } from '../site-rules/follow-redirects.ts';
import { fieldsFor, type SiteFields } from '../site-rules/fields-for.ts';
import type { RedirectStatus } from '../site-rules/parse-redirects.ts';
import type { RulePath } from '../site-rules/path-pattern.ts';
import { decodeRules, noRules } from '../site-rules/site-rules.ts';
import type { Visit } from './visit.ts';
import type { FileEntry, Manifest } from './manifest.ts';
import { readRequestPath, type RequestPath } from './protocol/request-path.ts';
import { type Resolution, resolvePath } from './resolve-path.ts';
import type { ServingRecord } from './serving-record.ts';

/** A file of a site. */
export interface Located {
  path: string;
  entry: FileEntry;
}

/** Where a visit leads, before conditions and ranges. */
export type Route =
  | { kind: 'missing' }
  | { kind: 'redirect'; location: string; status: RedirectStatus; withQuery: boolean }
  | { kind: 'file'; file: Located; fields: SiteFields }
  | { kind: 'not-found-page'; file: Located; fields: SiteFields }
  | Extract<Resolution, { kind: 'listing' | 'offer' }>;

/**
 * Where a visit leads: rules that shadow files, files, rules, the home page of an application of
 * one page, the site's own page for what is missing; in this order. Pure.
 */
export function routeVisit(site: ServingRecord, files: Manifest, visit: Visit): Route {
  const wanted = readRequestPath(visit.path);
  if (wanted === undefined) return notFound(site, files, '', new Map());
  const rules = site.home === null ? noRules : decodeRules(site.rules);
  const path = rulePath(wanted);
  const fields = fieldsFor(rules.headers, path);
  const found = resolvePath(site, files, wanted);
  const followed = followRedirects(rules.redirects, {
    path,
    query: visit.query,
    isFound: found.kind !== 'missing',
    find: (target) => locate(site, files, target),
  });
  if (followed?.kind === 'redirect') return { ...followed, withQuery: visit.query !== '' };
  if (followed?.kind === 'shown') {
    const kind = followed.status === 404 ? 'not-found-page' : 'file';
    return { kind, file: followed.file, fields };
  }
  return resolved(site, files, { visit, wanted, found, fields });
}

interface Resolved {
  visit: Visit;
  wanted: RequestPath;
  found: Resolution;
  fields: SiteFields;
}

function resolved(site: ServingRecord, files: Manifest, at: Resolved): Route {
  const { visit, wanted, found, fields } = at;
  switch (found.kind) {
    case 'file':
      return { kind: 'file', file: found, fields };
    case 'redirect': {
      const location = withQuery(found.location, visit.query);
      return { kind: 'redirect', location, status: 301, withQuery: visit.query !== '' };
    }
    case 'missing': {
      const home = soleEntryPage(site, files);
      return home !== undefined && isNavigation(visit, wanted)
        ? { kind: 'file', file: home, fields }
        : notFound(site, files, wanted.folder ? `${wanted.path}/` : wanted.path, fields);
    }
    case 'listing':
    case 'offer':
      return found;
  }
}

function rulePath({ path, folder }: RequestPath): RulePath {
  return { segments: path === '' ? [] : path.split('/'), slash: folder };
}

function locate(site: ServingRecord, files: Manifest, path: string): Located | undefined {
  const wanted = readRequestPath(path);
  const found = wanted && resolvePath(site, files, wanted);
  return found?.kind === 'file' ? found : undefined;
}

/** `404.html` of the folder or of the nearest one above it. */
function notFound(site: ServingRecord, files: Manifest, path: string, fields: SiteFields): Route {
  if (site.home === null) return { kind: 'missing' };
  const folders = path.split('/').slice(0, -1);
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const page = [...folders.slice(0, depth), '404.html'].join('/');
    const entry = files.get(page);
    if (entry !== undefined) return { kind: 'not-found-page', file: { path: page, entry }, fields };
  }
  return { kind: 'missing' };
}

/**
 * The home page of a site that is one application: `index.html`, and no other page. A site of
 * several pages would answer 200 to every address that is mistyped.
 */
function soleEntryPage({ home }: ServingRecord, files: Manifest): Located | undefined {
  if (home !== 'index.html') return undefined;
  for (const path of files.keys()) if (path !== home && isHtml(path)) return undefined;
  const entry = files.get(home);
  return entry === undefined ? undefined : { path: home, entry };
}

/** Somebody goes to an address; a script, a style sheet or a picture is not gone to. */
function isNavigation({ accept, fetch }: Visit, { path }: RequestPath): boolean {
  if (fetch.mode !== '') return fetch.mode === 'navigate';
  return /\btext\/html\b/i.test(accept) && extensionOf(path) === '';
}
