import type { AddressedDecision } from '../../core/visit/large-file-address.ts';
import { baseName, canRunScripts } from '../../core/content/media-type.ts';
import type { PageHead } from '../../core/page-edits/page-head.ts';
import { inlineDisposition } from '../../core/content/content-disposition.ts';
import { isTakenPicture } from '../../core/content/taken-pictures.ts';
import { allowOrigin } from '../../core/visit/cross-origin.ts';
import type { Decision, ServedFile } from '../../core/visit/decide-visit.ts';
import { brotliPlace, filePlace, rangeAt } from '../../core/visit/file-place.ts';
import type { LoadedSite } from '../../core/visit/load-site.ts';
import {
  cacheControl,
  cacheTag,
  revalidateAlways,
  secondsLeft,
  siteCacheControl,
} from '../../core/visit/protocol/cache-policy.ts';
import { type ByteRange, etagOf } from '../../core/visit/protocol/conditional-request.ts';
import { type Coding, isCompressible } from '../../core/visit/protocol/content-coding.ts';
import { isSingleFile, type ServingRecord } from '../../core/visit/serving-record.ts';
import { errorPage } from '../../web/pages/visitor/refusal-pages.ts';
import type { Page } from '../../web/pages/parts/page.ts';
import { pageHeaders } from '../http/page-response.ts';
import { withHeaders } from '../http/with-headers.ts';

/** The site that was loaded for a request, and what was decided. */
export type VisitOutcome = LoadedSite & {
  decision: AddressedDecision;
};

/** A response to a visitor: text of ours, a file of the project, or no body. */
export interface VisitResponse {
  status: number;
  headers: Record<string, string>;
  text?: string;
  stored?: { key: string; range?: ByteRange };
  /** How the whole body is compressed before it is sent. */
  coding?: Coding;
  /** How the stored page is edited before it is sent. */
  edit?: PageEdit;
}

/** A page's new head, and the visitor's Range header, which counts bytes of the edited page. */
export interface PageEdit {
  head: PageHead;
  range: string | undefined;
  unsatisfiable(size: number): VisitResponse;
}

export function isHtmlResponse({ headers }: Pick<VisitResponse, 'headers'>): boolean {
  return /^text\/html/i.test(headers['content-type'] ?? '');
}

/** A page of ours that says why the visitor gets nothing; no cache stores it. */
export function refusalResponse(status: number, { html, csp }: Page): VisitResponse {
  return { status, headers: { ...pageHeaders(csp), 'x-robots-tag': 'noindex' }, text: html };
}

/**
 * A 304. It has a Content-Type, because a Function URL would label it as JSON and the edge could
 * update its copy with that. A 304 cannot remove a header from the edge's copy, so `all` replaces
 * an earlier `noindex`.
 */
export function notModified(
  headers: Record<string, string>,
  contentType = 'text/html',
): VisitResponse {
  return {
    status: 304,
    headers: { 'content-type': contentType, 'x-robots-tag': 'all', ...headers },
  };
}

/** A redirect that carries the visitor's query is private: the query is in no cache key. */
export function redirectResponse(
  site: ServingRecord,
  { location, status, keepsQuery }: Extract<Decision, { kind: 'redirect' }>,
): VisitResponse {
  const headers = { ...siteHeaders(site), 'cache-control': revalidateAlways, location };
  return keepsQuery ? privateResponse({ status, headers }) : { status, headers };
}

/** The same response for no cache to store, because not every visitor may get it. */
export function privateResponse(response: VisitResponse): VisitResponse {
  return withHeaders(response, { 'cache-control': 'private, no-store' });
}

/** The same response for a preview: private, and not for search engines. */
export function previewResponse(response: VisitResponse): VisitResponse {
  return withHeaders(privateResponse(response), { 'x-robots-tag': 'noindex' });
}

/** CloudFront drops cookies that the gate sets, so that a page below `/_slipway/` removes the preview's cookie. */
export function redirectToPreviewEnd(): VisitResponse {
  return { status: 302, headers: { location: '/_slipway/preview/ended' } };
}

/** The visitor-forms function counts the next open of a share link, then leads back: the gate sets no cookies. */
export function redirectToNewOpen({ path, query }: { path: string; query: string }): VisitResponse {
  const to = encodeURIComponent(query === '' ? path : `${path}?${query}`);
  const headers = { location: `/_slipway/share?to=${to}`, 'cache-control': 'private, no-store' };
  return { status: 302, headers };
}

/** A redirect for this visitor and this request alone: to the address of a large file, or to the page around a file. */
export function privateRedirect(site: ServingRecord, location: string): VisitResponse {
  return privateResponse({ status: 302, headers: { ...siteHeaders(site), location } });
}

