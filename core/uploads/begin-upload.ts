import type { Caller, MaybeAccountCaller } from '../caller.ts';
import { uploadPartBytes } from '../../contract/operations/uploads.ts';
import type { Plans } from '../accounts/account.ts';
import { nextStepOf, type UploadLimits } from '../content/prepare-upload.ts';
import { checkNames, withoutTopFolder } from '../content/checked-names.ts';
import { siftPaths } from '../content/left-out/sift-paths.ts';
import { CodedError } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import { countByAddress } from '../limits/address-limits.ts';
import type { Counters } from '../limits/counters.ts';
import { writtenBytes } from '../limits/written-bytes.ts';
import { effectiveLimits } from '../projects/quota.ts';
import { type TempLimits, uploadLimits } from '../projects/publishing/upload-limits.ts';
import { beginCalls, limitAnnouncedFiles, limitStorageCalls } from './storage-calls.ts';
import { createReserved, newUpload } from './new-upload.ts';
import { type AnnouncedFile, partCount, type UploadArea, type UploadStore } from './upload.ts';

/** How long the URLs of an upload accept its bytes. */
const waitingSeconds = 3600;
/**
 * Room for one signed URL. Most of it is the session token with which a function signs: AWS STS
 * documents no maximum; those of functions have up to 1,400 characters.
 */
const urlBytes = 2300;
/** A function's response has at most 6 MB (AWS Lambda quota); the difference is for other fields. */
const maxAnswerBytes = 6_000_000;
/** A PUT that began before the expiry may still run for this long. */
const putGraceSeconds = 15 * 60;

/** The dependencies for beginning an upload. */
export interface BeginUploadDeps {
  uploads: Pick<UploadStore, 'create'>;
  area: Pick<UploadArea, 'open'>;
  counters: Counters;
  plans: Plans;
  tempLimits: TempLimits;
  /** The most URLs that fit into a response. */
  maxParts: number;
  now(): Date;
}

/** The files that the caller is going to send, or the size of one ZIP; and whether large ones have a URL for each part. */
export interface Announcement {
  inParts?: boolean | undefined;
  files?: readonly AnnouncedFile[] | undefined;
  archive?: { size: number } | undefined;
}

/** The name of a ZIP's only part. */
const archiveName = 'archive.zip';

/** The files that are sent: those that were named, or one ZIP. */
export function announcedFiles({ files, archive }: Announcement): readonly AnnouncedFile[] {
  return files ?? [{ path: archiveName, size: archive?.size ?? 0 }];
}

/**
 * Returns signed URLs for an upload within the caller's limits. Nothing is public before it is
 * published. Until it ends, its bytes count toward the account's limit of staged bytes.
 * @throws CodedError INVALID_REQUEST, FILE_TYPE_REFUSED, TOO_MANY_FILES, PAYLOAD_TOO_LARGE, STORAGE_LIMIT_REACHED, RATE_LIMITED
 */
export async function beginUpload(
  deps: BeginUploadDeps,
  caller: MaybeAccountCaller,
  announcement: Announcement,
) {
  const { files } = announcement;
  const now = deps.now();
  if (caller.account === undefined) await countAnonymousUpload(deps, caller, now);
  const announced = announcedFiles(announcement);
  const partBytes = announcement.inParts === true ? uploadPartBytes : Number.POSITIVE_INFINITY;
  checkAnnouncedSize(announced, uploadLimitsFor(deps, caller, now), maxUrlsFor(deps, caller));
  const urlCount = checkUrls(announced, partBytes);
  const named = files === undefined ? announced : checkFiles(announced);
  await limitStorageCalls(deps, caller, { ...beginCalls, files: named.length }, now);
  await limitAnnouncedFiles(deps, caller, urlCount, now);
  const kind = files === undefined ? 'archive' : 'files';
  const size = { fileCount: named.length, bytes: sum(named, ({ size }) => size) };
  const expiresAt = instant(plusSeconds(now, waitingSeconds));
  const upload = newUpload(caller, { kind, ...size, createdAt: instant(now), expiresAt });
  const { uploadId } = upload;
  const { account } = caller;
  const max = account && effectiveLimits(deps.plans, account, now).maxStorageBytes;
  const dueAt = instant(plusSeconds(new Date(expiresAt), putGraceSeconds));
  const staged = account && writtenBytes(deps, { ...caller, account }, 'staged');
  await createReserved(deps.uploads, upload, { dueAt, maxStagedBytes: max ?? -1, staged });
  const urls = await deps.area.open(uploadId, named, { until: new Date(expiresAt), partBytes });
  const parts = urls.map(({ index, url, offset, size }) => {
    const { path = '', size: fileBytes } = named[index] ?? {};
    return { path, method: 'PUT' as const, url, ...(size !== fileBytes && { offset, size }) };
  });
  return { uploadId, expiresAt, parts };
}

