import type { PublishingCaller } from '../../caller.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { needsWorker } from '../../uploads/job.ts';
import { limitQueuedUploads } from '../../uploads/storage-calls.ts';
import { mapToUploadFailed } from '../../uploads/upload-failed.ts';
import { type UploadInput, type UploadOutcome, withUpload } from '../../uploads/with-upload.ts';
import { requireOwnedProject } from '../owned-projects.ts';
import { uploadLimits } from '../publishing/upload-limits.ts';
import { calculateCharge, effectiveLimits, requireQuota } from '../quota.ts';
import { queueForWorker, type ReplaceFilesDeps } from '../versions/replace-files.ts';
import { describePreview } from './manage-previews.ts';
import type { NamedPreview, PreviewChoices } from './named-preview.ts';
import { requireAddress, requirePlace, type StoredPreview, storePreview } from './store-preview.ts';

/** New content for a preview. */
export type PreviewInput = UploadInput & PreviewChoices & { projectId: string };

/**
 * Publishes an upload as a named preview, which keeps its address at each push. It shares no file with the project
 * and never joins its history. Content that it shows already only moves its end.
 * @throws CodedError those of prepareUpload and changeProject; INVALID_REQUEST for a name that is too long beside
 * the slug, and for one preview too many
 */
export async function putPreview(
  deps: ReplaceFilesDeps,
  caller: PublishingCaller,
  { projectId, name, access, lifeSeconds, ...input }: PreviewInput,
) {
  const project = await requireOwnedProject(deps.projects, caller, projectId);
  const choices = { name, access, lifeSeconds };
  requireAddress(project, name);
  requirePlace(project, name, deps.now());
  const limits = effectiveLimits(deps.plans, caller.account, deps.now());
  const put = await withUpload(
    deps,
    caller,
    { input, limits: uploadLimits(limits) },
    async ({ upload, large }): Promise<UploadOutcome<PutPreview>> => {
      if (large !== undefined && needsWorker(upload)) {
        const more = { ...project, bytes: project.bytes + upload.bytes };
        requireQuota(calculateCharge(project, more, limits), caller.account);
        await limitQueuedUploads(deps, caller, deps.now());
        await queueForWorker(deps, caller, { projectId, input, large, preview: choices });
        const { bytes, fileCount } = upload;
        const { uploadId } = large;
        return { result: { bytes, fileCount, uploadId }, publishedAs: undefined };
      }
      const work = { project, upload, choices };
      const result = await mapToUploadFailed(caller, () => storePreview(deps, caller, work));
      return { result, publishedAs: project.id };
    },
  );
  const preview = put.preview ?? waitingPreview(choices, put, deps.now());
  const { uploadId, isUnchanged = false, warnings } = put;
  return { ...describePreview(deps, project, preview), uploadId, isUnchanged, warnings };
}

type PutPreview = Pick<StoredPreview, 'warnings'> &
  Partial<StoredPreview> & { uploadId?: string; bytes?: number; fileCount?: number };

/** A preview that a worker will store. */
function waitingPreview(
  { name, access, lifeSeconds }: PreviewChoices,
  { bytes = 0, fileCount = 1 }: PutPreview,
  now: Date,
): NamedPreview {
  const times = { createdAt: instant(now), updatedAt: instant(now) };
  const expiresAt = instant(plusSeconds(now, lifeSeconds));
  return { name, access, version: 1, bytes, fileCount, ...times, expiresAt };
}