/** RFC 9110 §15.5.17: tells the length of the file. */
export function rangeNotSatisfiable(site: ServingRecord, size: number): VisitResponse {
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
export function preconditionFailed(site: ServingRecord): VisitResponse {
  return { status: 412, headers: { ...siteHeaders(site), 'cache-control': 'private, no-store' } };
}

/** Headers of every response about a project. */
export function siteHeaders(site: ServingRecord): Record<string, string> {
  return {
    // Named like metadata of S3, so that the same header tags responses of the gate and of storage.
    'x-amz-meta-cache-tag': cacheTag(site.projectId),
    ...(site.noIndex ? { 'x-robots-tag': 'noindex' } : {}),
  };
}

/**
 * The page of an internal error: what the visitor can do, and the request id, under which the log
 * has the cause.
 */
export function internalError(brand: string, { requestId }: { requestId: string }): VisitResponse {
  return refusalResponse(
    500,
    errorPage({
      brand,
      status: 500,
      title: 'Something went wrong on our side',
      text: `Please try again in a minute. If it happens again, report it with the request id ${requestId}.`,
    }),
  );
}

/** A whole file, a range of it, or `304 Not Modified`. */
export function fileResponse(
  site: ServingRecord,
  decision: Extract<Decision, { kind: 'file' | 'not-modified' }>,
  now: Date,
): VisitResponse {
  const { file } = decision;
  const headers = fileHeaders(site, file, now);
  if (decision.kind === 'not-modified') return notModified(headers, file.contentType);
  const { range } = decision;
  if (range === undefined) {
    const { rangeField } = decision;
    return wholeFile(site, { file, status: 200, headers, rangeField });
  }
  const { size } = file.entry;
  return {
    status: 206,
    headers: {
      ...withContentType(file, headers),
      'content-range': `bytes ${range.first}-${range.last}/${size}`,
    },
    stored: storedBytes(site, file, range),
  };
}

/** A site's own `404.html`, without its validators: they belong to the page's own address. */
export function notFoundFileResponse(
  site: ServingRecord,
  { file, status }: Extract<Decision, { kind: 'not-found-page' }>,
  now: Date,
): VisitResponse {
  const { etag: _, 'last-modified': __, ...headers } = fileHeaders(site, file, now);
  return privateResponse(wholeFile(site, { file, status, headers }));
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
): VisitResponse {
  const { coding, head, isBrotli } = file;
  const { size } = file.entry;
  const own = withContentType(file, headers);
  if (size === 0) return { status, headers: own, text: '' };
  return {
    status,
    headers: {
      ...own,
      ...(coding !== undefined && { 'content-encoding': coding }),
    },
    stored: storedBytes(site, file),
    ...(coding !== undefined && isBrotli !== true && { coding }),
    ...(head !== undefined && { edit: pageEdit(site, head, rangeField) }),
  };
}

function pageEdit(site: ServingRecord, head: PageHead, range: string | undefined): PageEdit {
  return { head, range, unsatisfiable: (size) => rangeNotSatisfiable(site, size) };
}

/** The site's own headers come last: they may set another type. */
function withContentType(
  file: ServedFile,
  headers: Record<string, string>,
): Record<string, string> {
  return { 'accept-ranges': 'bytes', 'content-type': file.contentType, ...headers };
}

/** The range to read from storage for a file, or for a part of it. */
function storedBytes(
  site: ServingRecord,
  { path, entry, isBrotli }: ServedFile,
  requested?: ByteRange,
): VisitResponse['stored'] {
  const place = (isBrotli === true ? brotliPlace : filePlace)(site, path, entry);
  const range = rangeAt(place, requested);
  return { key: place.key, ...(range !== undefined && { range }) };
}

/**
 * A file that was not published as a page must run no scripts when it is opened: our own viewer page
 * has the same origin. The sandbox does not affect a file that an `<img>` loads.
 */
function sandboxHeaders(
  site: ServingRecord,
  path: string,
  contentType: string,
): Record<string, string> {
  // Pictures fetched from other sites are third-party content, also in a project with a home page.
  if (site.home !== null && !isTakenPicture(path)) return {};
  return {
    'content-disposition': inlineDisposition(baseName(path)),
    ...(canRunScripts(contentType) && { 'content-security-policy': 'sandbox' }),
  };
}

/** The request headers that the response depends on (RFC 9110 §12.5.5). */
function varyField({
  contentType,
  entry,
  variesByView,
  storedCoding,
}: ServedFile): Record<string, string> {
  const names = [
    ...(storedCoding === undefined && isCompressible(contentType, entry.size)
      ? ['Accept-Encoding']
      : []),
    ...(variesByView === true ? ['Sec-Fetch-Mode'] : []),
  ];
  return names.length === 0 ? {} : { vary: names.join(', ') };
}

/** Headers of every response with a file, `304 Not Modified` included (RFC 9110 §15.4.5). */
function fileHeaders(site: ServingRecord, file: ServedFile, now: Date): Record<string, string> {
  const { fields = new Map<string, string>(), isOpen, storedCoding } = file;
  const { 'x-robots-tag': ourRobots, ...common } = siteHeaders(site);
  const {
    'cache-control': siteValue,
    'x-robots-tag': siteRobots,
    'content-encoding': _,
    ...own
  } = Object.fromEntries(fields);
  const robots = [ourRobots, siteRobots].filter((value) => value !== undefined).join(', ');
  // Without downloads only the viewer page may load the file; a copy at the edge would answer navigations too.
  const isPageOnly = isSingleFile(site) && site.disableDownloads;
  // HTML is revalidated whatever its name: its views are counted, and it clears what a former site left in browsers.
  const isPage = isHtmlResponse({ headers: { 'content-type': file.contentType, ...own } });
  const ours = isPageOnly || isPage ? revalidateAlways : cacheControl(site, file.path, now);
  return {
    ...common,
    etag: etagOf(file),
    'last-modified': new Date(site.publishedAt).toUTCString(),
    ...varyField(file),
    ...(isOpen === true && { [allowOrigin]: '*' }),
    ...own,
    ...(storedCoding !== undefined && { 'content-encoding': storedCoding }),
    ...(robots !== '' && { 'x-robots-tag': robots }),
    'cache-control':
      siteValue === undefined ? ours : siteCacheControl(ours, siteValue, secondsLeft(site, now)),
    // Of a 304 too: caches take its headers over (RFC 9111 §3.2).
    ...sandboxHeaders(site, file.path, own['content-type'] ?? file.contentType),
  };
}
