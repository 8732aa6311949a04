import { createHash } from 'node:crypto';
import { contentKey } from '../../core/content/content-keys.ts';
import { baseName } from '../../core/content/file-name.ts';
import { inlineAs } from '../../core/projects/store-files.ts';
import type { PageHead } from '../../core/page-edits/page-head.ts';
import { type ByteRange, lengthOf } from '../../core/visit/byte-range.ts';
import {
  cacheControl,
  cacheTag,
  revalidated,
  secondsLeft,
  siteCacheControl,
} from '../../core/visit/cache-policy.ts';
import { chooseEncoding, type Coding, isEncodable } from '../../core/visit/choose-encoding.ts';
import {
  type Decision,
  etagOf,
  type ServedFile,
  type Visit,
} from '../../core/visit/decide-visit.ts';
import { evaluatePreconditions } from '../../core/visit/preconditions.ts';
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
  /** How the whole body is packed on its way. */
  coding?: Coding;
  /** What is done to the stored bytes before they are sent. */
  edit?: PageEdit;
}

/** A page's new head, and the part of the edited page that is wanted, as the visitor wrote it. */
export interface PageEdit {
  head: PageHead;
  range: string | undefined;
  unsatisfiable(size: number): VisitAnswer;
}

/** A page of ours that says why there is nothing to see; nobody on the way keeps it. */
export function refusal(status: number, { html, csp }: Page): VisitAnswer {
  return { status, headers: { ...pageHeaders(csp), 'x-robots-tag': 'noindex' }, text: html };
}

/** A page of ours about a project that may be viewed; asked for again at every view. */
export function projectPage(
  site: ServingRecord,
  page: Page,
  { conditions, acceptEncoding }: Pick<Visit, 'conditions' | 'acceptEncoding'>,
): VisitAnswer {
  const { 'cache-control': _, ...own } = pageHeaders(page.csp);
  const size = Buffer.byteLength(page.html);
  const coding = chooseEncoding(acceptEncoding, 'text/html', size);
  const hash = createHash('sha256').update(page.html).digest('base64url').slice(0, 16);
  const etag = etagOf({ entry: { hash, size }, ...(coding !== undefined && { coding }) });
  const headers = {
    ...siteHeaders(site),
    'cache-control': revalidated,
    etag,
    ...(isEncodable('text/html', size) && { vary: 'Accept-Encoding' }),
  };
  const current = { etag, lastModified: new Date(site.publishedAt) };
  const { ifNoneMatch } = conditions;
  if (evaluatePreconditions({ ifNoneMatch }, current) === 'not-modified') {
    return unchanged(headers, own['content-type']);
  }
  const whole = { status: 200, headers: { ...own, ...headers }, text: page.html };
  if (coding === undefined) return whole;
  return { ...whole, headers: { ...whole.headers, 'content-encoding': coding }, coding };
}

/** A Function URL calls an answer that says no type JSON, and an edge could take that for the type of what it keeps. */
function unchanged(headers: Record<string, string>, contentType = 'text/html'): VisitAnswer {
  return { status: 304, headers: { 'content-type': contentType, ...headers } };
}

/** Another address. One that carries the visitor's query is for this visitor: no cache key has the query. */
export function redirect(
  site: ServingRecord,
  { location, status, withQuery }: Extract<Decision, { kind: 'redirect' }>,
): VisitAnswer {
  const headers = { ...siteHeaders(site), 'cache-control': revalidated, location };
  return withQuery ? forOne({ status, headers }) : { status, headers };
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
  const headers = fileHeaders(site, file, now);
  if (decision.kind === 'not-modified') return unchanged(headers, file.contentType);
  const { range } = decision;
  if (range === undefined) {
    const { rangeField } = decision;
    return wholeFile(site, { file, status: 200, headers, rangeField });
  }
  const { size } = file.entry;
  const part = {
    status: 206,
    headers: {
      ...typed(site, file, headers),
      'content-length': String(lengthOf(range)),
      'content-range': `bytes ${range.first}-${range.last}/${size}`,
    },
    stored: { key: keyOf(site, file), range },
  };
  // A piece is less than was asked for: an edge must not take it for more.
  return decision.isPiece === true ? forOne(part) : part;
}

/** A site's own page for what it has not; its validators would be those of another address. */
export function notFoundFile(site: ServingRecord, file: ServedFile, now: Date): VisitAnswer {
  const { etag: _, 'last-modified': __, ...headers } = fileHeaders(site, file, now);
  return forOne(wholeFile(site, { file, status: 404, headers }));
}

interface WholeFile {
  file: ServedFile;
  status: number;
  headers: Record<string, string>;
  rangeField?: string | undefined;
}

function wholeFile(
  site: ServingRecord,
  { file, status, headers, rangeField }: WholeFile,
): VisitAnswer {
  const { coding, head } = file;
  const { size } = file.entry;
  const own = typed(site, file, headers);
  if (size === 0) return { status, headers: { ...own, 'content-length': '0' }, text: '' };
  // To know how long it will be, HEAD would have to read the file.
  const isChanged = coding !== undefined || head !== undefined;
  return {
    status,
    headers: {
      ...own,
      ...(!isChanged && { 'content-length': String(size) }),
      ...(coding !== undefined && { 'content-encoding': coding }),
    },
    stored: { key: keyOf(site, file) },
    ...(coding !== undefined && { coding }),
    ...(head !== undefined && { edit: editOf(site, head, rangeField) }),
  };
}

function editOf(site: ServingRecord, head: PageHead, range: string | undefined): PageEdit {
  return { head, range, unsatisfiable: (size) => unsatisfiable(site, size) };
}

/** Fields of the site's own may say the type, so that they come after it. */
function typed(
  site: ServingRecord,
  file: ServedFile,
  headers: Record<string, string>,
): Record<string, string> {
  return {
    'accept-ranges': 'bytes',
    'content-type': file.contentType,
    ...headers,
    ...rawHeaders(site, file),
  };
}

function keyOf(site: ServingRecord, { path, entry }: ServedFile): string {
  return contentKey(site.projectId, placeIn(site.store, path, entry));
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

/** What a file's answers have in common, also one that says that nothing has changed (RFC 9110 §15.4.5). */
function fileHeaders(site: ServingRecord, file: ServedFile, now: Date): Record<string, string> {
  const { contentType, entry, fields = new Map<string, string>() } = file;
  const { 'x-robots-tag': ours, ...common } = siteHeaders(site);
  const { 'cache-control': wanted, 'x-robots-tag': theirs, ...own } = Object.fromEntries(fields);
  const robots = [ours, theirs].filter((one) => one !== undefined).join(', ');
  // Asked at every view, or an edge would give to navigations what is for the page alone.
  const isKept = isSingleFile(site) && site.disableDownloads;
  const kept = isKept ? revalidated : cacheControl(site, file.path, now);
  return {
    ...common,
    etag: etagOf(file),
    'last-modified': new Date(site.publishedAt).toUTCString(),
    ...(isEncodable(contentType, entry.size) && { vary: 'Accept-Encoding' }),
    ...own,
    ...(robots !== '' && { 'x-robots-tag': robots }),
    'cache-control':
      wanted === undefined ? kept : siteCacheControl(kept, wanted, secondsLeft(site, now)),
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
