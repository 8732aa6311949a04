import { isHtml, typeOfFile } from '../content/media-type.ts';
import { innerType, type StoredCoding } from '../content/stored-coding.ts';
import { type HeadAddresses, pageHeadFor, type PageHead } from '../page-edits/page-head.ts';
import type { RedirectStatus, SiteFields } from '../site-rules/site-rules.ts';
import {
  type ByteRange,
  etagOf,
  evaluatePreconditions,
  ifRangeHolds,
  readRange,
} from './protocol/conditional-request.ts';
import { chooseEncoding, type Coding } from './protocol/content-coding.ts';
import { isOpenToOrigins } from './cross-origin.ts';
import { routeToCleanAddress } from './clean-address.ts';
import type { FileEntry, Manifest } from './manifest.ts';
import type { Refusal } from './refuse-visit.ts';
import type { MissingStatus, SiteFile, VisitorRequest } from './route-visit.ts';
import { isSingleFile, type ServingRecord } from './serving-record.ts';

/** Storage sends larger responses: the gate's have at most 6 MB, in base64 (AWS Lambda quota). */
export const maxInlineBytes = 4 * 1024 * 1024;

/** A file to send. */
export interface ServedFile {
  path: string;
  entry: FileEntry;
  contentType: string;
  /** How its head is edited before it is sent. The length of the edited page is not known in advance. */
  head?: PageHead;
  /** Whether those who open it get another head than scripts that load it. */
  variesByView?: true;
  /** How the whole file is compressed before it is sent; a range never is. */
  coding?: Coding;
  /** Its bytes were compressed before they were published, and are sent so. */
  storedCoding?: StoredCoding;
  /** Its stored brotli form is sent. */
  isBrotli?: true;
  /** Whether pages of other origins may read it, as its site's rules do not say. */
  isOpen?: true;
  /** Headers that the site's own rules add to the response. */
  fields?: SiteFields;
}

/**
 * The decision for one request.
 *
 * `rangeField` is the Range header of a request for a page whose head is edited: its byte positions
 * are those of the edited page. A `large-file` has an address of its own, where storage sends it.
 */
export type Decision =
  | Refusal
  | { kind: 'preview-ended' }
  /** The page is the next open of a share link, which must be counted before it is shown. */
  | { kind: 'new-open' }
  | { kind: 'redirect'; location: string; status: RedirectStatus; keepsQuery: boolean }
  | { kind: 'not-found-page'; status: MissingStatus; file: ServedFile }
  | { kind: 'to-viewer' }
  | { kind: 'listing'; folder: string }
  | { kind: 'single-file-page'; path: string; entry: FileEntry }
  | { kind: 'large-file'; file: ServedFile }
  | { kind: 'not-modified'; file: ServedFile }
  | { kind: 'precondition-failed' }
  | { kind: 'unsatisfiable'; size: number }
  | { kind: 'file'; file: ServedFile; range?: ByteRange; rangeField?: string };

/**
 * Decides the response to one request of a visitor who may see the site. Pure.
 *
 * @param heads addresses for edited heads; without it pages stay unchanged
 */
export function decideVisit(
  site: ServingRecord,
  files: Manifest,
  visit: VisitorRequest,
  heads?: HeadAddresses,
): Decision {
  const route = routeToCleanAddress(site, files, visit);
  switch (route.kind) {
    case 'missing':
      return missingFile(route.status);
    case 'file':
      return isPageOnly(site, visit)
        ? { kind: 'to-viewer' }
        : decideFile(site, withHead(site, servedFile(site, route, visit), visit, heads), visit);
    case 'not-found-page':
      return decideNotFoundPage(
        withHead(site, servedFile(site, route, visit), visit, heads),
        route.status,
        visit,
      );
    case 'single-file-page':
    case 'redirect':
    case 'listing':
      return route;
  }
}

/** With `disableDownloads`, a navigation to the file's own address is redirected to its viewer page. */
function isPageOnly(site: ServingRecord, { fetch }: VisitorRequest): boolean {
  return isSingleFile(site) && site.disableDownloads && fetch.dest === 'document';
}

