import { createHash } from 'node:crypto';
import type { ServingRecord } from '../visit/serving-record.ts';

/** What is to stand in the head of somebody's page; what is absent stays as the page has it. */
export interface PageHead {
  /** In place of the page's own. */
  title?: string;
  /** In place of the page's own. */
  description?: string;
  noIndex?: true;
  /** Tags that link previews are made of, each only where the page has none of that name. */
  preview?: LinkPreview;
  /** Absolute address of a script of ours. */
  script?: string;
}

/** What a link preview says of a page that says nothing itself. */
export interface LinkPreview {
  /** The page's address, absolute. */
  url: string;
  /** Of the project; also the page's where it has no title. */
  title: string;
  /** Where the page's oEmbed answer is, absolute. */
  oEmbedUrl?: string;
}

/** The page that is visited. */
export interface VisitedPage {
  /** Of the file, in the site's manifest. */
  file: string;
  /** As the visitor asked for it, percent-encoded; without the query. */
  urlPath: string;
}

/** Addresses that a head may name. */
export interface HeadAddresses {
  siteUrl(host: string): string;
  oEmbedUrl(url: string): string;
  /** Path of the script that tells of opens, on every site's own host. */
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
 * What an HTML page of a site gets into its head, or `undefined` where it is served as it is. Pure.
 *
 * Title and description are those of the project's page: other pages of a site keep their own, or
 * all of them would have one title. A temporary project is nobody's: it has no settings, and its
 * `X-Robots-Tag` says all. A bundle's HTML files are its content, shown in a sandbox.
 */
export function headOf(
  site: Site,
  { file, urlPath }: VisitedPage,
  to: HeadAddresses,
): PageHead | undefined {
  if (site.temporary || site.home === null) return undefined;
  const siteUrl = to.siteUrl(site.host);
  const head = {
    ...(file === site.home && ownersWords(site, siteUrl + urlPath, to)),
    ...(site.noIndex && { noIndex: true as const }),
    ...(site.analyticsEnabled && { script: siteUrl + to.openScriptPath }),
  };
  return Object.keys(head).length === 0 ? undefined : head;
}

/** Without words of its owner a preview would say what the page's own title and description say. */
function ownersWords(site: Site, url: string, to: HeadAddresses): PageHead {
  const { pageTitle, metaDescription, title, access } = site;
  if (pageTitle === null && metaDescription === null) return {};
  return {
    ...(pageTitle !== null && { title: pageTitle }),
    ...(metaDescription !== null && { description: metaDescription }),
    preview: { url, title, ...(access === 'public' && { oEmbedUrl: to.oEmbedUrl(url) }) },
  };
}

/** Of how pages are edited: counted up when the same head comes to make other bytes. */
const revision = 1;

/**
 * Tells one head from another in the ETag of an edited page, so that a page whose head changed is
 * another page, and one that did not needs no reading to be told unchanged.
 */
export function headStamp(head: PageHead): string {
  return createHash('sha256')
    .update(JSON.stringify([revision, head]))
    .digest('hex')
    .slice(0, 8);
}
