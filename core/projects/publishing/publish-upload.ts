import type { ProjectId } from '../../../contract/fields.ts';
import type { AccountStore } from '../../accounts/ports.ts';
import { requireActive } from '../../accounts/suspension.ts';
import type { AccountCaller } from '../../caller.ts';
import { prepareStored } from '../../content/prepare-stored.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { Intent } from '../../ports.ts';
import { type JobKey, type JobQueue, jobSeconds, type UploadJob } from '../../uploads/job.ts';
import {
  endFailed,
  endPublished,
  type OpenUploadDeps,
  readTaken,
} from '../../uploads/open-upload.ts';
import { changeOf } from '../settings/change.ts';
import { forgetNow, requireChanged } from '../settings/change-project.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Project } from '../project.ts';
import { limitsOf } from '../quota.ts';
import { removalOfFailed } from '../removal/removal.ts';
import { type PushDeps, pushVersion } from '../versions/push-version.ts';
import { type StoredVersion, storeVersion } from './store-version.ts';
import { removeIntent } from '../removal/sweep.ts';
import { uploadLimits } from './upload-limits.ts';

/** What publishing an upload outside of its request needs. */
export interface PublishUploadDeps extends PushDeps, OpenUploadDeps {
  owned: Pick<OwnedProjectStore, 'change' | 'beginRemoval'>;
  accounts: Pick<AccountStore, 'get'>;
}

/** A worker's own limit (AWS Lambda quota): no one works longer at a job. */
const leaseSeconds = 900;
/** Then it is given up. */
const patienceSeconds = 2 * 3600;

/** A worker's view of one job. */
interface Work {
  intent: Intent;
  job: UploadJob;
  project: Project;
  caller: AccountCaller;
}

/**
 * Publishes an upload that its request had no time for. Does nothing for a job that is done, given
 * up, or in the hands of another worker. What the upload is to blame for ends it, and is told to
 * its owner; any other failure is thrown, and the job may be tried again.
 */
export async function publishUpload(deps: PublishUploadDeps, key: JobKey): Promise<void> {
  const at = deps.now();
  const until = instant(plusSeconds(at, leaseSeconds));
  const intent = await deps.projects.leaseIntent(key, instant(at), until);
  if (intent?.job === undefined) return;
  const { job } = intent;
  try {
    // The bytes of an upload are removed some time after that, by whoever sweeps.
    if (isLate(intent, at)) throw tooLate(job);
    const work = await readWork(deps, intent, job);
    const upload = await prepare(deps, work);
    await (job.kind === 'first' ? publishFirst : publishNext)(deps, work, upload);
    const { fileCount, bytes } = upload;
    await endPublished(deps, job, { projectId: key.projectId, fileCount, bytes });
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    await giveUp(deps, { intent, job }, error);
  }
}

async function readWork(deps: PublishUploadDeps, intent: Intent, job: UploadJob): Promise<Work> {
  const project = await wanted(deps, intent.projectId);
  const account = await deps.accounts.get(job.accountId);
  if (account === undefined) throw deletedMeanwhile();
  requireActive(account);
  return { intent, job, project, caller: { address: '', requestId: job.requestId, account } };
}

async function wanted({ projects }: PublishUploadDeps, projectId: ProjectId): Promise<Project> {
  const project = await projects.get(projectId);
  if (project === undefined || project.removingAt !== null) throw deletedMeanwhile();
  return project;
}

function deletedMeanwhile(): CodedError {
  return new CodedError('NOT_FOUND', { error: 'The project was deleted in the meantime.' });
}

async function prepare(deps: PublishUploadDeps, { job, caller }: Work) {
  const upload = await deps.uploads.get(job.uploadId);
  // It was given up before, and a crash came between.
  if (upload?.state !== 'publishing') {
    throw new CodedError('NOT_FOUND', { error: 'The upload has ended already.' });
  }
  const limits = limitsOf(deps.plans, caller.account, deps.now());
  const stored = await readTaken(deps, upload);
  return prepareStored(stored, job, uploadLimits(limits));
}

