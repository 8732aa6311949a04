import { extensionOf, isHtml, isIndexPage, mediaType } from '../content/media-type.ts';
import type { FileEntry, Manifest } from './manifest.ts';
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
  { accept, fetch }: { accept: string; fetch: { mode: string; dest: string } },
  path: string,
): boolean {
  if (fetch.mode === 'navigate') return true;
  if (!pageDestinations.has(fetch.dest) || namesFile(path)) return false;
  return accept === '' || acceptsPages.test(accept);
}

/**
 * Types of what pages load, also by scripts, and of what crawlers ask for (`robots.txt`, `sitemap.xml`); people
 * open them as pages only if they navigate there.
 */
const assetType =
  /^(?:text\/(?:css|javascript|plain|csv|vtt)|(?:image|font|audio|video|model)\/|application\/(?:json|wasm|manifest\+json|(?:(?:rss|atom)\+)?xml|pdf|zip|gzip|vnd\.ms-fontobject))/;

/** Whether a request is for a script, style, picture or data by its name, and not for a page. */
export function isForAsset(visit: Parameters<typeof mayAskForPage>[0], path: string): boolean {
  return assetType.test(mediaType(path)) && !mayAskForPage(visit, path);
}

/** Whether a path has an extension, or a hidden file or folder (`.git/config`), which scanners ask for. */
function namesFile(path: string): boolean {
  return extensionOf(path) !== '' || /(?:^|\/)\./.test(path);
}

/** Files that prove to search engines who owns the site. They are not pages. */
const proofOfOwner = /^(?:google[0-9a-f]{16}|yandex_[0-9a-f]{16}|pinterest-[0-9a-f]{4,40})\.html$/;

/**
 * The home page, where it answers the address of a missing page: with the setting `spa`, or by
 * default where it is an `index.html` and no other page is there. Serving the home page of a site
 * with several pages would answer 200 to every mistyped address. A home page in a folder answers
 * addresses below that folder only.
 */
export function applicationHome(
  { home, spa }: Pick<ServingRecord, 'home' | 'spa'>,
  files: Manifest,
  path: string,
): { path: string; entry: FileEntry } | undefined {
  if (home === null || spa === false) return undefined;
  if (!path.startsWith(home.slice(0, home.lastIndexOf('/') + 1))) return undefined;
  if (spa === 'auto' && !isOnlyPage(home, files)) return undefined;
  const entry = files.get(home);
  return entry === undefined ? undefined : { path: home, entry };
}

/** Whether a file proves to a search engine who owns the site. */
export function isProofOfOwner(path: string): boolean {
  return proofOfOwner.test(path);
}

function isOnlyPage(home: string, files: Manifest): boolean {
  if (!isIndexPage(home)) return false;
  for (const path of files.keys()) {
    if (path !== home && isHtml(path) && !isProofOfOwner(path)) return false;
  }
  return true;
}
