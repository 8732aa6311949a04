import { randomUUID } from 'node:crypto';
import type { Caller, MaybeAccountCaller } from '../caller.ts';
import { type Plans } from '../accounts/account.ts';
import { nextStepOf, type UploadLimits } from '../content/prepare-upload.ts';
import { checkNames, withoutTopFolder } from '../content/checked-names.ts';
import { CodedError } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import { callerKey } from '../limits/caller-key.ts';
import { type Counters, countAttempt } from '../limits/counters.ts';
import { effectiveLimits } from '../projects/quota.ts';
import { type TempLimits, uploadLimits } from '../projects/publishing/upload-limits.ts';
import { sentBytes } from '../sent-bytes.ts';
import { beginCalls, limitStorageCalls } from './get-upload.ts';
import {
  type AnnouncedFile,
  type LargeUpload,
  type UploadArea,
  UploadId,
  type UploadStore,
} from './upload.ts';

/** How long the URLs of an upload accept its bytes. */
const waitingSeconds = 3600;
/**
 * Room for one signed URL. Most of it is the token of the session with which a function signs; STS
 * names no size, tokens of functions have up to 1,400 characters.
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

/** The files that the caller is going to send, or the size of one ZIP. */
export interface Announcement {
  files?: readonly AnnouncedFile[] | undefined;
  archive?: { size: number } | undefined;
}

/** The name of a ZIP's only part. */
const archiveName = 'archive.zip';

/**
 * Returns signed URLs for an upload within the caller's limits. Nothing is public before it is
 * published. Until it ends, its bytes count toward the account's limit of staged bytes.
 * @throws CodedError INVALID_REQUEST, FILE_TYPE_REFUSED, TOO_MANY_FILES, PAYLOAD_TOO_LARGE, STORAGE_LIMIT_REACHED, RATE_LIMITED
 */
export async function beginUpload(
  deps: BeginUploadDeps,
  caller: MaybeAccountCaller,
  { files, archive }: Announcement,
) {
  const now = deps.now();
  if (caller.account === undefined) await countAnonymousUpload(deps, caller, now);
  const announced = files ?? [{ path: archiveName, size: archive?.size ?? 0 }];
  checkAnnouncedSize(announced, uploadLimitsFor(deps, caller, now), deps.maxParts);
  const named = files === undefined ? announced : checkFiles(announced);
  await limitStorageCalls(deps, caller, { ...beginCalls, files: named.length }, now);
  const upload = newUpload(caller, named, files === undefined ? 'archive' : 'files', now);
  const { uploadId, expiresAt } = upload;
  await createReserved(deps, caller, upload, now);
  const urls = await deps.area.open(uploadId, named, new Date(expiresAt));
  const parts = named.map(({ path }, index) => ({
    path,
    method: 'PUT' as const,
    url: urls[index] ?? '',
  }));
  return { uploadId, expiresAt, parts };
}

/**
 * Writes the upload's row and reserves its bytes before its URLs exist.
 * @throws CodedError STORAGE_LIMIT_REACHED
 */
async function createReserved(
  { uploads, plans }: BeginUploadDeps,
  { account }: MaybeAccountCaller,
  upload: LargeUpload,
  now: Date,
): Promise<void> {
  const max = account === undefined ? -1 : effectiveLimits(plans, account, now).maxStorageBytes;
  const dueAt = instant(plusSeconds(new Date(upload.expiresAt), putGraceSeconds));
  const created = await uploads.create(upload, dueAt, max);
  if (created === 'created') return;
  throw new CodedError('STORAGE_LIMIT_REACHED', {
    error: `Uploads that are not published yet can have at most ${max} bytes together; ${created.stagedBytes} are reserved, and this one has ${upload.bytes}.`,
    nextStep:
      'Publish an upload that you have begun, or wait: an unused upload ends an hour after it was begun and frees its bytes within 20 minutes. Or upgrade to a larger plan.',
  });
}

/** Refused attempts count too, together with those of uploads in a request. */
async function countAnonymousUpload(
  { counters, tempLimits }: BeginUploadDeps,
  caller: Caller,
  now: Date,
) {
  const address = callerKey(caller.address);
  const { attempts, largeUploads } = tempLimits;
  const requests = {
    key: `temp-attempts#${address}`,
    rule: attempts,
    what: 'attempts from one IP address',
  };
  await countAttempt(counters, caller, requests, now);
  const uploads = {
    key: `temp-begun#${address}`,
    rule: largeUploads,
    what: 'large uploads from one IP address',
  };
  await countAttempt(counters, caller, uploads, now);
}

/** The limits of one upload of the caller. */
function uploadLimitsFor(
  { plans, tempLimits }: Pick<BeginUploadDeps, 'plans' | 'tempLimits'>,
  { account }: MaybeAccountCaller,
  now: Date,
): UploadLimits {
  return account === undefined ? tempLimits : uploadLimits(effectiveLimits(plans, account, now));
}

function checkAnnouncedSize(
  files: readonly AnnouncedFile[],
  limits: UploadLimits,
  maxParts: number,
): void {
  const maxCount = Math.min(limits.maxParts, maxParts);
  if (files.length > maxCount) {
    throw new CodedError('TOO_MANY_FILES', {
      error: `The upload has ${files.length} files; at most ${maxCount} can be sent one by one.`,
      nextStep: sendZip,
    });
  }
  if (sum(files, answerBytes) > maxAnswerBytes) {
    throw new CodedError('TOO_MANY_FILES', {
      error: `The signed URLs of ${files.length} files with paths this long do not fit into one response.`,
      nextStep: `${sendZip} Or give the files shorter paths.`,
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

const sendZip = 'Send one ZIP as `archive`: it may hold as many files as the plan allows.';

/** The most that one file adds to the response. */
function answerBytes({ path }: AnnouncedFile): number {
  return urlBytes + sentBytes({ path, method: 'PUT', url: '' });
}

function sum<T>(all: readonly T[], sizeOf: (one: T) => number): number {
  return all.reduce((total, one) => total + sizeOf(one), 0);
}

/** Refuses names here that are refused when the upload is published: its bytes would be sent in vain. */
function checkFiles(files: readonly AnnouncedFile[]): AnnouncedFile[] {
  const paths = checkNames(files.map(({ path }) => path));
  withoutTopFolder(paths);
  return files.map(({ size }, at) => ({ path: paths[at] ?? '', size }));
}

function newUpload(
  { account }: MaybeAccountCaller,
  files: readonly AnnouncedFile[],
  kind: LargeUpload['kind'],
  now: Date,
): LargeUpload {
  return {
    uploadId: UploadId.parse(randomUUID()),
    accountId: account?.id ?? null,
    kind,
    fileCount: files.length,
    bytes: sum(files, ({ size }) => size),
    state: 'waiting',
    projectId: null,
    doneFiles: 0,
    doneBytes: 0,
    failure: null,
    createdAt: instant(now),
    expiresAt: instant(plusSeconds(now, waitingSeconds)),
  };
}
