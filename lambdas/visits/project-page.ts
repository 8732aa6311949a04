import { createHash } from 'node:crypto';
import {
  bundlePagePath,
  bundlePlace,
  folderReadme,
  shownType,
} from '../../core/visit/bundle-file.ts';
import { detectType } from '../../core/content/detect-type.ts';
import { isShownAsText } from '../../core/content/text-file.ts';
import type { HeadAddresses } from '../../core/page-edits/page-head.ts';
import type { Decision } from '../../core/visit/decide-visit.ts';
import { zipAddress } from '../../core/visit/decide-zip.ts';
import { listFolder } from '../../core/visit/list-folder.ts';
import type { Manifest } from '../../core/visit/manifest.ts';
import { revalidateAlways } from '../../core/visit/protocol/cache-policy.ts';
import { etagOf, evaluatePreconditions } from '../../core/visit/protocol/conditional-request.ts';
import { chooseEncoding } from '../../core/visit/protocol/content-coding.ts';
import type { VisitorRequest } from '../../core/visit/route-visit.ts';
import { isSingleFile, type ServingRecord } from '../../core/visit/serving-record.ts';
import { markupRevision } from '../../core/visit/text-markup.ts';
import type { Page } from '../../web/pages/parts/page.ts';
import { type ListedReadme, listingPage } from '../../web/pages/visitor/listing-page.ts';
import { pageHeaders, pageType } from '../http/page-response.ts';
import { notModified, siteHeaders, type VisitResponse } from './response-parts.ts';
import type { ViewerDeps } from './single-file-page.ts';
import { type PageContext, visitParts } from './visit-parts.ts';

/** The dependencies of our own pages about a project. */
export interface ProjectPageDeps extends ViewerDeps {
  heads: HeadAddresses;
  /** Changes with the code that renders pages. */
  build: string;
}

/** A decision that is answered with a page of ours: of a folder, or around a single file. */
export type PageDecision = Extract<Decision, { kind: 'listing' | 'single-file-page' }>;

/** Our own pages are always long enough to compress, because of their styles. */
const anyLength = Number.POSITIVE_INFINITY;

/** Our own page about a project. It is revalidated at every view, and rendered only if it is sent. */
export async function projectPage(
  deps: ProjectPageDeps,
  { conditions, acceptEncoding }: Pick<VisitorRequest, 'conditions' | 'acceptEncoding'>,
  context: PageContext,
  decision: PageDecision,
): Promise<VisitResponse> {
  const { brand, build, heads } = deps;
  const { site } = context;
  const environment = { brand, build, appUrl: heads.oEmbedUrl('') };
  const entry = { hash: pageStamp(environment, context, decision) };
  const coding = chooseEncoding(acceptEncoding, 'text/html', anyLength);
  const etag = etagOf({ entry, ...(coding !== undefined && { coding }) });
  const headers = {
    ...siteHeaders(site),
    'cache-control': revalidateAlways,
    etag: isDeterministic(context, decision) ? etag : `W/${etag}`,
    vary: 'Accept-Encoding',
  };
  const current = { etag, lastModified: new Date(site.publishedAt) };
  const { ifNoneMatch } = conditions;
  if (evaluatePreconditions({ ifNoneMatch }, current) === 'not-modified') {
    return notModified(headers, pageType);
  }
  // A text that is not set for lack of time must not be kept by the edge: the next view may show it set.
  const isPassing = !isDeterministic(context, decision) && !deps.settingTime.isLeft();
  const page = await renderPage(deps, site, context.files, decision);
  const { html, csp } = page.with(visitParts(brand, heads, context));
  const { 'cache-control': noStore, ...own } = pageHeaders(csp);
  const { etag: _, ...withoutEtag } = headers;
  const sent = isPassing ? { ...withoutEtag, 'cache-control': noStore } : headers;
  const whole = { status: 200, headers: { ...own, ...sent }, text: html };
  if (coding === undefined) return whole;
  return { ...whole, headers: { ...whole.headers, 'content-encoding': coding }, coding };
}

/**
 * Whether every rendering of a page has the same bytes, as a strong ETag demands (RFC 9110 §8.8.1).
 * A text without stored markup is rendered at each view, with less formatting if that takes too
 * long.
 */
