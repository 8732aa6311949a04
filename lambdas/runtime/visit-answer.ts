import { createHash } from 'node:crypto';
import { contentKey } from '../../core/content/content-keys.ts';
import { baseName } from '../../core/content/file-name.ts';
import { inlineAs } from '../../core/projects/store-files.ts';
import type { ByteRange } from '../../core/visit/byte-range.ts';
import { cacheControl, cacheTag, revalidated } from '../../core/visit/cache-policy.ts';
import { type Decision, etagOf, type ServedFile } from '../../core/visit/decide-visit.ts';
import { type Conditions, evaluatePreconditions } from '../../core/visit/preconditions.ts';
import { placeIn } from '../../core/visit/manifest.ts';
import { isSingleFile, type ServingRecord } from '../../core/visit/serving-record.ts';
import type { Page } from '../../web/pages/page.ts';
import { pageHeaders } from './page.ts';

/** An answer to a visitor: text of ours, bytes of the project, or no body. */
export interface VisitAnswer {
  status: number;
  headers: Record<string, string>;
  text?: string;
  stored?: { key: string; range?: ByteRange };
}

/** A page of ours that says why there is nothing to see; nobody on the way keeps it. */
export function refusal(status: number, { html, csp }: Page): VisitAnswer {
  return { status, headers: { ...pageHeaders(csp), 'x-robots-tag': 'noindex' }, text: html };
}

/** A page of ours about a project that may be viewed; asked for again at every view. */
export function projectPage(site: ServingRecord, page: Page, conditions: Conditions): VisitAnswer {
  const etag = `"${createHash('sha256').update(page.html).digest('base64url').slice(0, 16)}"`;
  const headers = {
    ...siteHeaders(site),
    'cache-control': revalidated,
    etag,
  };
  const current = { etag, lastModified: new Date(site.publishedAt) };
  const { ifNoneMatch } = conditions;
  if (evaluatePreconditions({ ifNoneMatch }, current) === 'not-modified') {
    return { status: 304, headers };
  }
  const { 'cache-control': _, ...own } = pageHeaders(page.csp);
  return { status: 200, headers: { ...own, ...headers }, text: page.html };
}

/** Another address of the same site; `location` is a path that begins with one slash. */
export function redirect(site: ServingRecord, location: string): VisitAnswer {
  return {
    status: 301,
    headers: { ...siteHeaders(site), 'cache-control': revalidated, location },
  };
}

/** The same answer where not everybody would get it: for this visitor, this once. */
export function forOne(answer: VisitAnswer): VisitAnswer {
  return { ...answer, headers: { ...answer.headers, 'cache-control': 'private, no-store' } };
}

/** The same answer of a version that is only previewed. */
export function forPreview(answer: VisitAnswer): VisitAnswer {
  const { headers, ...rest } = forOne(answer);
  return { ...rest, headers: { ...headers, 'x-robots-tag': 'noindex' } };
}

/** CloudFront drops cookies that the gate would set: the page that says so takes the preview's away. */
export function previewEnded(): VisitAnswer {
  return { status: 302, headers: { location: '/_slipway/preview/ended' } };
}

/** A signed link to a large file; the link is for this visitor and this hour. */
export function toMedia(site: ServingRecord, location: string): VisitAnswer {
  return {
    status: 302,
    headers: { ...siteHeaders(site), 'cache-control': 'private, no-store', location },
  };
}

/** A file whole, in part, or unchanged. */
export function fileAnswer(
  site: ServingRecord,
  decision: Extract<Decision, { kind: 'file' | 'not-modified' }>,
  now: Date,
): VisitAnswer {
  const { file } = decision;
  const headers = { ...siteHeaders(site), ...validators(site, file, now) };
  if (decision.kind === 'not-modified') return { status: 304, headers };
  const { size } = file.entry;
  const range = decision.range ?? { first: 0, last: size - 1 };
  const length = range.last - range.first + 1;
  const own = {
    ...headers,
    'accept-ranges': 'bytes',
    'content-type': file.contentType,
    'content-length': String(length),
    ...rawHeaders(site, file),
  };
  const key = contentKey(site.projectId, placeIn(site.store, file.path, file.entry));
  if (decision.range === undefined) {
    return size === 0
      ? { status: 200, headers: own, text: '' }
      : { status: 200, headers: own, stored: { key } };
  }
  const contentRange = { 'content-range': `bytes ${range.first}-${range.last}/${size}` };
  const part = { status: 206, headers: { ...own, ...contentRange }, stored: { key, range } };
  // A piece is less than was asked for: an edge must not take it for more.
  return decision.isPiece === true ? forOne(part) : part;
}

/** What a browser would run, or build a document of in which something runs. */
const active = /^(?:text\/html|text\/xsl|application\/xhtml|[^;]*[/+]xml)/;

/**
 * A file that its owner did not publish as a page runs nothing and belongs to no site, whoever opens
 * it: our own pages have the same address. An `<img>` of it is not concerned.
 */
function rawHeaders(site: ServingRecord, { path, contentType }: ServedFile) {
  if (site.home !== null) return {};
  return {
    'content-disposition': inlineAs(baseName(path)),
    ...(active.test(contentType) ? { 'content-security-policy': 'sandbox' } : {}),
  };
}

/** A file that is shown on its page only: there its visitor goes. */
export function toViewer(site: ServingRecord): VisitAnswer {
  return {
    status: 302,
    headers: { ...siteHeaders(site), 'cache-control': 'private, no-store', location: '/' },
  };
}

/** RFC 9110 §15.5.17: says how long the file really is. */
export function unsatisfiable(site: ServingRecord, size: number): VisitAnswer {
  return {
    status: 416,
    headers: {
      ...siteHeaders(site),
      'cache-control': 'private, no-store',
      'content-range': `bytes */${size}`,
    },
  };
}

/** RFC 9110 §15.5.13. */
export function preconditionFailed(site: ServingRecord): VisitAnswer {
  return { status: 412, headers: { ...siteHeaders(site), 'cache-control': 'private, no-store' } };
}

function validators(site: ServingRecord, file: ServedFile, now: Date): Record<string, string> {
  return {
    etag: etagOf(file.entry),
    'last-modified': new Date(site.publishedAt).toUTCString(),
    // Asked at every view, or an edge would give to navigations what is for the page alone.
    'cache-control':
      isSingleFile(site) && site.disableDownloads
        ? revalidated
        : cacheControl(site, file.path, now),
  };
}

function siteHeaders(site: ServingRecord): Record<string, string> {
  return {
    // The name that S3 gives its metadata: one tag header serves the gate and storage.
    'x-amz-meta-cache-tag': cacheTag(site.projectId),
    'x-content-type-options': 'nosniff',
    ...(site.noIndex ? { 'x-robots-tag': 'noindex' } : {}),
  };
}
