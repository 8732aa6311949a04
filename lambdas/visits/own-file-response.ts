import { daySeconds } from '../../contract/limits.ts';
import { attachmentDisposition } from '../../core/content/content-disposition.ts';
import { contentKey } from '../../core/content/content-keys.ts';
import { mediaType } from '../../core/content/media-type.ts';
import type { Counters } from '../../core/limits/counters.ts';
import type { ContentStore, SiteDirectory } from '../../core/ports.ts';
import type { Addresses } from '../../core/projects/addresses/addresses.ts';
import type { RotatingSecret } from '../../core/secrets/rotating-secret.ts';
import {
  isLeftToStorage,
  isOwnFileLink,
  type OwnFileLink,
  parseOwnFilePath,
} from '../../core/visit/access/own-file-link.ts';
import { rangeAt } from '../../core/visit/file-place.ts';
import {
  type ByteRange,
  ifRangeHolds,
  lengthOf,
  readRange,
} from '../../core/visit/protocol/conditional-request.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { readStored } from '../../core/visit/zip-contents.ts';
import { errorPage, notFoundPage } from '../../web/pages/visitor/refusal-pages.ts';
import type { EdgeRequest } from './edge-request.ts';
import { leftToStorage } from './large-file-response.ts';
import { wantedBytes } from './record-traffic.ts';
import { refusalPage } from './refusal-page.ts';
import { refusalResponse, type VisitResponse } from './response-parts.ts';
import { counted, type StreamedResponse, takeStreamPlace, untilRead } from './stream-response.ts';

/** The dependencies of an owner's download. */
export interface OwnFileDeps {
  brand: string;
  sites: SiteDirectory;
  accessSecret: RotatingSecret;
  addresses: Pick<Addresses, 'downloadHost'>;
  content: Pick<ContentStore, 'get'>;
  counters: Pick<Counters, 'count'>;
}

/**
 * One file for its owner, by a signed link: also of a version that is not live, and whatever the project's
 * status, but not while the project is taken down or deleted, nor once it was archived after the link was made. Its bytes count towards the account's day;
 * those of a large file at the decision, because storage sends it.
 */
export async function ownFileResponse(
  deps: OwnFileDeps,
  request: EdgeRequest,
  now: Date,
): Promise<StreamedResponse> {
  const found = await findOwnFile(deps, request, now);
  if ('status' in found) return found;
  const { link } = found;
  if (isLeftToStorage(link)) return largeFile(deps, request, found, now);
  const range = rangeOf(request, link);
  if (range === 'unsatisfiable')
    return { status: 416, headers: { 'content-range': `bytes */${link.size}` } };
  const part = range === 'whole' ? undefined : range;
  const head = { status: part === undefined ? 200 : 206, headers: headersOf(link, part) };
  if (request.method === 'HEAD') return head;
  if (link.size === 0) return { ...head, text: '' };
  const bytes = part === undefined ? link.size : lengthOf(part);
  const end =
    bytes > soonSentBytes
      ? await takeStreamPlace(deps.counters, request.address, filesAtOnce, now)
      : nothing;
  if (end === undefined) return tooManyPage(deps.brand);
  const giveBack = await takeOfDay(deps.counters, found, bytes, now);
  if (giveBack === undefined) {
    await end();
    return fullDayPage(deps.brand, now);
  }
  let sent = 0;
  const content = counted(readPart(deps.content, link, part), (count) => (sent += count));
  const ended = async () => void (await Promise.all([end(), giveBack(bytes - sent)]));
  return { ...head, bytes: untilRead(content, ended) };
}

/** A file that its owner may download now. */
interface OwnFile extends Pick<ServingRecord, 'ownerId'> {
  link: OwnFileLink;
}

/** The file of a link and its owner, or the page that says why there is none. */
async function findOwnFile(
  { brand, sites, accessSecret, addresses }: OwnFileDeps,
  { path, host, urlPath }: EdgeRequest,
  now: Date,
): Promise<VisitResponse | OwnFile> {
  // Only at the download host: at the host of a site, the file would have the site's origin, and
  // its pages could run it.
  const claimed = host === addresses.downloadHost ? parseOwnFilePath(path) : undefined;
  // Read first: the directory refreshes the secret.
  const site = claimed && (await sites.get(claimed.link.host));
  if (claimed === undefined || !isOwnFileLink(accessSecret, claimed, now)) return endedPage(brand);
  // Of another object, no 416 may reach the edge: it would ask storage for that one.
  if (urlPath !== requestedObject(claimed.link)) return endedPage(brand);
  if (site?.projectId !== claimed.link.projectId) return endedPage(brand);
  const refusal = refuseLink(site, claimed.link);
  if (refusal === undefined) return { link: claimed.link, ownerId: site.ownerId };
  const { status, page } = refusalPage({ brand, domainId: null }, refusal, '/');
  return refusalResponse(status, page);
}

