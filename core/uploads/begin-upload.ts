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
import type { TempLimits } from '../projects/temp-limits.ts';
import { uploadLimits } from '../projects/upload-limits.ts';
import type { UploadArea, UploadStore } from './ports.ts';
import { type AnnouncedFile, type LargeUpload, UploadId } from './upload.ts';

/** For so long the bytes of an upload are waited for. */
const waitingSeconds = 3600;
/** A PUT that began in time may end later. */
const lateSeconds = 15 * 60;

/** What beginning an upload needs. */
export interface BeginUploadDeps {
  uploads: Pick<UploadStore, 'create'>;
  area: Pick<UploadArea, 'sign' | 'putList'>;
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
 * Gives signed URLs for an upload within the caller's limits; nothing of it counts or shows until
 * it is published.
 * @throws CodedError INVALID_REQUEST, FILE_TYPE_REFUSED, TOO_MANY_FILES, PAYLOAD_TOO_LARGE, RATE_LIMITED
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
  const upload = newUpload(caller, named, files === undefined ? 'archive' : 'files', now);
  const { uploadId, expiresAt } = upload;
  const until = new Date(expiresAt);
  await deps.uploads.create(upload, instant(plusSeconds(until, lateSeconds)));
  await deps.area.putList(uploadId, named);
  const urls = await Promise.all(
    named.map(({ size }, index) => deps.area.sign(uploadId, { index, size }, until)),
  );
  const parts = named.map(({ path }, index) => ({
    path,
    method: 'PUT' as const,
    url: urls[index] ?? '',
  }));
  return { uploadId, expiresAt, parts };
}

/** Tries count whether or not they are refused, with those of uploads that are sent at once. */
async function admitStranger({ counters, tempLimits }: BeginUploadDeps, caller: Caller, now: Date) {
  const key = `temp-attempts#${callerKey(caller.address)}`;
  const counted = { key, rule: tempLimits.attempts, what: 'tries from one address' };
  await countAttempt(counters, caller, counted, now);
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