/** Refused attempts count too, together with those of uploads in a request. */
async function countAnonymousUpload(
  { counters, tempLimits }: BeginUploadDeps,
  caller: Caller,
  now: Date,
) {
  const { attempts, largeUploads } = tempLimits;
  const requests = { name: 'temp-attempts', rule: attempts, what: 'attempts' };
  await countByAddress(counters, caller, requests, now);
  const uploads = { name: 'temp-begun', rule: largeUploads, what: 'large uploads' };
  await countByAddress(counters, caller, uploads, now);
}

/** The limits of one upload of the caller. */
function uploadLimitsFor(
  { plans, tempLimits }: Pick<BeginUploadDeps, 'plans' | 'tempLimits'>,
  { account }: MaybeAccountCaller,
  now: Date,
): UploadLimits {
  return account === undefined ? tempLimits : uploadLimits(effectiveLimits(plans, account, now));
}

/** Each URL is a paid call: strangers get no more than may be published. */
function maxUrlsFor(
  { maxParts, tempLimits }: Pick<BeginUploadDeps, 'maxParts' | 'tempLimits'>,
  { account }: MaybeAccountCaller,
): number {
  return account === undefined ? Math.min(maxParts, tempLimits.maxParts) : maxParts;
}

/** Files that will be left out do not count toward the plan's limit. */
function checkAnnouncedSize(
  files: readonly AnnouncedFile[],
  limits: UploadLimits,
  maxUrls: number,
): void {
  const { kept } = siftPaths(files.map(({ path }) => path));
  const isOverPlan = kept.length > Math.min(limits.maxParts, maxUrls);
  const count = isOverPlan ? kept.length : files.length;
  const maxCount = isOverPlan ? Math.min(limits.maxParts, maxUrls) : maxUrls;
  if (count > maxCount) {
    throw new CodedError('TOO_MANY_FILES', {
      error: `The upload has ${count} files; at most ${maxCount} can be sent one by one.`,
      nextStep: sendZip,
    });
  }
  const bytes = sum(files, ({ size }) => size);
  if (bytes > limits.maxBytes) {
    throw new CodedError('PAYLOAD_TOO_LARGE', {
      error: `The upload has ${bytes} bytes; one upload can have at most ${limits.maxBytes}.`,
      ...nextStepOf(limits),
    });
  }
}

/** How many URLs an upload has. @throws CodedError TOO_MANY_FILES where they do not fit into one response */
function checkUrls(files: readonly AnnouncedFile[], partBytes: number): number {
  const counted = files.map((file) => ({ ...file, urls: partCount(file, partBytes) }));
  const bytes = sum(counted, ({ urls, ...file }) => urls * answerBytes(file, urls > 1));
  if (bytes <= maxAnswerBytes) return sum(counted, ({ urls }) => urls);
  throw new CodedError('TOO_MANY_FILES', {
    error: `The signed URLs of ${files.length} files with paths this long do not fit into one response.`,
    nextStep: `${sendZip} Or give the files shorter paths.`,
  });
}

const sendZip = 'Send one ZIP as `archive`: it may hold as many files as the plan allows.';

/** The most that one URL adds to the response. */
function answerBytes({ path, size }: AnnouncedFile, isPart: boolean): number {
  return (
    urlBytes + sentBytes({ path, method: 'PUT', url: '', ...(isPart && { offset: size, size }) })
  );
}

function sum<T>(all: readonly T[], sizeOf: (one: T) => number): number {
  return all.reduce((total, one) => total + sizeOf(one), 0);
}

/** Refuses names here that are refused when the upload is published: its bytes would be sent in vain. */
function checkFiles(files: readonly AnnouncedFile[]): AnnouncedFile[] {
  const paths = checkNames(files.map(({ path }) => path));
  const { kept, topFolder } = siftPaths(paths);
  withoutTopFolder(kept, topFolder);
  return files.map(({ size }, at) => ({ path: paths[at] ?? '', size }));
}

/**
 * The bytes of a value in a response of the API: its body is a JSON string inside the JSON that a
 * function returns to API Gateway, so its quotes are escaped once more.
 */
export function sentBytes(part: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(part)));
}