async function publishFirst(
  deps: PublishUploadDeps,
  work: Work,
  upload: PreparedUpload,
): Promise<void> {
  const { projectId, store } = work.intent;
  const onStored = reporter(deps, work, upload);
  const stored = await storeVersion(deps.content, { projectId, store }, upload, { onStored });
  await forgetNow(deps, { before: undefined, after: await appear(deps, work, stored) });
}

/** Each try loses only to another change, as when its workspace or an operator let go of it. */
const tries = 20;

async function appear(
  deps: PublishUploadDeps,
  { intent, caller }: Work,
  stored: StoredVersion,
): Promise<Project> {
  const { files: _, ...content } = stored;
  const { type, bytes, fileCount } = content;
  for (let count = 1; count <= tries; count += 1) {
    const project = await wanted(deps, intent.projectId);
    const now = deps.now();
    const publishedAt = instant(now);
    const version = { ...content, version: 1, createdAt: publishedAt };
    const change = changeOf(
      project,
      {
        fields: { version: 1, lastVersion: 1, type, bytes, fileCount, publishedAt },
        live: version,
        adds: version,
        limits: limitsOf(deps.plans, caller.account, now),
      },
      now,
    );
    const outcome = await deps.owned.change(change);
    if (outcome === 'lost') continue;
    requireChanged(change, outcome);
    return change.after;
  }
  throw new Error(`a project changed ${tries} times while it was to appear`);
}

async function publishNext(
  deps: PublishUploadDeps,
  work: Work,
  upload: PreparedUpload,
): Promise<void> {
  const { intent, job, project, caller } = work;
  const { number, expectedVersion } = job;
  const accepted = { store: intent.store, number };
  const onStored = reporter(deps, work, upload);
  await pushVersion(deps, caller, { project, upload, accepted, expectedVersion, onStored });
}

const reportSeconds = 2;

/** Tells how far it is, every other second. */
function reporter(deps: PublishUploadDeps, { job }: Work, { fileCount, bytes }: PreparedUpload) {
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

/** Nothing of it remains but why; who is told of the failure finds the project gone. */
async function giveUp(
  deps: PublishUploadDeps,
  { intent, job }: { intent: Intent; job: UploadJob },
  error: CodedError,
): Promise<void> {
  const { projectId, store } = intent;
  if (job.kind === 'first') await removeUnpublished(deps, projectId, error.message);
  await endFailed(deps, job, {
    status: 'error',
    error: error.message,
    code: error.code,
    nextStep: String(error.body['nextStep']),
  });
  await removeIntent(deps, projectId, store, deps.now());
}

async function removeUnpublished(
  deps: PublishUploadDeps,
  projectId: ProjectId,
  failure: string,
): Promise<void> {
  for (let count = 1; count <= tries; count += 1) {
    const project = await deps.projects.get(projectId);
    if (project?.version !== 0 || project.removingAt !== null) return;
    if (await deps.owned.beginRemoval(removalOfFailed(project, failure, deps.now()))) return;
  }
  throw new Error(`a project changed ${tries} times while it was to be given up`);
}

/** A job that is due again: handed out once more, or given up. False when it is none. */
export async function resumeUpload(
  deps: PublishUploadDeps & { jobs: JobQueue },
  key: JobKey,
  now: Date,
): Promise<boolean> {
  const intent = await deps.projects.intent(key);
  if (intent?.job === undefined || intent.seizedAt !== undefined) return false;
  const { job } = intent;
  if (!isLate(intent, now)) {
    await deps.projects.postponeIntent(key, instant(plusSeconds(now, jobSeconds)));
    await deps.jobs.send(key);
    return true;
  }
  // A worker that is still at it would store what nobody removes any more.
  const until = instant(plusSeconds(now, leaseSeconds));
  if ((await deps.projects.leaseIntent(key, instant(now), until)) === undefined) {
    await deps.projects.postponeIntent(key, instant(plusSeconds(now, jobSeconds)));
    return true;
  }
  await giveUp(deps, { intent, job }, tooLate(job));
  return true;
}

function isLate({ startedAt }: Intent, now: Date): boolean {
  return plusSeconds(new Date(startedAt), patienceSeconds) <= now;
}

function tooLate({ requestId }: UploadJob): CodedError {
  const error = 'The upload could not be published in time.';
  return new CodedError('UPLOAD_FAILED', { error, requestId });
}
