import type { ContentStore } from '../ports.ts';
import { namedPreviewSite, type PreviewDeps, previewSite, shownVersion } from './access/preview.ts';
import { findViewer, noToken, type Viewer, type ViewerDeps } from './access/viewer.ts';
import { findSite, type FindSiteDeps, type FoundSite, type VisitedAddress } from './find-site.ts';
import { mustClearBrowser, type ReturningVisit } from './former-tenant.ts';
import { type ContentMemory, loadContent, type Manifest } from './manifest.ts';
import { withRetainedAsset } from './retained-assets.ts';
import type { Conditions } from './protocol/conditional-request.ts';
import { type Refusal, refuseVisit } from './refuse-visit.ts';
import type { ServingRecord } from './serving-record.ts';
import type { ShareLink } from '../share-links/share-link.ts';

/**
 * The dependencies for loading a site; `contents` remembers files and rules that are too large for
 * their serving record.
 */
export interface LoadSiteDeps extends PreviewDeps, ViewerDeps, FindSiteDeps {
  content: Pick<ContentStore, 'get'>;
  contents: ContentMemory;
}

/** The parts of a request that concern its site. A cookie that was not sent is {@link noToken}. */
export interface SiteRequest extends ReturningVisit, VisitedAddress {
  access: string;
  preview: string;
  path: string;
  /** Whether somebody opens the address, and no page loads it. */
  isPageView: boolean;
}

interface Visitor {
  isOwner: boolean;
  /** Whether `site` is for this visitor alone: another version than the live one, or shown by a share link. */
  isPreview: boolean;
  /** Whether a page must make this browser forget what a former site stored; see `former-tenant.ts`. */
  clearsBrowser: boolean;
  /** The share link by which they came. */
  link?: ShareLink;
  /** The address that they proved. */
  email?: string;
}

/** A refusal that leads to another page: of a version that is gone, or of an open that must be counted first. */
type Detour = { kind: 'preview-ended' } | { kind: 'new-open' };

/** A site as one visitor may see it: the version to serve and its files, or a refusal. */
export type LoadedSite = Visitor &
  (
    | { site: ServingRecord; files: Manifest; refusal?: undefined }
    | {
        site: ServingRecord | undefined;
        files?: undefined;
        refusal: Refusal | Detour;
      }
  );

/**
 * Loads the site at a host: one read of the directory; one more for a visitor with a share link or a proved address, and for another
 * version than the live one; three more for a named preview; and one of storage only for a large manifest that this process has not read yet, or for
 * an asset that only an earlier version had. A visitor who is refused the live version is refused a preview too.
 */
export async function loadSite(
  deps: LoadSiteDeps,
  request: SiteRequest,
  now: Date,
): Promise<LoadedSite> {
  const live = await findShownSite(deps, request, now);
  if (live === undefined) {
    const hasExpired = deps.sites.hasExpired?.(request, now) === true;
    return { ...stranger, site: undefined, refusal: hasExpired ? { kind: 'gone' } : missingSite };
  }
  const viewer = await findViewer(deps, live, request, now);
  const visitor = visitorOf(deps, { live, viewer, request }, now);
  const refusal = refuseVisit(live, viewer.role, now);
  if (refusal !== undefined) return { ...visitor, site: live, refusal };
  if (viewer.isStale) return { ...visitor, site: live, refusal: { kind: 'new-open' } };
  const shown = await siteShownTo(deps, { live, viewer, request }, now);
  if (shown === live) return loadFiles(deps, live, { visitor, path: request.path, now });
  const previewVisitor = { ...visitor, isPreview: true };
  return shown === 'ended'
    ? { ...previewVisitor, site: live, refusal: { kind: 'preview-ended' } }
    : loadFiles(deps, shown, { visitor: previewVisitor, path: request.path, now });
}

/** The site at an address; at that of a named preview, the preview. */
async function findShownSite(
  deps: LoadSiteDeps,
  request: SiteRequest,
  now: Date,
): Promise<FoundSite | undefined> {
  const found = await findSite(deps, request);
  return typeof found?.shows === 'string' ? namedPreviewSite(deps, found, found.shows, now) : found;
}

interface SiteVisit {
  live: FoundSite;
  viewer: Viewer;
  request: SiteRequest;
}

function visitorOf(
  { accessSecret }: LoadSiteDeps,
  { live, viewer: { role, link, email }, request }: SiteVisit,
  now: Date,
): Visitor {
  const wasHandedOver = live.handedOverAt !== null;
  return {
    isOwner: role === 'owner',
    isPreview: link !== undefined,
    clearsBrowser: wasHandedOver && mustClearBrowser(accessSecret, live, request, now),
    ...(link !== undefined && { link }),
    ...(email !== undefined && { email }),
  };
}

/** The version that a visitor sees, with the limits of their share link; `live` itself where there are none. */
async function siteShownTo(
  deps: LoadSiteDeps,
  { live, viewer: { link }, request: { preview } }: SiteVisit,
  now: Date,
): Promise<FoundSite | 'ended'> {
  // Share links show the project and one version, and no previews.
  if (typeof live.shows === 'string') return link === undefined ? { ...live } : 'ended';
  const site = link?.downloads === false ? { ...live, disableDownloads: true } : live;
  if (link !== undefined && link.version !== null && live.shows === undefined) {
    return shownVersion(deps, site, link.version);
  }
  const previewed = preview === noToken ? 'live' : await previewSite(deps, site, preview, now);
  if (previewed !== 'live') return previewed;
  // A version's own host never shows another one.
  return live.shows === undefined ? site : 'ended';
}

const stranger: Visitor = { isOwner: false, isPreview: false, clearsBrowser: false };
const missingSite = { kind: 'missing', what: 'site' } as const;

async function loadFiles(
  deps: LoadSiteDeps,
  site: ServingRecord,
  { visitor, path, now }: { visitor: Visitor; path: string; now: Date },
): Promise<LoadedSite> {
  const content = await loadContent(deps, site);
  if (content === undefined) return { ...visitor, site, refusal: missingSite };
  const { rules } = content;
  const files = await withRetainedAsset(deps, { site, files: content.files }, path, now);
  return { ...visitor, site: rules === undefined ? site : { ...site, rules }, files };
}

/**
 * The conditions of a request that apply to a site. Clearing a browser requires the whole page, so
 * that no condition may lead to a 304. A preview ignores dates: they cannot tell its version from one
 * that was published later.
 */
export function applicableConditions(
  { clearsBrowser, isPreview }: Pick<LoadedSite, 'clearsBrowser' | 'isPreview'>,
  conditions: Conditions,
): Conditions {
  if (clearsBrowser) return {};
  if (!isPreview) return conditions;
  const { ifModifiedSince: _, ifUnmodifiedSince: __, ...others } = conditions;
  return others;
}
