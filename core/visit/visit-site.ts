import { type HeadAddresses, headOf } from '../page-edits/page-head.ts';
import { contentKey, manifestKey } from '../content/content-keys.ts';
import type { ContentStore, MediaLinks, SiteDirectory } from '../ports.ts';
import { plusSeconds } from '../instants.ts';
import { mediaLinkSeconds } from './protocol/cache-policy.ts';
import { decideVisit, type Decision, refuseVisit, type ServedFile } from './decide-visit.ts';
import type { Visit } from './visit.ts';
import { decodeManifest, type Manifest, placeIn } from './manifest.ts';
import { entrantOf } from './access/access-token.ts';
import { clearsBrowser } from './former-tenant.ts';
import { type PreviewDeps, previewSite } from './access/preview-site.ts';
import type { ServingRecord } from './serving-record.ts';

/** What visiting needs; `manifests` remembers the few that are too large for their serving record. */
export interface SiteDeps extends PreviewDeps {
  sites: SiteDirectory;
  content: Pick<ContentStore, 'get'>;
  manifests: Map<string, Manifest>;
  /** What heads of pages are made of; without it they stay as they are. */
  heads?: HeadAddresses;
}

/** The same with what large files need. */
export interface VisitDeps extends SiteDeps {
  mediaLinks: MediaLinks;
  heads: HeadAddresses;
}

/** A decision together with the site it was made for; `files` only once the visitor was let in. */
export type Outcome = {
  preview?: boolean;
  isOwner: boolean;
  /** A page clears this browser. */
  clears?: boolean;
} & (
  | { site: undefined; decision: Decision; files?: undefined }
  | { site: ServingRecord; decision: Decision; files?: Manifest }
);

/** A visit with the tokens of its cookies, as the edge passes them on; `-` stands for none. */
export interface VisitWithTokens extends Visit {
  access: string;
  preview: string;
  /** That this browser was cleared of what a former site left; see `former-tenant.ts`. */
  cleared: string;
}

const rememberedManifests = 50;

/**
 * Answers one visit with one read of the directory, a second one for a preview, and one of storage
 * only for a large site's manifest. Who may not see the site sees no other version of it either.
 */
export async function visitSite(
  deps: SiteDeps,
  host: string,
  visit: VisitWithTokens,
  now: Date,
): Promise<Outcome> {
  const site = await deps.sites.get(host);
  if (site === undefined) {
    return { site, isOwner: false, decision: { kind: 'missing', what: 'site' } };
  }
  if (!clearsBrowser(deps.accessSecret, site, visit, now)) return visitLive(deps, site, visit, now);
  // A browser that is to be cleared needs the page itself: `not modified` would be none.
  const outcome = await visitLive(deps, site, { ...visit, conditions: {} }, now);
  return { ...outcome, clears: true };
}

async function visitLive(
  deps: SiteDeps,
  site: ServingRecord,
  visit: VisitWithTokens,
  now: Date,
): Promise<Outcome> {
  const entrant = entrantOf(deps.accessSecret, visit.access, site, now);
  const isOwner = entrant === 'owner';
  const refusal = refuseVisit(site, entrant, now);
  if (refusal !== undefined) return { site, isOwner, decision: refusal };
  const previewed = await previewSite(deps, site, visit.preview, now);
  if (previewed === 'ended') {
    return { site, isOwner, decision: { kind: 'preview-ended' }, preview: true };
  }
  if (previewed === 'live') return { isOwner, ...(await show(deps, site, visit)) };
  return { isOwner, ...(await show(deps, previewed, withoutDates(visit))), preview: true };
}

async function show(deps: SiteDeps, site: ServingRecord, visit: Visit) {
  const files = await manifestOf(deps, site);
  if (files === undefined) return { site, decision: { kind: 'missing', what: 'site' } } as const;
  const { heads } = deps;
  const asked =
    heads === undefined
      ? visit
      : { ...visit, headOf: (file: string) => headOf(site, { file, urlPath: visit.path }, heads) };
  return { site, files, decision: decideVisit(site, files, asked) };
}

/** A date cannot tell a version from another that was published later. */
function withoutDates(visit: Visit): Visit {
  const { ifModifiedSince: _, ifUnmodifiedSince: __, ...conditions } = visit.conditions;
  return { ...visit, conditions };
}

/** A signed link to a file too large to be answered inline; it lives for seconds and outlives no project's end. */
export async function mediaLink(
  deps: Pick<VisitDeps, 'mediaLinks'>,
  site: ServingRecord,
  file: ServedFile,
  now: Date,
): Promise<string> {
  const soon = plusSeconds(now, mediaLinkSeconds);
  const expiry = site.expiresAt === null ? soon : new Date(site.expiresAt);
  const until = wholeSeconds(expiry < soon ? expiry : soon);
  return deps.mediaLinks.sign(
    site.host,
    contentKey(site.projectId, placeIn(site.store, file.path, file.entry)),
    until,
  );
}

/** Signatures carry whole seconds; rounding up would outlive the project. */
function wholeSeconds(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}

/** The files of a site's version; `undefined` when they were removed a moment ago. */
export async function manifestOf(
  deps: Pick<SiteDeps, 'content' | 'manifests'>,
  site: ServingRecord,
): Promise<Manifest | undefined> {
  if (site.manifest !== undefined) return decodeManifest(site.manifest);
  const key = manifestKey(site.projectId, site.store);
  const remembered = deps.manifests.get(key);
  if (remembered !== undefined) return remembered;
  const stored = await deps.content.get(key);
  if (stored === undefined) return undefined;
  const manifest = decodeManifest(stored);
  for (const oldest of deps.manifests.keys()) {
    if (deps.manifests.size < rememberedManifests) break;
    deps.manifests.delete(oldest);
  }
  deps.manifests.set(key, manifest);
  return manifest;
}
