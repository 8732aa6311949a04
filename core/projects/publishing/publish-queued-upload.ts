import { type StoreKey, storePrefix } from '../../content/content-keys.ts';
import { maxFunctionSeconds } from '../../../contract/limits.ts';
import { ErrorBody } from '../../../contract/errors.ts';
import type { ProjectId } from '../../../contract/fields.ts';
import type { AccountStore } from '../../accounts/ports.ts';
import { requireActive } from '../../accounts/suspension.ts';
import type { PublishingCaller } from '../../caller.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { prepareStored } from '../../content/prepare-stored-upload.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { writtenBytes } from '../../limits/written-bytes.ts';
import type { Intent } from '../../ports.ts';
import {
  type JobQueue,
  jobDeadlineSeconds,
  jobRetrySeconds,
  type UploadJob,
} from '../../uploads/job.ts';
import {
  markFailed,
  markPublished,
  type UploadDeps,
  readLockedUpload,
} from '../../uploads/lock-upload.ts';
import { noteReceived, type NoteArrivalDeps } from '../../upload-links/note-arrival.ts';
import type { UploadLinkStore } from '../../upload-links/upload-link.ts';
import { publishedUpload } from '../../uploads/with-upload.ts';
import { buildChange, requireChanged } from '../change/project-change.ts';
import { purgeEdge } from '../change/change-project.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Project, Version } from '../project.ts';
import { effectiveLimits } from '../quota.ts';
import { removalOfFailed } from '../removal/removal.ts';
import { storePreview } from '../previews/store-preview.ts';
import { type PushDeps, pushVersion } from '../versions/push-version.ts';
import { requireWaiting } from '../versions/waiting-pushes.ts';
import { type UnpublishedVersion, storeVersion, withoutFiles } from './store-version.ts';
import { removeAbandonedUpload } from '../removal/abandoned-upload.ts';
import { giveBackPlace, senderOf } from '../../upload-links/request-share.ts';
import { type TakePicturesDeps, withPictures } from './take-pictures.ts';
import { uploadLimits } from './upload-limits.ts';

/** The dependencies for publishing an upload outside of its request. */
export interface QueuedUploadDeps extends PushDeps, UploadDeps, Pick<TakePicturesDeps, 'pictures'> {
  owned: Pick<OwnedProjectStore, 'change' | 'beginRemoval'>;
  accounts: Pick<AccountStore, 'get'>;
  links: Pick<UploadLinkStore, 'giveBack' | 'find'>;
  notices: NoteArrivalDeps['notices'];
}

/** The dependencies for ending a job, which stores nothing. */
type EndingDeps = Omit<QueuedUploadDeps, 'links' | 'notices' | 'pictures'> & {
  links: Pick<UploadLinkStore, 'giveBack'>;
};

/** No worker runs longer than this, so a job may go to another worker after its lease. */
const leaseSeconds = maxFunctionSeconds;

interface Work {
  intent: Intent;
  job: UploadJob;
  project: Project;
  caller: PublishingCaller;
}

/**
 * The worker's use case for an upload that is too large for its request: publishes it as a
 * project's first or next version. Does nothing for a job that has ended or that another worker has
 * leased. A fault of the upload ends the job and is shown to the owner. Any other error is thrown,
 * and the job is retried.
 */
export async function publishQueuedUpload(deps: QueuedUploadDeps, key: StoreKey): Promise<void> {
  const at = deps.now();
  const until = instant(plusSeconds(at, leaseSeconds));
  const intent = await deps.projects.leaseIntent(key, instant(at), until);
  if (intent?.job === undefined) return;
  const { job } = intent;
  try {
    // After the deadline the sweep may remove the uploaded bytes.
    if (isPastDeadline(intent, at)) throw deadlineError(job);
    const work = await loadWork(deps, intent, job);
    const upload = await prepareFromStorage(deps, work);
    // Files that an earlier attempt stored may exist in another version by now; nothing else would
    // remove these copies.
    await deps.content.deletePrefix(storePrefix(intent.projectId, intent.store));
    const publish = job.kind === 'first' ? publishFirstVersion : pushNextVersion;
    const warnings = await publish(deps, work, upload);
    await markPublished(deps, job, publishedUpload(key.projectId, upload, warnings));
    await noteRequest(deps, work);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    await failJob(deps, { intent, job }, error);
  }
}