function servedFile(
  site: ServingRecord,
  { file, fields }: { file: SiteFile; fields: SiteFields },
  { path: urlPath }: VisitorRequest,
): ServedFile {
  const { path, entry } = file;
  const stored = storedForm(site, path, { entry, fields });
  const contentType = stored?.type ?? typeOfFile(path, entry);
  const isOpen = isOpenToOrigins(site, { urlPath, contentType, fields });
  return {
    path,
    entry,
    contentType,
    fields,
    ...(isOpen && { isOpen }),
    ...(stored !== undefined && { storedCoding: stored.coding }),
  };
}

/** A file that was compressed before it was published, where a page loads it as what it contains. */
function storedForm(
  { home }: ServingRecord,
  path: string,
  { entry: { coding }, fields }: { entry: FileEntry; fields: SiteFields },
): { type: string | undefined; coding: StoredCoding } | undefined {
  if (home === null || coding === undefined) return undefined;
  const type = innerType(path);
  const isNamed = fields.get('content-encoding') === coding;
  return type === undefined && !isNamed ? undefined : { type, coding };
}

/** Both count: browsers write violations to the console even if the policy only reports them. */
export const policyHeaders = ['content-security-policy', 'content-security-policy-report-only'];

/** Only pages that the gate sends itself can be edited. */
function withHead(
  site: ServingRecord,
  file: ServedFile,
  visit: VisitorRequest,
  heads: HeadAddresses | undefined,
): ServedFile {
  const { path, entry } = file;
  if (heads === undefined || !isHtml(path)) return file;
  if (entry.size === 0 || entry.size > maxInlineBytes) return file;
  const policies = policyHeaders.flatMap((name) => file.fields?.get(name) ?? []);
  const head = pageHeadFor(site, { file: path, urlPath: visit.path, policies }, heads);
  if (head === undefined) return file;
  // Scripts compare a page with a hash, or put it into another page.
  return { ...file, variesByView: true, ...(visit.isPageView && { head }) };
}

/** Conditions first, then the range (RFC 9110 §13.2.2). */
function decideFile(site: ServingRecord, found: ServedFile, visit: VisitorRequest): Decision {
  const { conditions } = visit;
  const { size } = found.entry;
  const requested = readRange(conditions.range, size);
  // Storage made the validator of a range of a large file, and compares it.
  const range = size > maxInlineBytes && conditions.ifRange !== undefined ? 'whole' : requested;
  // A range, and the conditions on it, apply to the uncompressed bytes.
  const file = range === 'whole' ? withCoding(found, visit) : found;
  if (sentBytes(file) > maxInlineBytes) return { kind: 'large-file', file };
  const current = { etag: etagOf(file), lastModified: new Date(site.publishedAt) };
  const evaluation = evaluatePreconditions(conditions, current);
  if (evaluation === 'failed') return { kind: 'precondition-failed' };
  if (evaluation === 'not-modified') return { kind: 'not-modified', file };
  const whole = { kind: 'file', file } as const;
  if (range === 'whole' || !ifRangeHolds(conditions.ifRange, current)) return whole;
  if (file.head !== undefined) return { kind: 'file', file, rangeField: conditions.range ?? '' };
  return range === 'unsatisfiable' ? { kind: 'unsatisfiable', size } : { ...whole, range };
}

/** Files that shrink get a brotli form at publishing; small ones, and pages with another head, by the gate. */
function withCoding(file: ServedFile, { acceptEncoding }: VisitorRequest): ServedFile {
  if (file.storedCoding !== undefined) return file;
  const { size, brotliBytes } = file.entry;
  const coding = chooseEncoding(acceptEncoding, file.contentType, size);
  if (coding === undefined) return file;
  if (brotliBytes !== undefined && coding === 'br' && file.head === undefined) {
    return { ...file, coding, isBrotli: true };
  }
  return size <= maxInlineBytes ? { ...file, coding } : file;
}

/** How many bytes a response with the whole file has, at most. */
export function sentBytes({ entry: { size, brotliBytes }, isBrotli }: ServedFile): number {
  return isBrotli === true && brotliBytes !== undefined ? brotliBytes : size;
}

/** Sent whole: conditions and ranges apply to the file that was requested (RFC 9110 §13.2.1, §14.2). */
function decideNotFoundPage(
  page: ServedFile,
  status: MissingStatus,
  visit: VisitorRequest,
): Decision {
  if (page.entry.size > maxInlineBytes) return missingFile(status);
  return { kind: 'not-found-page', status, file: withCoding(page, visit) };
}

function missingFile(status: MissingStatus): Decision {
  return { kind: 'missing', what: 'file', ...(status === 410 && { isGone: true as const }) };
}
