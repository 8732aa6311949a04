import { extensionOf, isHtml } from '../content/media-type.ts';
import type { FileEntry, Manifest } from './manifest.ts';
import type { VisitorRequest } from './route-visit.ts';
import type { ServingRecord } from './serving-record.ts';

/** Values of `Sec-Fetch-Dest` for pages. `empty` is a script's `fetch`: a service worker loads pages with it. */
const pageDestinations = new Set(['', 'document', 'empty', 'iframe', 'frame', 'embed', 'object']);

const acceptsPages = /\btext\/(?:html\b|\*)|\*\/\*/i;

/**
 * Whether a request may be for a page of a single-page application, and not for one of its scripts,
 * styles, images or data. Every navigation is. Other requests (service workers, link previews, curl)
 * are if their path has no extension and they accept HTML.
 */
export function mayAskForPage(
  { accept, fetch }: Pick<VisitorRequest, 'accept' | 'fetch'>,
  path: string,
): boolean {
  if (fetch.mode === 'navigate') return true;
  if (!pageDestinations.has(fetch.dest) || extensionOf(path) !== '') return false;
  return accept === '' || acceptsPages.test(accept);
}

/**
 * The home page of a single-page application: `index.html`, and no other page. Serving the home page
 * of a site with several pages would answer 200 to every mistyped address.
 */
export function applicationHome(
  { home }: Pick<ServingRecord, 'home'>,
  files: Manifest,
): { path: string; entry: FileEntry } | undefined {
  if (home !== 'index.html') return undefined;
  for (const path of files.keys()) if (path !== home && isHtml(path)) return undefined;
  const entry = files.get(home);
  return entry === undefined ? undefined : { path: home, entry };
}