async function loadWork(deps: QueuedUploadDeps, intent: Intent, job: UploadJob): Promise<Work> {
  const project = await loadProject(deps, intent.projectId);
  // Before gigabytes are stored for nobody.
  if (job.kind === 'push') requireWaiting(project, job.number, job.preview?.name);
  const account = await deps.accounts.get(job.accountId);
  if (account === undefined) throw projectDeleted();
  requireActive(account);
  const { requestId, publishedBy } = job;
  const sender = await senderOf(deps, job);
  return { intent, job, project, caller: { ...sender, requestId, account, publishedBy } };
}

async function loadProject({ projects }: QueuedUploadDeps, projectId: ProjectId): Promise<Project> {
  const project = await projects.get(projectId);
  if (project === undefined || project.removingAt !== null) throw projectDeleted();
  return project;
}

function projectDeleted(): CodedError {
  return new CodedError('NOT_FOUND', { error: 'The project was deleted in the meantime.' });
}

async function prepareFromStorage(deps: QueuedUploadDeps, { job, caller, project }: Work) {
  const row = await deps.uploads.get(job.uploadId);
  // The job had failed before, and a crash interrupted the cleanup.
  if (row?.state !== 'publishing') {
    throw new CodedError('NOT_FOUND', { error: 'The upload has already ended.' });
  }
  const limits = effectiveLimits(deps.plans, caller.account, deps.now());
  const stored = await readLockedUpload(deps, row);
  const upload = await prepareStored(stored, job, uploadLimits(limits));
  const choice = { ...job, replacedBytes: project.bytes, by: 'worker' } as const;
  return withPictures(deps, caller, upload, choice);
}

async function publishFirstVersion(
  deps: QueuedUploadDeps,
  work: Work,
  upload: PreparedUpload,
): Promise<Version['warnings']> {
  const { projectId, store } = work.intent;
  const onStored = progressReporter(deps, work, upload);
  const stored = await storeVersion(deps.content, { projectId, store }, upload, {
    onStored,
    spa: work.project.spa,
    written: writtenBytes(deps, work.caller, 'stored'),
  });
  await purgeEdge(deps, {
    before: undefined,
    after: await writeFirstVersion(deps, work, stored),
  });
  return stored.warnings;
}

/** An attempt loses only to another change of the project, such as one by an operator. */
const maxAttempts = 20;

async function writeFirstVersion(
  deps: QueuedUploadDeps,
  { intent, job, caller }: Work,
  stored: UnpublishedVersion,
): Promise<Project> {
  const content = withoutFiles(stored);
  const { type, bytes, fileCount } = content;
  for (let count = 1; count <= maxAttempts; count += 1) {
    const project = await loadProject(deps, intent.projectId);
    const now = deps.now();
    const publishedAt = instant(now);
    const published = { createdAt: publishedAt, publishedBy: caller.publishedBy, note: job.note };
    const version = { ...content, version: 1, ...published };
    const change = buildChange(
      project,
      {
        fields: { version: 1, lastVersion: 1, type, bytes, fileCount, publishedAt },
        live: version,
        adds: version,
        limits: effectiveLimits(deps.plans, caller.account, now),
      },
      now,
    );
    const outcome = await deps.owned.change(change);
    if (outcome === 'lost') continue;
    requireChanged(change, outcome);
    return change.after;
  }
  throw new Error(`a project changed ${maxAttempts} times during its first publication`);
}

