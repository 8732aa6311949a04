import { isHtml, mediaType } from '../content/media-type.ts';
import { headStamp, type PageHead } from '../page-edits/page-head.ts';
import type { RedirectStatus } from '../site-rules/parse-redirects.ts';
import type { SiteFields } from '../site-rules/fields-for.ts';
import type { Entrant } from './access/access-token.ts';
import { type ByteRange, lengthOf, readRange } from './protocol/byte-range.ts';
import { chooseEncoding, type Coding } from './protocol/choose-encoding.ts';
import type { FileEntry, Manifest } from './manifest.ts';
import { evaluatePreconditions, ifRangeHolds } from './protocol/preconditions.ts';
import { type Located, routeVisit } from './route-visit.ts';
import { isSingleFile, type ServingRecord } from './serving-record.ts';
import type { FetchMetadata, Visit } from './visit.ts';

/** Files above this are fetched from storage by a signed link: a function answers at most 6 MB, as base64 (AWS Lambda quota). */
export const maxInlineBytes = 4 * 1024 * 1024;

/** A file to send: which one, and under which type. */
export interface ServedFile {
  path: string;
  entry: FileEntry;
  contentType: string;
  /** What is put into its head on its way; how long it is then is known only once that is done. */
  head?: PageHead;
  /** How it is packed on its way; never a part of it. */
  coding?: Coding;
  /** What the site's own rules put on the answer. */
  fields?: SiteFields;
}

/**
 * What a visitor gets; the response is made from this and nothing else.
 *
 * `rangeField` is of a page whose head is edited: which bytes it means is known once that is done.
 */
export type Decision =
  | { kind: 'missing'; what: 'site' | 'file' }
  | { kind: 'gone' }
  | { kind: 'withheld' }
  | { kind: 'resting' }
  | { kind: 'locked'; ask: 'password' | 'owner' }
  | { kind: 'preview-ended' }
  | { kind: 'redirect'; location: string; status: RedirectStatus; withQuery: boolean }
  | { kind: 'not-found-page'; file: ServedFile }
  | { kind: 'to-viewer' }
  | { kind: 'listing'; folder: string }
  | { kind: 'offer'; path: string; entry: FileEntry }
  | { kind: 'media'; file: ServedFile }
  | { kind: 'not-modified'; file: ServedFile }
  | { kind: 'precondition-failed' }
  | { kind: 'unsatisfiable'; size: number }
  | { kind: 'file'; file: ServedFile; range?: ByteRange; isPiece?: true; rangeField?: string };

/**
 * Why nobody gets anything of this site now, or `undefined`. Needs no manifest.
 *
 * Order matters: a dead link answers 410 before any password is asked for, so an expired page
 * never tells a stranger that it used to be protected.
 */
export function refuseVisit(
  site: ServingRecord | undefined,
  entrant: Entrant,
  now: Date,
): Decision | undefined {
  if (site === undefined || site.archivedAt !== null) return { kind: 'missing', what: 'site' };
  if (isExpired(site, now)) return { kind: 'gone' };
  if (site.takenDown) return { kind: 'withheld' };
  if (site.status === 'private') return { kind: 'missing', what: 'site' };
  if (site.restingUntil !== null && Date.parse(site.restingUntil) > now.getTime()) {
    return { kind: 'resting' };
  }
  return isLetIn(site, entrant) ? undefined : { kind: 'locked', ask: asks(site) };
}

function isLetIn({ access }: ServingRecord, entrant: Entrant): boolean {
  if (access === 'public' || entrant === 'owner') return true;
  return access === 'password' && entrant === 'visitor';
}

/** Without a password there is none to ask for. */
function asks({ access, passwordStamp }: ServingRecord): 'password' | 'owner' {
  return access === 'password' && passwordStamp !== null ? 'password' : 'owner';
}

/** What a visitor whom nothing keeps out gets for one request. Pure: nothing is read. */
export function decideVisit(site: ServingRecord, files: Manifest, visit: Visit): Decision {
  const route = routeVisit(site, files, visit);
  switch (route.kind) {
    case 'missing':
      return { kind: 'missing', what: 'file' };
    case 'file':
      return isKeptToItsPage(site, visit)
        ? { kind: 'to-viewer' }
        : decideFile(site, served(route), visit);
    case 'not-found-page':
      return notFoundPage(served(route), visit);
    case 'offer':
    case 'redirect':
    case 'listing':
      return route;
  }
}