function isDeterministic(
  { site, files }: Pick<PageContext, 'site' | 'files'>,
  decision: PageDecision,
): boolean {
  if (decision.kind === 'listing') {
    return folderReadme(listFolder(files, decision.folder).files) === undefined;
  }
  if (isSingleFile(site) && site.markupRevision === markupRevision) return true;
  const { path, entry } = decision;
  return !isShownAsText(shownType(site, path, entry), { path, size: entry.size });
}

async function renderPage(
  deps: ProjectPageDeps,
  site: ServingRecord,
  files: Manifest,
  decision: PageDecision,
): Promise<Page> {
  if (decision.kind === 'listing') return folderPage(deps, site, files, decision.folder);
  // Loaded only when needed: most visits are of sites, which have pages of their own.
  const { singleFilePage } = await import('./single-file-page.ts');
  return singleFilePage(deps, site, {
    ...decision,
    files,
    place: bundlePlace(site, files, decision.path),
  });
}

/** The page of one folder of a bundle (`''`, or ending in `/`). */
async function folderPage(
  deps: ViewerDeps,
  site: ServingRecord,
  manifest: Manifest,
  folder: string,
): Promise<Page> {
  const { brand, addresses } = deps;
  const { folders, files, totals } = listFolder(manifest, folder);
  const readme = folderReadme(files);
  return listingPage({
    brand,
    title: site.pageTitle ?? site.title,
    folder,
    folders,
    files: files.map((file) => ({
      name: file.name,
      href: encodeURIComponent(file.name),
      hasPage: bundlePagePath(file.path) !== undefined,
      bytes: file.bytes,
      type: detectType(file.path),
    })),
    totals,
    noIndex: site.noIndex,
    zipHref: zipAddress(site, manifest, folder),
    origin: addresses.siteUrl(site.host),
    assets: deps.assets(),
    ...(readme !== undefined && { readme: await readReadme(deps, site, manifest, readme.path) }),
    ...(site.temporary && site.expiresAt !== null
      ? { temporary: { expiresAt: site.expiresAt } }
      : {}),
  });
}

/** Loaded only when needed, because it imports the renderer of Markdown. */
async function readReadme(
  deps: ViewerDeps,
  site: ServingRecord,
  manifest: Manifest,
  path: string,
): Promise<ListedReadme | undefined> {
  const { folderReadmeMarkup } = await import('./single-file-page.ts');
  return folderReadmeMarkup(deps, site, manifest, path);
}

/** The values that affect the pages of all projects: the build, and the brand of the service. */
interface PageEnvironment {
  brand: string;
  build: string;
  /** Address of the app, which pages link to. */
  appUrl: string;
}

/**
 * A hash that identifies a page without rendering it: of the content, the project's settings, the
 * address and the build. Pure.
 *
 * All settings count except those that no page shows, so that a new setting is not forgotten here.
 */
function pageStamp(
  environment: PageEnvironment,
  { site, path, isPreview, files }: PageContext,
  decision: PageDecision,
): string {
  const parts = [
    environment,
    contentStamp(decision, site, files),
    shownSettings(site),
    path,
    isPreview,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

/** A file is identified by its hash; a folder by the manifest, or its object's hash. */
function contentStamp(decision: PageDecision, site: ServingRecord, files: Manifest): unknown {
  if (decision.kind === 'listing') return [decision.folder, manifestStamp(site)];
  const { path, entry } = decision;
  // The page of a bundle's file links to other files of the bundle, and a text shows the pictures that were taken
  // along, so their manifest counts too.
  const around = isSingleFile(site) && files.size === 1 ? [] : [manifestStamp(site)];
  return [path, entry.size, entry.hash, ...around];
}

function manifestStamp({ manifest, manifestHash }: ServingRecord): string | undefined {
  if (manifest === undefined) return manifestHash;
  return createHash('sha256').update(manifest).digest('hex');
}

/** The fields of a serving record that no page shows. */
const hiddenFields: ReadonlySet<string> = new Set<keyof ServingRecord>([
  'manifest',
  'rules',
  'manifestHash',
  'retained',
  'accessChangedAt',
  'version',
  'store',
  'publishedAt',
  'restingUntil',
  'passwordStamp',
  'peopleStamp',
]);

function shownSettings(site: ServingRecord) {
  return Object.entries(site)
    .filter(([name]) => !hiddenFields.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
