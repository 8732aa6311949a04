import type { PageHead } from '../../core/page-edits/page-head.ts';
import type { ByteRange } from '../../core/visit/protocol/byte-range.ts';
import { cacheTag, revalidated } from '../../core/visit/protocol/cache-policy.ts';
import { chooseEncoding, type Coding } from '../../core/visit/protocol/choose-encoding.ts';
import { type Decision, etagOf } from '../../core/visit/decide-visit.ts';
import type { Visit } from '../../core/visit/visit.ts';
import { evaluatePreconditions } from '../../core/visit/protocol/preconditions.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import type { Page } from '../../web/pages/parts/page.ts';
import { pageHeaders, pageType } from '../http/page.ts';

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

/** A page of ours that is made only if it is sent. */
export interface LatePage {
  /** Tells it from every other page; see {@link pageStamp}. */
  stamp: string;
  /** False where it may come out in two ways that are equally good (RFC 9110 §8.8.1). */
  isExact: boolean;
  render(): Promise<Page>;
}

/** All pages of ours are long enough to be packed: their styles alone are. */
const anyLength = Number.POSITIVE_INFINITY;

/** A page of ours about a project that may be viewed; asked for again at every view, and not made for whoever holds it. */
export async function projectPage(
  site: ServingRecord,
  page: LatePage,
  { conditions, acceptEncoding }: Pick<Visit, 'conditions' | 'acceptEncoding'>,
): Promise<VisitAnswer> {
  const coding = chooseEncoding(acceptEncoding, 'text/html', anyLength);
  const entry = { hash: page.stamp, size: 0 };
  const etag = etagOf({ entry, ...(coding !== undefined && { coding }) });
  const headers = {
    ...siteHeaders(site),
    'cache-control': revalidated,
    etag: page.isExact ? etag : `W/${etag}`,
    vary: 'Accept-Encoding',
  };
  const current = { etag, lastModified: new Date(site.publishedAt) };
  const { ifNoneMatch } = conditions;
  if (evaluatePreconditions({ ifNoneMatch }, current) === 'not-modified') {
    return unchanged(headers, pageType);
  }
  const { html, csp } = await page.render();
  const { 'cache-control': _, ...own } = pageHeaders(csp);
  const whole = { status: 200, headers: { ...own, ...headers }, text: html };
  if (coding === undefined) return whole;
  return { ...whole, headers: { ...whole.headers, 'content-encoding': coding }, coding };
}

/** A Function URL calls an answer that says no type JSON, and an edge could take that for the type of what it keeps. */
export function unchanged(headers: Record<string, string>, contentType = 'text/html'): VisitAnswer {
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

/** A signed link to a large file; the link is for this visitor and these seconds. */
export function toMedia(site: ServingRecord, location: string): VisitAnswer {
  return {
    status: 302,
    headers: { ...siteHeaders(site), 'cache-control': 'private, no-store', location },
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

/** What every answer about a project carries. */
export function siteHeaders(site: ServingRecord): Record<string, string> {
  return {
    // The name that S3 gives its metadata: one tag header serves the gate and storage.
    'x-amz-meta-cache-tag': cacheTag(site.projectId),
    'x-content-type-options': 'nosniff',
    ...(site.noIndex ? { 'x-robots-tag': 'noindex' } : {}),
  };
}
