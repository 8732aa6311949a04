import type { PublishingCaller } from '../../caller.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { newStoreId } from '../../content/content-keys.ts';
import { instant, plusSeconds } from '../../instants.ts';
import {
  sendJob,
  type JobQueue,
  jobRetrySeconds,
  needsWorker,
  type UploadJob,
} from '../../uploads/job.ts';
import type { UploadDeps } from '../../uploads/lock-upload.ts';
import { countPublication } from '../../limits/count-publication.ts';
import { writtenBytes } from '../../limits/written-bytes.ts';
import { limitQueuedUploads } from '../../uploads/storage-calls.ts';
import { mapToUploadFailed } from '../../uploads/upload-failed.ts';
import type { LargeUpload } from '../../uploads/upload.ts';
import { type UploadInput, type UploadOutcome, withUpload } from '../../uploads/with-upload.ts';
import { refuseBusy } from '../change/busy-project.ts';
import { changeProject, type NextOf, type ProjectSnapshot } from '../change/change-project.ts';
import { deploymentIdField } from './deployment.ts';
import { requireOwnedProject } from '../owned-projects.ts';
import { type Project, warningsOf } from '../project.ts';
import {
  checkExpectedVersion,
  type IdenticalContent,
  type PushDeps,
  type PushResult,
  pushVersion,
} from './push-version.ts';
import type { PreviewChoices } from '../previews/named-preview.ts';
import { type PushedSettings, pushedSettings } from './pushed-settings.ts';
import { addWaitingPush } from './waiting-pushes.ts';
import { calculateCharge, requireQuota, effectiveLimits } from '../quota.ts';
import {
  type PictureChoice,
  type TakePicturesDeps,
  withPictures,
} from '../publishing/take-pictures.ts';
import { uploadLimits } from '../publishing/upload-limits.ts';

/** The dependencies for replacing files. */
export interface ReplaceFilesDeps extends PushDeps, UploadDeps, Pick<TakePicturesDeps, 'pictures'> {
  jobs: JobQueue;
  addresses: { siteUrl(host: string): string };
}

/** New content for a project. */
export interface Replacement extends UploadInput, IdenticalContent, PushedSettings, PictureChoice {
  projectId: string;
  /** The live version that the caller means to replace. */
  expectedVersion?: number | undefined;
  /** Keeps the new version beside the live one, for a preview. */
  draft?: boolean | undefined;
  /** What the caller says about the new version. */
  note?: string | undefined;
  /** Adds the upload as a new folder; everything else stays. */
  into?: UploadJob['into'];
}

/**
 * Publishes an upload as a new version of the caller's project, in one step for visitors. Each call
 * creates a version, also of content that is live already.
 * @throws CodedError those of prepareUpload and changeProject; VERSION_CONFLICT; UPLOAD_FAILED when storing fails
 */
export async function replaceProjectFiles(
  deps: ReplaceFilesDeps,
  caller: PublishingCaller,
  input: Replacement,
) {
  const found = await requireOwnedProject(deps.projects, caller, input.projectId);
  checkExpectedVersion(found, input.expectedVersion);
  await countPublication(deps, caller);
  const limits = effectiveLimits(deps.plans, caller.account, deps.now());
  const pushed = await withUpload(
    deps,
    caller,
    { input, limits: uploadLimits(limits), staged: writtenBytes(deps, caller, 'staged') },
    async ({ upload, large, received }): Promise<UploadOutcome<PushResult>> => {
      const { into } = input;
      if (large !== undefined && needsWorker(upload)) {
        const addedTo = into === undefined ? 0 : found.bytes;
        requireQuota(
          calculateCharge(found, { ...found, bytes: addedTo + upload.bytes }, limits),
          caller.account,
        );
        await limitQueuedUploads(deps, caller, deps.now());
        const { projectId } = input;
        const { host, lastVersion } = await queueForWorker(deps, caller, {
          projectId,
          input: { ...input, received },
          large,
        });
        const { type, fileCount, bytes } = upload;
        const project = { ...found, host, version: lastVersion, type, fileCount, bytes };
        const { uploadId } = large;
        return { result: { project, uploadId }, publishedAs: undefined };
      }
      const pushed = await mapToUploadFailed(caller, () =>
        pushNow(deps, caller, { project: found, upload, input }),
      );
      const { warnings } = pushed;
      return { result: pushed, publishedAs: pushed.project.id, warnings };
    },
  );
  return describePush(deps, pushed);
}

