import { createHash } from 'node:crypto';
import { refusesScript } from './script-policy.ts';
import type { ServingRecord } from '../visit/serving-record.ts';

/** Edits of the head of a site's page. An absent field leaves the page unchanged. */
export interface PageHead {
  /** Replaces the page's title. */
  title?: string;
  /** The title of a page that has none, or a blank one. */
  fallbackTitle?: string;
  /** Replaces the page's description. */
  description?: string;
  noIndex?: true;
  /** Tags for link previews, each only if the page has no tag of that name. */
  preview?: LinkPreview;
  /** Absolute URL of our script that reports opens. */
  script?: string;
}

/** The link preview of a page that has no preview tags. */
export interface LinkPreview {
  /** The page's absolute URL. */
  url: string;
  /** The project's title, also used for a page without a title. */
  title: string;
  /** Absolute URL of the page's oEmbed data. */
  oEmbedUrl?: string;
}

/** The requested page. */
export interface RequestedPage {
  /** The file's path in the manifest. */
  file: string;
  /** The requested path, percent-encoded, without the query. */
  urlPath: string;
  /** Policies that the site's own rules send with the page. */
  policies?: readonly string[];
}

/** Addresses that a head may contain. */
export interface HeadAddresses {
  siteUrl(host: string): string;
  oEmbedUrl(url: string): string;
  /** Path of the script that reports opens, on every site's own host. */
  openScriptPath: string;
}

type Site = Pick<
  ServingRecord,
  | 'host'
  | 'title'
  | 'access'
  | 'temporary'
  | 'noIndex'
  | 'pageTitle'
  | 'metaDescription'
  | 'analyticsEnabled'
  | 'home'
>;

/**
 * The edits of an HTML page's head; `undefined` where the page is served unchanged. Pure.
 *
 * The owner's title and description apply to the home page only; otherwise all pages would have one
 * title. For the same reason the project's title is the fallback of the home page only: other HTML
 * files may be fragments that a script loads. A temporary project has no settings, and its `X-Robots-Tag` header is enough. HTML files of
 * a bundle are content, shown in a sandbox.
 */
export function pageHeadFor(
  site: Site,
  { file, urlPath, policies = [] }: RequestedPage,
  addresses: HeadAddresses,
): PageHead | undefined {
  if (site.temporary || site.home === null) return undefined;
  const siteUrl = addresses.siteUrl(site.host);
  const isRefused = policies.some((policy) => refusesScript(policy, siteUrl));
  const isScriptWanted = site.analyticsEnabled && !isRefused;
  const head = {
    ...(file === site.home && homeHead(site, siteUrl + urlPath, addresses)),
    ...(site.noIndex && { noIndex: true as const }),
    ...(isScriptWanted && { script: siteUrl + addresses.openScriptPath }),
  };
  return Object.keys(head).length === 0 ? undefined : head;
}

/**
 * The edits of the home page. It gets no tags for previews if the owner set neither title nor
 * description: previews then use the page's own.
 */
function homeHead(site: Site, url: string, addresses: HeadAddresses): PageHead {
  const { pageTitle, metaDescription, title, access } = site;
  const titles = pageTitle === null ? { fallbackTitle: title } : { title: pageTitle };
  if (pageTitle === null && metaDescription === null) return titles;
  return {
    ...titles,
    ...(metaDescription !== null && { description: metaDescription }),
    preview: { url, title, ...(access === 'public' && { oEmbedUrl: addresses.oEmbedUrl(url) }) },
  };
}

/** Increase this when a change of `editPage` produces different bytes for the same head. */
const revision = 2;

/**
 * Identifies a head in the ETag of an edited page: a different head has a different ETag, and a 304
 * needs no read of the page.
 */
export function headStamp(head: PageHead): string {
  return createHash('sha256')
    .update(JSON.stringify([revision, head]))
    .digest('hex')
    .slice(0, 8);
}