/** Answered whole: conditions and ranges are for what was asked for (RFC 9110 §13.2.1, §14.2). */
function notFoundPage(file: ServedFile, visit: Visit): Decision {
  if (file.entry.size > maxInlineBytes) return { kind: 'missing', what: 'file' };
  return { kind: 'not-found-page', file: encoded(withHead(file, visit), visit) };
}

/** Whether the project's time is over; the exact instant already is over. */
function isExpired(site: Pick<ServingRecord, 'expiresAt'>, now: Date): boolean {
  return site.expiresAt !== null && Date.parse(site.expiresAt) <= now.getTime();
}

/** The strong ETag of a file as it is sent; with another head, or packed, it is another (RFC 9110 §8.8.3.3). */
export function etagOf({
  entry,
  head,
  coding,
}: Pick<ServedFile, 'entry' | 'head' | 'coding'>): string {
  const stamp = head === undefined ? undefined : headStamp(head);
  return `"${[entry.hash, stamp, coding].filter((part) => part !== undefined).join('-')}"`;
}

function served({ file, fields }: { file: Located; fields: SiteFields }): ServedFile {
  const { path, entry } = file;
  return { path, entry, contentType: mediaType(path), fields };
}

/** Nothing keeps a file that is shown from being saved; its address alone leads to the page that shows it. */
function isKeptToItsPage(site: ServingRecord, { fetch }: Visit): boolean {
  return isSingleFile(site) && site.disableDownloads && fetch.dest === 'document';
}

/** Its head is edited where it is a page that is sent by us. */
function withHead(file: ServedFile, visit: Visit): ServedFile {
  const { path, entry } = file;
  if (!isHtml(path) || entry.size === 0 || entry.size > maxInlineBytes) return file;
  const head = visit.headOf?.(path);
  return head === undefined ? file : { ...file, head };
}

/** Packed as the visitor likes it best, where that is worth it. */
function encoded(file: ServedFile, { acceptEncoding }: Visit): ServedFile {
  const { size } = file.entry;
  if (size > maxInlineBytes) return file;
  const coding = chooseEncoding(acceptEncoding, file.contentType, size);
  return coding === undefined ? file : { ...file, coding };
}

function decideFile(site: ServingRecord, found: ServedFile, visit: Visit): Decision {
  const { conditions } = visit;
  const range = readRange(conditions.range, found.entry.size);
  const page = withHead(found, visit);
  // A part is of bytes that are not packed, and so are the conditions on it.
  const file = range === 'whole' ? encoded(page, visit) : page;
  const current = { etag: etagOf(file), lastModified: new Date(site.publishedAt) };
  const evaluation = evaluatePreconditions(conditions, current);
  if (evaluation === 'failed') return { kind: 'precondition-failed' };
  if (evaluation === 'not-modified') return { kind: 'not-modified', file };
  const whole = { kind: file.entry.size > maxInlineBytes ? 'media' : 'file', file } as const;
  if (range === 'whole' || !ifRangeHolds(conditions.ifRange, current)) return whole;
  if (file.head !== undefined) return { kind: 'file', file, rangeField: conditions.range ?? '' };
  if (range === 'unsatisfiable') return { kind: 'unsatisfiable', size: file.entry.size };
  if (lengthOf(range) <= maxInlineBytes) return { kind: 'file', file, range };
  return isPlayer(visit.fetch) ? firstPiece(file, range) : { kind: 'media', file };
}

/** A media element asks for what it lacks when it gets less than it asked for; nothing else is sure to. */
function isPlayer({ dest }: FetchMetadata): boolean {
  return dest === 'audio' || dest === 'video';
}

/** The first of a range that is too long for one answer (RFC 9110 §14.4 says which bytes it holds). */
function firstPiece(file: ServedFile, { first }: ByteRange): Decision {
  const range = { first, last: first + maxInlineBytes - 1 };
  return { kind: 'file', file, range, isPiece: true };
}
