import { daySeconds } from '../../contract/limits.ts';
import { secondsLeft } from '../../core/instants.ts';
import type { Counters } from '../../core/limits/counters.ts';
import type { SiteDirectory } from '../../core/ports.ts';
import type { Addresses } from '../../core/projects/addresses/addresses.ts';
import type { RotatingSecret } from '../../core/secrets/rotating-secret.ts';
import {
  isLeftToStorage,
  isOwnFileLink,
  type OwnFileLink,
  type OwnZipLink,
  parseOwnFilePath,
} from '../../core/visit/access/own-file-link.ts';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { errorPage } from '../../web/pages/visitor/refusal-pages.ts';
import type { EdgeRequest } from './edge-request.ts';
import { leftToStorage } from './large-file-response.ts';
import { type Part, type PartDeps, partOfFile, zipOfVersion } from './own-file-part.ts';
import { wantedBytes } from './record-traffic.ts';
import { refusalPage } from './refusal-page.ts';
import { refusalResponse, type VisitResponse } from './response-parts.ts';
import { countDownload } from './zip-response.ts';
import { counted, type StreamedResponse, takeStreamPlace, untilRead } from './stream-response.ts';
import { withRetryAfter } from '../http/with-headers.ts';

/** The dependencies of an owner's download. */
export interface OwnFileDeps extends PartDeps {
  sites: SiteDirectory;
  accessSecret: RotatingSecret;
  addresses: Pick<Addresses, 'downloadHost'>;
  counters: Pick<Counters, 'count'>;
}

/**
 * One file, or all files of a version as a ZIP, for their owner, by a signed link: also of a version that is not
 * live, and whatever the project's status, but not while the project is taken down or deleted, nor once it was
 * archived after the link was made. Its bytes count towards the account's day; those of a large file at the
 * decision, because storage sends it.
 */
export async function ownFileResponse(
  deps: OwnFileDeps,
  request: EdgeRequest,
  now: Date,
): Promise<StreamedResponse> {
  const found = await findOwned(deps, request, now);
  if ('status' in found) return found;
  const { link, site } = found;
  const isZip = 'version' in link;
  if (!isZip && isLeftToStorage(link)) return largeFile(deps, request, { ...found, link }, now);
  const tooMany =
    isZip && request.method !== 'HEAD' ? await countDownload(deps, request, now) : undefined;
  if (tooMany !== undefined) return tooMany;
  const part = isZip ? await zipOfVersion(deps, site, link) : partOfFile(deps, request, link);
  return sendOwned(deps, request, { found, part }, now);
}

/** Sends a part while a place and the account's day have room for it. */
async function sendOwned(
  deps: OwnFileDeps,
  request: EdgeRequest,
  { found, part }: { found: Owned; part: Part | VisitResponse },
  now: Date,
): Promise<StreamedResponse> {
  if (!('content' in part)) return part;
  const { size, content, ...head } = part;
  if (request.method === 'HEAD') return head;
  if (size === 0) return { ...head, text: '' };
  const end =
    size > soonSentBytes
      ? await takeStreamPlace(deps.counters, request.address, filesAtOnce, now)
      : nothing;
  if (end === undefined) return tooManyPage(deps.brand);
  const giveBack = await takeOfDay(deps.counters, found, size, now);
  if (giveBack === undefined) {
    await end();
    return fullDayPage(deps.brand, now);
  }
  let sent = 0;
  const counting = counted(content(), (count) => (sent += count));
  const ended = async () => void (await Promise.all([end(), giveBack(size - sent)]));
  return { ...head, bytes: untilRead(counting, ended) };
}

interface Owned {
  link: OwnFileLink | OwnZipLink;
  site: ServingRecord;
}

/** What a link gives, or the page that says why it gives nothing. */
async function findOwned(
  { brand, sites, accessSecret, addresses }: OwnFileDeps,
  { path, host, urlPath }: EdgeRequest,
  now: Date,
): Promise<VisitResponse | Owned> {
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
  if (refusal === undefined) return { link: claimed.link, site };
  const { status, page } = refusalPage({ brand, domainId: null }, refusal, '/');
  return refusalResponse(status, page);
}

/** Why a link gives nothing now. Pure. */
function refuseLink({ takenDown, archivedAt }: ServingRecord, link: Owned['link']) {
  if (takenDown) return { kind: 'withheld' } as const;
  const isArchivedSince = archivedAt !== null && Date.parse(archivedAt) > link.madeAt;
  return isArchivedSince ? ({ kind: 'missing', what: 'site' } as const) : undefined;
}

/** What the edge asks storage for at the link's address, if it does. */
function requestedObject(link: Owned['link']): string {
  return 'location' in link && isLeftToStorage(link) ? `/${link.projectId}/${link.location}` : '/';
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

/**
 * Counts bytes against the account's day before they are sent. Returns a function that subtracts
 * bytes that were not sent; `undefined` if they exceed the day's limit.
 */
async function takeOfDay(
  counters: Pick<Counters, 'count'>,
  { link, site: { ownerId } }: Owned,
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
  return tooMany(brand, secondsLeft(daySeconds, now), {
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
  return withRetryAfter(response, seconds);
}

async function largeFile(
  { brand, counters }: OwnFileDeps,
  { method, viewer }: EdgeRequest,
  found: Owned & { link: OwnFileLink },
  now: Date,
): Promise<VisitResponse> {
  const { size } = found.link;
  // Storage sends the whole file if it has another validator.
  const wanted = viewer.ifRange === undefined ? wantedBytes(viewer.range, size) : size;
  const bytes = method === 'HEAD' ? 0 : wanted;
  if ((await takeOfDay(counters, found, bytes, now)) === undefined) return fullDayPage(brand, now);
  return { status: leftToStorage, headers: { 'cache-control': 'private, no-store' } };
}