async function pushNextVersion(
  deps: QueuedUploadDeps,
  work: Work,
  upload: PreparedUpload,
): Promise<Version['warnings']> {
  const { intent, job, project, caller } = work;
  const { number, expectedVersion, draft, note, settings, preview, into } = job;
  const queued = { store: intent.store, number };
  const onStored = progressReporter(deps, work, upload);
  if (preview !== undefined) {
    const work = { project, upload, choices: preview, queued, onStored };
    return (await storePreview(deps, caller, work)).warnings;
  }
  const content = into === undefined ? { upload } : { merge: { ...into, upload } };
  const push = { project, queued, expectedVersion, draft, note, settings, onStored };
  return (await pushVersion(deps, caller, { ...push, ...content })).warnings;
}

const reportSeconds = 2;

/** Records the progress every two seconds. */
function progressReporter(
  deps: QueuedUploadDeps,
  { job }: Work,
  { fileCount, bytes }: PreparedUpload,
) {
  const done = { fileCount: 0, bytes: 0 };
  let next = plusSeconds(deps.now(), reportSeconds);
  return ({ size }: { size: number }) => {
    done.fileCount += 1;
    done.bytes += size;
    if (deps.now() < next) return;
    next = plusSeconds(deps.now(), reportSeconds);
    deps.uploads
      .progress(job.uploadId, { ...done }, { fileCount, bytes })
      .catch((error: unknown) => deps.onFailure({ ...job, kind: 'progress' }, error));
  };
}

/**
 * Removes everything except the reason. The project is removed first, so a reader of the failure no
 * longer finds it.
 */
async function failJob(
  deps: EndingDeps,
  { intent, job }: { intent: Intent; job: UploadJob },
  error: CodedError,
): Promise<void> {
  const { projectId, store } = intent;
  if (job.kind === 'first') await removeUnpublished(deps, projectId, error.message);
  await giveBackPlace(deps, job);
  await markFailed(deps, job, ErrorBody.parse(error.body));
  await removeAbandonedUpload(deps, projectId, store, deps.now());
}

/** The owner of a file request and who sent the upload are to get mails. */
async function noteRequest(deps: QueuedUploadDeps, { job, caller }: Work): Promise<void> {
  const { linkHash: tokenHash } = caller;
  if (job.received === undefined || tokenHash === undefined) return;
  const link = await deps.links.find(tokenHash);
  if (link) await noteReceived(deps, { tokenHash, link }, job.received.number);
}

async function removeUnpublished(
  deps: EndingDeps,
  projectId: ProjectId,
  failure: string,
): Promise<void> {
  for (let count = 1; count <= maxAttempts; count += 1) {
    const project = await deps.projects.get(projectId);
    if (project?.version !== 0 || project.removingAt !== null) return;
    if (await deps.owned.beginRemoval(removalOfFailed(project, failure, deps.now()))) return;
  }
  throw new Error(
    `a project changed ${maxAttempts} times while its failed upload was being removed`,
  );
}

/** Sends a due job to a worker again, or fails it after its deadline. False if the intent has no job. */
export async function resumeUpload(
  deps: EndingDeps & { jobs: JobQueue },
  key: StoreKey,
  now: Date,
): Promise<boolean> {
  const intent = await deps.projects.getIntent(key);
  if (intent?.job === undefined || intent.seizedAt !== undefined) return false;
  const { job } = intent;
  if (!isPastDeadline(intent, now)) {
    await deps.projects.postponeIntent(key, instant(plusSeconds(now, jobRetrySeconds)));
    await deps.jobs.send(key, job.accountId);
    return true;
  }
  // Bytes that a running worker stores after the cleanup would never be removed.
  const until = instant(plusSeconds(now, leaseSeconds));
  if ((await deps.projects.leaseIntent(key, instant(now), until)) === undefined) {
    await deps.projects.postponeIntent(key, instant(plusSeconds(now, jobRetrySeconds)));
    return true;
  }
  await failJob(deps, { intent, job }, deadlineError(job));
  return true;
}

function isPastDeadline({ startedAt }: Intent, now: Date): boolean {
  return plusSeconds(new Date(startedAt), jobDeadlineSeconds) <= now;
}

function deadlineError({ requestId }: UploadJob): CodedError {
  const error = 'The upload could not be published in time.';
  return new CodedError('UPLOAD_FAILED', { error, requestId });
}
