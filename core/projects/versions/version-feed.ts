import { createHash } from 'node:crypto';
import { escapeToAscii } from '../../page-edits/ascii.ts';
import type { ProjectStore } from '../../ports.ts';
import { findViewer, type ViewerDeps } from '../../visit/access/viewer.ts';
import { findSite, type FindSiteDeps, type VisitedAddress } from '../../visit/find-site.ts';
import {
  type Conditions,
  evaluatePreconditions,
  type Validators,
} from '../../visit/protocol/conditional-request.ts';
import { type Refusal, refuseVisit } from '../../visit/refuse-visit.ts';
import type { ServingRecord } from '../../visit/serving-record.ts';
import type { Addresses } from '../addresses/addresses.ts';
import type { Version } from '../project.ts';

/** Where each project has its feed. */
export const feedPath = '/_slipway/versions.atom';

/** The dependencies for reading a feed. */
export interface FeedDeps extends FindSiteDeps, ViewerDeps {
  projects: Pick<ProjectStore, 'getVersion' | 'listVersions'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  now(): Date;
}

/** A request for a feed. */
export interface FeedRequest extends VisitedAddress {
  /** The token of the visitor's access cookie; `-` for none. */
  access: string;
  conditions: Conditions;
}

/** What a reader gets; no `feed` where theirs is up to date. */
type VisitedFeed =
  | { refusal: Refusal }
  | { feed?: string; isPublic: boolean; validators: Validators };

/** A reader that looks daily misses none. */
const maxVersions = 20;

/**
 * The versions of the project at an address as an Atom feed (RFC 4287), for those who may open the project. An
 * unchanged feed reads only what the project's page reads.
 */
export async function visitVersionFeed(
  deps: FeedDeps,
  { access, conditions, ...address }: FeedRequest,
): Promise<VisitedFeed> {
  const now = deps.now();
  const missing = { refusal: { kind: 'missing', what: 'file' } } as const;
  const site = await findSite(deps, address);
  // The address of a version or a preview shows that one alone.
  if (site === undefined || site.shows !== undefined) return missing;
  const { role, link } = await findViewer(deps, site, { access, isPageView: false }, now);
  const refusal = refuseVisit(site, role, now);
  if (refusal !== undefined) return { refusal };
  // So does a share link to a version.
  if (link !== undefined && link.version !== null) return missing;
  const isPublic = site.access === 'public';
  const validators = { etag: etagOf(site), lastModified: new Date(site.publishedAt) };
  if (evaluatePreconditions(conditions, validators) !== 'proceed') return { isPublic, validators };
  const versions = await shownVersions(deps, site);
  const url = deps.addresses.siteUrl(site.host);
  return { feed: writeFeed(site, versions, url), isPublic, validators };
}

function etagOf({ projectId, host, version, publishedAt, ...site }: ServingRecord): string {
  const parts = JSON.stringify([projectId, host, version, publishedAt, titleOf(site)]);
  return `"${createHash('sha256').update(parts).digest('base64url').slice(0, 22)}"`;
}

function titleOf({ pageTitle, title }: Pick<ServingRecord, 'pageTitle' | 'title'>): string {
  return pageTitle ?? title;
}

/** The live version, and those that were live when they were published: a draft is nobody's before it is live. */
async function shownVersions(
  { projects }: Pick<FeedDeps, 'projects'>,
  { projectId, version }: ServingRecord,
): Promise<Version[]> {
  const newest = await projects.listVersions(projectId, maxVersions);
  const live =
    newest.find((one) => one.version === version) ??
    (await projects.getVersion(projectId, version));
  const earlier = newest.filter((one) => one.version !== version && one.draft !== true);
  return [...(live === undefined ? [] : [live]), ...earlier];
}

/** Pure. */
export function writeFeed(site: ServingRecord, versions: readonly Version[], url: string): string {
  const title = xmlText(titleOf(site));
  const page = `<link rel="alternate" type="text/html" href="${xmlText(url)}/"/>`;
  const entries = versions.map(({ version, createdAt, note }) => {
    // A version that became live again is news.
    const updated = version === site.version ? site.publishedAt : createdAt;
    const summary = note === undefined ? '' : `<summary>${xmlText(note)}</summary>`;
    return `<entry>
<id>urn:uuid:${site.projectId}#v${version}</id>
<title>${title}: version ${version}</title>
<published>${createdAt}</published>
<updated>${updated}</updated>
${page}${summary}
</entry>
`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:uuid:${site.projectId}</id>
<title>${title}</title>
<updated>${site.publishedAt}</updated>
<author><name>${title}</name></author>
<link rel="self" type="application/atom+xml" href="${xmlText(url)}${feedPath}"/>
${page}
${entries.join('')}</feed>
`;
}

/** XML has no reference for the two characters that Unicode reserves at the end of its first plane. */
function xmlText(text: string): string {
  return escapeToAscii(text.replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD'));
}