/** Publishes an upload within its request. */
async function pushNow(
  deps: ReplaceFilesDeps,
  caller: PublishingCaller,
  { project, upload, input }: { project: Project; upload: PreparedUpload; input: Replacement },
): Promise<PushResult> {
  const { expectedVersion, skipsIdentical, draft, note, into, takePictures } = input;
  const choice = { takePictures, replacedBytes: project.bytes, by: 'request' } as const;
  const content =
    into === undefined
      ? { upload: await withPictures(deps, caller, upload, choice) }
      : { merge: { ...into, upload } };
  const settings = pushedSettings(input);
  const push = { project, expectedVersion, skipsIdentical, draft, note, settings };
  return pushVersion(deps, caller, { ...push, ...content });
}

/** The response for a pushed version, also for a draft; for the live one if identical content was skipped. */
export function describePush(
  { addresses }: Pick<ReplaceFilesDeps, 'addresses'>,
  { project, draft, ...result }: PushResult,
) {
  const { id: projectId, host, expiresAt } = project;
  const { version, type, fileCount, bytes } = draft ?? project;
  const url = addresses.siteUrl(host);
  const isDraft = draft !== undefined;
  const { uploadId } = result;
  const facts = { projectId, url, version, type, fileCount, bytes, expiresAt, isDraft, uploadId };
  return { ...deploymentIdField(version), ...facts, ...warningsOf(result) };
}

/** A push that a worker will store, for the project or for a named preview. */
export interface QueuedPush {
  projectId: string;
  input: UploadInput &
    Partial<Pick<Replacement, 'expectedVersion' | 'draft' | 'note' | 'into'>> &
    PictureChoice &
    Pick<UploadJob, 'received'> &
    PushedSettings;
  large: LargeUpload;
  preview?: PreviewChoices;
}

/**
 * Reserves the version's number: a later push gets another. The version is shown when a worker has stored it.
 * @throws CodedError those of changeProject; UNAVAILABLE where others were faster each time: nothing is queued then
 */
export async function queueForWorker(
  deps: ReplaceFilesDeps,
  caller: PublishingCaller,
  { projectId, input, large: { uploadId }, preview }: QueuedPush,
): Promise<Project> {
  const { requestId, account, publishedBy } = caller;
  const { expectedVersion, draft, note, into } = input;
  const { zipIndexHtmlPath, home, asFileBundle, includeHidden, allowSecrets } = input;
  const { takePictures, received } = input;
  const choices = { zipIndexHtmlPath, home, asFileBundle, includeHidden, allowSecrets };
  const options = { ...choices, takePictures, received };
  const settings = pushedSettings(input);
  const store = newStoreId();
  const next: NextOf<ProjectSnapshot> = ({ project, live, now }) => {
    checkExpectedVersion(project, expectedVersion);
    const number = project.lastVersion + 1;
    const job = { kind: 'push', uploadId, accountId: account.id, number, requestId } as const;
    const begins = {
      projectId: project.id,
      store,
      startedAt: instant(now),
      sweepAt: instant(plusSeconds(now, jobRetrySeconds)),
      job: {
        ...job,
        ...options,
        expectedVersion,
        draft,
        note,
        into,
        settings,
        preview,
        publishedBy,
      },
    };
    const waitingPushes = addWaitingPush(project, { number, preview }, now);
    return { fields: { lastVersion: number, waitingPushes }, live, begins };
  };
  const project = await refuseBusy(() => changeProject(deps, caller, projectId, next));
  await sendJob(deps, { projectId: project.id, store }, account.id);
  return project;
}
