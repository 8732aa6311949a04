import type { MaybeAccountCaller } from '../caller.ts';
import { countByAddress } from '../limits/address-limits.ts';
import { countAttempt, type Counters } from '../limits/counters.ts';
import { countByLink } from '../limits/link-limits.ts';
import type { RateLimitRule } from '../limits/sliding-window.ts';

/** S3 is called once for each file; uploads with at most this many are not counted. */
const freeFiles = 20;

/** A limit for requests that call S3 once for each file of an upload. */
interface CallLimit {
  key: string;
  rule: RateLimitRule;
  /** The limit of one sender with an upload link; a file request may use half of the account's. */
  ofLink?: number;
  what: string;
  /** How many a request counts for; one by default. */
  events?: number;
}

/** For `POST /v1/uploads`; a ZIP is one file. */
export const beginCalls: CallLimit = {
  key: 'upload-lists',
  rule: { limit: 60, windowSeconds: 3600 },
  what: `uploads of more than ${freeFiles} files each; one ZIP sent as \`archive\` is not counted`,
};

/** For `GET /v1/uploads/{uploadId}`. */
const statusCalls: CallLimit = {
  key: 'upload-looks',
  rule: { limit: 10, windowSeconds: 60 },
  what: `status requests for waiting uploads of more than ${freeFiles} files`,
};

/** The same without an account, which has no limit of requests; each lists the few files of an upload. */
const anonymousStatusCalls: CallLimit = {
  key: 'anonymous-upload-looks',
  rule: { limit: 60, windowSeconds: 60 },
  what: 'status requests for waiting uploads',
};

/**
 * For each publication that uses an upload, refused ones included; callers with only an upload link
 * get a part of it.
 */
const useCalls: CallLimit = {
  key: 'upload-uses',
  rule: { limit: 120, windowSeconds: 3600 },
  ofLink: 20,
  what: `publications of uploads of more than ${freeFiles} files each`,
};

/**
 * For `POST /v1/uploads` of an account: S3 is paid for each file that is announced, and again for each that is
 * removed an hour later. A few files cost about as much as 20.
 */
const announcedFiles: CallLimit = {
  key: 'announced-files',
  rule: { limit: 20_000, windowSeconds: 3600 },
  ofLink: 4000,
  what: `files announced for uploads, of which each counts as at least ${freeFiles}`,
};

/**
 * Files of waiting uploads that an account looks at or uses: each is a call of S3, also where the files have not
 * arrived and the request is refused.
 */
const examinedFiles: CallLimit = {
  key: 'examined-files',
  rule: { limit: 40_000, windowSeconds: 3600 },
  ofLink: 4000,
  what: 'files of waiting uploads that are looked at or published',
};

/**
 * For copies of projects: each object is a paid call of S3, and a project to which files were added one by one has
 * an object for each. An hour has room for ten of the largest copies.
 */
const copiedObjects: CallLimit = {
  key: 'copied-objects',
  rule: { limit: 5000, windowSeconds: 3600 },
  what: 'stored objects copied for copies of projects',
};

/** For each upload that waits for a worker: all accounts share a few of them, and each may take a minute. */
const queuedUploads: CallLimit = {
  key: 'queued-uploads',
  rule: { limit: 30, windowSeconds: 600 },
  ofLink: 6,
  what: 'large uploads, which are stored after the answer',
};

/**
 * Limits requests of which each one may call S3 thousands of times.
 * @throws CodedError RATE_LIMITED
 */
export async function limitStorageCalls(
  deps: LimitDeps,
  caller: MaybeAccountCaller,
  { files, ...limit }: CallLimit & { files: number },
  now: Date,
): Promise<void> {
  if (files > freeFiles) await limitCalls(deps, caller, limit, now);
}

/**
 * Limits the files that an account announces. Addresses without one have limits of their own.
 * @throws CodedError RATE_LIMITED
 */
export async function limitAnnouncedFiles(
  deps: LimitDeps,
  caller: MaybeAccountCaller,
  files: number,
  now: Date,
): Promise<void> {
  if (caller.account === undefined) return;
  await limitCalls(deps, caller, { ...announcedFiles, events: Math.max(files, freeFiles) }, now);
}

/**
 * Limits requests about an upload: `status` while its files are on their way, `use` for publications, refused ones
 * included.
 * @throws CodedError RATE_LIMITED
 */
export async function limitUploadRequests(
  deps: LimitDeps,
  caller: MaybeAccountCaller,
  { request, files }: { request: 'status' | 'use'; files: number },
  now: Date,
): Promise<void> {
  const { account } = caller;
  if (account === undefined && request === 'status') {
    await limitCalls(deps, caller, anonymousStatusCalls, now);
  }
  const calls = request === 'status' ? statusCalls : useCalls;
  await limitStorageCalls(deps, caller, { ...calls, files }, now);
  if (account === undefined) return;
  await limitCalls(deps, caller, { ...examinedFiles, events: Math.max(files, 1) }, now);
}

/**
 * Limits the objects that copies of projects copy.
 * @throws CodedError RATE_LIMITED
 */
export async function limitCopiedObjects(
  deps: LimitDeps,
  caller: MaybeAccountCaller,
  objects: number,
  now: Date,
): Promise<void> {
  await limitCalls(deps, caller, { ...copiedObjects, events: objects }, now);
}

/**
 * Limits uploads that a worker stores.
 * @throws CodedError RATE_LIMITED
 */
export async function limitQueuedUploads(
  deps: LimitDeps,
  caller: MaybeAccountCaller,
  now: Date,
): Promise<void> {
  await limitCalls(deps, caller, queuedUploads, now);
}

interface LimitDeps {
  counters: Pick<Counters, 'count'>;
}

async function limitCalls(
  { counters }: LimitDeps,
  caller: MaybeAccountCaller,
  { key, ofLink, ...counted }: CallLimit,
  now: Date,
): Promise<void> {
  const { account } = caller;
  if (ofLink !== undefined) {
    const rule = { ...counted.rule, limit: ofLink };
    const part = { ...counted, rule, key: `${key}-of-link`, most: counted.rule.limit / 2 };
    await countByLink(counters, caller, part, now);
  }
  await (account === undefined
    ? countByAddress(counters, caller, { ...counted, name: key }, now)
    : countAttempt(counters, caller, { ...counted, key: `${key}#${account.id}` }, now));
}
