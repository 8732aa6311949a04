import { withQuery } from '../site-rules/site-rules.ts';
import type { Manifest } from './manifest.ts';
import { readRequestPath, toUrlPath } from './protocol/request-path.ts';
import { type Route, routeVisit, type SiteContent, type VisitorRequest } from './route-visit.ts';
import type { ServingRecord } from './serving-record.ts';

/**
 * Where a visit leads. With the setting `prettyUrls`, the address of a page by its file name
 * (`/about.html`, `/docs/index.html`) is redirected to the one without (`/about`, `/docs/`), if
 * that one shows the same file. Only navigations are redirected, because a service worker cannot
 * show a page from its cache that it got by a redirect (Fetch, "HTTP fetch", redirect mode). Pure.
 */
export function routeToCleanAddress(
  site: SiteContent & Pick<ServingRecord, 'prettyUrls'>,
  files: Manifest,
  visit: VisitorRequest,
): Route {
  const route = routeVisit(site, files, visit);
  if (!site.prettyUrls || site.home === null || route.kind !== 'file') return route;
  if (!['navigate', ''].includes(visit.fetch.mode)) return route;
  const { path } = route.file;
  const clean = cleanAddress(path);
  // The visitor requested another path, and a rule or a single-page application led to this file.
  if (clean === undefined || readRequestPath(visit.path)?.path !== path) return route;
  const there = routeVisit(site, files, { ...visit, path: clean });
  if (there.kind !== 'file' || there.file.path !== path) return route;
  const { query } = visit;
  const location = withQuery(clean, query);
  return { kind: 'redirect', location, status: 301, keepsQuery: query !== '' };
}

/** The address of a page without its file name; undefined for other files. */
function cleanAddress(path: string): string | undefined {
  const [, folder] = /^(.*\/)?(?:index|default)\.html?$/i.exec(`/${path}`) ?? [];
  if (folder !== undefined) return folder === '/' ? '/' : `${toUrlPath(folder.slice(1, -1))}/`;
  const [, page] = /^(.*)\.html?$/i.exec(path) ?? [];
  return page === undefined ? undefined : toUrlPath(page);
}