/** Why a link gives nothing now. Pure. */
function refuseLink({ takenDown, archivedAt }: ServingRecord, link: OwnFileLink) {
  if (takenDown) return { kind: 'withheld' } as const;
  const isArchivedSince = archivedAt !== null && Date.parse(archivedAt) > link.madeAt;
  return isArchivedSince ? ({ kind: 'missing', what: 'site' } as const) : undefined;
}

/** What the edge asks storage for at the link's address, if it does. */
function requestedObject(link: OwnFileLink): string {
  return isLeftToStorage(link) ? `/${link.projectId}/${link.location}` : '/';
}

/**
 * A file up to this size fits into buffers, so a slow reader does not keep a function busy, and it
 * needs no place. An export has many such files.
 */
const soonSentBytes = 64 * 1024;
/** An export loads several files at once. */
const filesAtOnce = 6;
const nothing = async () => {};

/** Shown for a download link that has ended. */
function endedPage(brand: string): VisitResponse {
  const title = 'This download link has ended';
  const text =
    'It worked for a limited time. Go back to the files of the project, and download again.';
  return refusalResponse(404, errorPage({ brand, status: 404, title, text }));
}

/** The bytes at a place do not change while a link to it works. */
function etagOf({ location, offset = 0 }: OwnFileLink): string {
  return `"${location}:${offset}"`;
}

function rangeOf({ conditions }: EdgeRequest, link: OwnFileLink) {
  const current = { etag: etagOf(link), lastModified: new Date(0) };
  const isSame = ifRangeHolds(conditions.ifRange, current);
  return readRange(isSame ? conditions.range : undefined, link.size);
}

/**
 * The file may have any type, but the browser saves it and does not run it. A streamed response has
 * no `Content-Length`.
 */
function headersOf(link: OwnFileLink, part: ByteRange | undefined) {
  const { name, size } = link;
  return {
    'content-type': mediaType(name),
    'content-disposition': attachmentDisposition(name),
    ...(part !== undefined && { 'content-range': `bytes ${part.first}-${part.last}/${size}` }),
    'content-security-policy': 'sandbox',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    etag: etagOf(link),
    'x-robots-tag': 'noindex',
  };
}

/**
 * Counts bytes against the account's day before they are sent. Returns a function that subtracts
 * bytes that were not sent; `undefined` if they exceed the day's limit.
 */
async function takeOfDay(
  counters: Pick<Counters, 'count'>,
  { link, ownerId }: OwnFile,
  bytes: number,
  now: Date,
): Promise<((bytes: number) => Promise<unknown>) | undefined> {
  if (link.bytesOfDay === -1) return nothing;
  const key = `own-file-bytes#${ownerId}`;
  const giveBack = async (unsent: number) =>
    unsent > 0 ? counters.count(key, daySeconds, now, -unsent) : undefined;
  if ((await counters.count(key, daySeconds, now, bytes)) <= link.bytesOfDay) return giveBack;
  await giveBack(bytes);
  return undefined;
}

function fullDayPage(brand: string, now: Date): VisitResponse {
  const seconds = Math.ceil(daySeconds - ((now.getTime() / 1000) % daySeconds));
  return tooMany(brand, seconds, {
    title: 'Enough downloads for today',
    text: 'This account has downloaded as much of its own files today as it may: five times the storage of its plan. The next day begins at 00:00 UTC.',
  });
}

/** By then one of several downloads may have ended. */
const waitSeconds = 5;

function tooManyPage(brand: string): VisitResponse {
  return tooMany(brand, waitSeconds, {
    title: 'Too many downloads',
    text: `Several downloads from your network are still running. Wait ${waitSeconds} seconds, then try again.`,
  });
}

function tooMany(
  brand: string,
  seconds: number,
  texts: { title: string; text: string },
): VisitResponse {
  const response = refusalResponse(429, errorPage({ brand, status: 429, ...texts }));
  return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } };
}

/** The page for a file that does not exist any more. */
export function missingFile(brand: string): VisitResponse {
  return refusalResponse(404, notFoundPage({ brand, kind: 'file' }));
}

/** A file that storage sends. */
async function largeFile(
  { brand, counters }: OwnFileDeps,
  { method, viewer }: EdgeRequest,
  found: OwnFile,
  now: Date,
): Promise<VisitResponse> {
  const { size } = found.link;
  // Storage sends the whole file if it has another validator.
  const wanted = viewer.ifRange === undefined ? wantedBytes(viewer.range, size) : size;
  const bytes = method === 'HEAD' ? 0 : wanted;
  if ((await takeOfDay(counters, found, bytes, now)) === undefined) return fullDayPage(brand, now);
  return { status: leftToStorage, headers: { 'cache-control': 'private, no-store' } };
}

function readPart(
  content: Pick<ContentStore, 'get'>,
  { projectId, location, offset, size }: OwnFileLink,
  part: ByteRange = { first: 0, last: size - 1 },
): AsyncGenerator<Uint8Array> {
  const place = { key: contentKey(projectId, location), size, offset };
  const range = rangeAt(place, part) ?? part;
  return readStored({ key: place.key, range }, (key, piece) => content.get(key, piece));
}
