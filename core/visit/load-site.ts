import type { ContentStore } from '../ports.ts';
import { viewerRoleOf } from './access/access-token.ts';
import { type PreviewDeps, previewSite } from './access/preview.ts';
import { findSite, type FindSiteDeps, type VisitedAddress } from './find-site.ts';
import { mustClearBrowser, type ReturningVisit } from './former-tenant.ts';
import { type ContentMemory, loadContent, type Manifest } from './manifest.ts';
import { withRetainedAsset } from './retained-assets.ts';
import type { Conditions } from './protocol/conditional-request.ts';
import { type Refusal, refuseVisit } from './refuse-visit.ts';
import type { ServingRecord } from './serving-record.ts';

/**
 * The dependencies for loading a site; `contents` remembers files and rules that are too large for
 * their serving record.
 */
export interface LoadSiteDeps extends PreviewDeps, FindSiteDeps {
  content: Pick<ContentStore, 'get'>;
  contents: ContentMemory;
}

/** The value for a cookie that the browser did not send: a header needs a value. */
export const noToken = '-';

/** The parts of a request that concern its site. A cookie that was not sent is {@link noToken}. */
export interface SiteRequest extends ReturningVisit, VisitedAddress {
  access: string;
  preview: string;
  path: string;
}

/** How one visitor sees a site. */
interface Visitor {
  isOwner: boolean;
  /** Whether `site` is another version than the live one. */
  isPreview: boolean;
  /** Whether a page must make this browser forget what a former site stored; see `former-tenant.ts`. */
  clearsBrowser: boolean;
}

/** A site as one visitor may see it: the version to serve and its files, or a refusal. */
export type LoadedSite = Visitor &
  (
    | { site: ServingRecord; files: Manifest; refusal?: undefined }
    | {
        site: ServingRecord | undefined;
        files?: undefined;
        refusal: Refusal | { kind: 'preview-ended' };
      }
  );

/**
 * Loads the site at a host: one read of the directory, a second one for a preview, and one of storage
 * only for a large manifest that this process has not read yet, or for an asset that only an earlier version had. A visitor who is refused the live version is refused a preview too.
 */
export async function loadSite(
  deps: LoadSiteDeps,
  request: SiteRequest,
  now: Date,
): Promise<LoadedSite> {
  const live = await findSite(deps, request);
  if (live === undefined) return { ...stranger, site: undefined, refusal: missingSite };
  const { access, preview } = request;
  const withFiles = (site: ServingRecord, visitor: Visitor) =>
    loadFiles(deps, site, { visitor, path: request.path, now });
  const role = access === noToken ? 'stranger' : viewerRoleOf(deps.accessSecret, access, live, now);
  const wasHandedOver = live.handedOverAt !== null;
  const visitor = {
    isOwner: role === 'owner',
    isPreview: false,
    clearsBrowser: wasHandedOver && mustClearBrowser(deps.accessSecret, live, request, now),
  };
  const refusal = refuseVisit(live, role, now);
  if (refusal !== undefined) return { ...visitor, site: live, refusal };
  const previewed = preview === noToken ? 'live' : await previewSite(deps, live, preview, now);
  if (previewed === 'live' && live.pinnedVersion === undefined) return withFiles(live, visitor);
  const previewVisitor = { ...visitor, isPreview: true };
  // A version's own host never shows another one.
  return previewed === 'live' || previewed === 'ended'
    ? { ...previewVisitor, site: live, refusal: { kind: 'preview-ended' } }
    : withFiles(previewed, previewVisitor);
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
