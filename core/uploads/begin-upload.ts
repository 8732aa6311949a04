import { randomUUID } from 'node:crypto';
import type { Caller, MaybeAccountCaller } from '../caller.ts';
import { type Plans } from '../accounts/account.ts';
import type { UploadLimits } from '../content/prepare-upload.ts';
import { checkPath, findCollision } from '../content/safe-path.ts';
import { CodedError } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import { callerKey } from '../limits/caller-key.ts';
import { type Counters, countAttempt } from '../limits/counters.ts';
import { limitsOf } from '../projects/quota.ts';
import type { TempLimits } from '../projects/publishing/temp-limits.ts';
import { uploadLimits } from '../projects/publishing/upload-limits.ts';
import { countCalls, lists } from './count-calls.ts';
import type { UploadArea, UploadStore } from './ports.ts';
import { type AnnouncedFile, type LargeUpload, UploadId } from './upload.ts';

/** For so long the bytes of an upload are waited for. */
const waitingSeconds = 3600;
/** A PUT that began in time may end later. */
const lateSeconds = 15 * 60;

/** What beginning an upload needs. */
export interface BeginUploadDeps {
  uploads: Pick<UploadStore, 'create'>;
  area: Pick<UploadArea, 'open'>;
  counters: Counters;
  plans: Plans;
  tempLimits: TempLimits;
  /** As many URLs as fit into an answer. */
  maxParts: number;
  now(): Date;
}

/** What is to be uploaded. */
export interface Announcement {
  files?: readonly AnnouncedFile[] | undefined;
  archive?: { size: number } | undefined;
}

/** The name by which the one part of an archive goes. */
const archiveName = 'archive.zip';

/**
 * Gives signed URLs for an upload within the caller's limits; nothing of it shows until it is
 * published. Until it has ended, its bytes count among those that the account's uploads hold at once.
 * @throws CodedError INVALID_REQUEST, FILE_TYPE_REFUSED, TOO_MANY_FILES, PAYLOAD_TOO_LARGE, STORAGE_LIMIT_REACHED, RATE_LIMITED
 */
export async function beginUpload(
  deps: BeginUploadDeps,
  caller: MaybeAccountCaller,
  { files, archive }: Announcement,
) {
  const now = deps.now();
  if (caller.account === undefined) await admitStranger(deps, caller, now);
  const announced = files ?? [{ path: archiveName, size: archive?.size ?? 0 }];
  checkAmount(announced, limitsFor(deps, caller, now), deps.maxParts);
  const named = files === undefined ? announced : checkNames(announced);
  await countCalls(deps, caller, { ...lists, files: named.length }, now);
  const upload = newUpload(caller, named, files === undefined ? 'archive' : 'files', now);
  const { uploadId, expiresAt } = upload;
  await reserve(deps, caller, upload, now);
  const urls = await deps.area.open(uploadId, named, new Date(expiresAt));
  const parts = named.map(({ path }, index) => ({
    path,
    method: 'PUT' as const,
    url: urls[index] ?? '',
  }));
  return { uploadId, expiresAt, parts };
}

/**
 * Notes an upload before anything of it can arrive.
 * @throws CodedError STORAGE_LIMIT_REACHED
 */
async function reserve(
  { uploads, plans }: BeginUploadDeps,
  { account }: MaybeAccountCaller,
  upload: LargeUpload,
  now: Date,
): Promise<void> {
  const max = account === undefined ? -1 : limitsOf(plans, account, now).maxStorageBytes;
  const dueAt = instant(plusSeconds(new Date(upload.expiresAt), lateSeconds));
  const created = await uploads.create(upload, dueAt, max);
  if (created === 'created') return;
  throw new CodedError('STORAGE_LIMIT_REACHED', {
    error: `Uploads that wait hold at most ${max} bytes at once; ${created.stagedBytes} are reserved, and this one has ${upload.bytes}.`,
    nextStep:
      'Publish an upload that you have begun, or wait: one that is not used ends an hour after it was begun, and frees its bytes within 20 minutes.',
  });
}

/** Tries count whether or not they are refused, with those of uploads that are sent at once. */
async function admitStranger({ counters, tempLimits }: BeginUploadDeps, caller: Caller, now: Date) {
  const address = callerKey(caller.address);
  const { attempts, begun } = tempLimits;
  const tries = { key: `temp-attempts#${address}`, rule: attempts, what: 'tries from one address' };
  await countAttempt(counters, caller, tries, now);
  const uploads = {
    key: `temp-begun#${address}`,
    rule: begun,
    what: 'large uploads from one address',
  };
  await countAttempt(counters, caller, uploads, now);
}

/** What the caller may upload at once. */
function limitsFor(
  { plans, tempLimits }: Pick<BeginUploadDeps, 'plans' | 'tempLimits'>,
  { account }: MaybeAccountCaller,
  now: Date,
): UploadLimits {
  return account === undefined ? tempLimits : uploadLimits(limitsOf(plans, account, now));
}

function checkAmount(
  files: readonly AnnouncedFile[],
  limits: UploadLimits,
  maxParts: number,
): void {
  const most = Math.min(limits.maxParts, maxParts);
  if (files.length > most) {
    throw new CodedError('TOO_MANY_FILES', {
      error: `The upload has ${files.length} files; at most ${most} are taken one by one.`,
      nextStep: 'Send one ZIP as `archive`: it may hold as many files as the plan allows.',
    });
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > limits.maxBytes) {
    throw new CodedError('PAYLOAD_TOO_LARGE', {
      error: `The upload has ${bytes} bytes; at most ${limits.maxBytes} are taken at once.`,
      nextStep: 'Send less at once, or change to a larger plan. Nothing was kept.',
    });
  }
}

function checkNames(files: readonly AnnouncedFile[]): AnnouncedFile[] {
  const named = files.map(({ path, size }) => {
    const checked = checkPath(path);
    if (checked.ok) return { path: checked.path, size };
    const error = `A file name is not taken: ${path.slice(0, 120)} ${checked.rule}.`;
    throw checked.reserved === true
      ? new CodedError('FILE_TYPE_REFUSED', { error })
      : invalidName(error);
  });
  const twice = findCollision(named.map(({ path }) => path));
  if (twice !== undefined) throw invalidName(`Two files would share the address ${twice}.`);
  return named;
}

function invalidName(error: string): CodedError {
  return new CodedError('INVALID_REQUEST', { error, details: [{ path: 'files', message: error }] });
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
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    state: 'waiting',
    projectId: null,
    doneFiles: 0,
    doneBytes: 0,
    failure: null,
    createdAt: instant(now),
    expiresAt: instant(plusSeconds(now, waitingSeconds)),
  };
}
