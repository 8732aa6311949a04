import type { PublishingCaller } from '../../caller.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { countPublication } from '../../limits/count-publication.ts';
import { writtenBytes } from '../../limits/written-bytes.ts';
import { needsWorker } from '../../uploads/job.ts';
import { limitQueuedUploads } from '../../uploads/storage-calls.ts';
import { mapToUploadFailed } from '../../uploads/upload-failed.ts';
import { type UploadInput, type UploadOutcome, withUpload } from '../../uploads/with-upload.ts';
import { requireOwnedProject } from '../owned-projects.ts';
import { uploadLimits } from '../publishing/upload-limits.ts';
import { calculateCharge, effectiveLimits, requireQuota } from '../quota.ts';
import type { Project } from '../project.ts';
import { queueForWorker, type ReplaceFilesDeps } from '../versions/replace-files.ts';
import { withMerge } from '../versions/update-files.ts';
import { describePreview } from './manage-previews.ts';
import type { NamedPreview, PreviewChoices } from './named-preview.ts';
import { requireAddress, requirePlace, type StoredPreview, storePreview } from './store-preview.ts';

/** New content for a preview. */
export type PreviewInput = UploadInput &
  PreviewChoices & {
    projectId: string;
    /** The version that it shows, if the files go into it instead of in its place. */
    mergeInto?: number | undefined;
    /** Paths of that version; only with `mergeInto`. */
    delete?: readonly string[] | undefined;
  };

/**
 * Publishes an upload as a named preview, which keeps its address at each push, or changes single files of it. It shares no file with the project
 * and never joins its history. Content that it shows already only moves its end.
 * @throws CodedError those of prepareUpload and changeProject; INVALID_REQUEST for a name that is too long beside
 * the slug, for one preview too many, and for a merge of nothing that is there; VERSION_CONFLICT
 */
export async function putPreview(
  deps: ReplaceFilesDeps,
  caller: PublishingCaller,
  { projectId, name, access, lifeSeconds, mergeInto, delete: paths = [], ...input }: PreviewInput,
) {
  const project = await requireOwnedProject(deps.projects, caller, projectId);
  const choices = { name, access, lifeSeconds };
  requireAddress(project, name);
  requirePlace(project, name, deps.now());
  const put: PutPreview = await (mergeInto === undefined
    ? putUpload(deps, caller, { project, choices, input })
    : withMerge(deps, caller, { ...input, projectId, paths }, async (merge) => ({
        ...(await storePreview(deps, caller, { project, choices, merge, mergeInto })),
        projectId: project.id,
      })));
  const preview = put.preview ?? waitingPreview(choices, put, deps.now());
  const { uploadId, isUnchanged = false, warnings } = put;
  return { ...describePreview(deps, project, preview), uploadId, isUnchanged, warnings };
}

async function putUpload(
  deps: ReplaceFilesDeps,
  caller: PublishingCaller,
  { project, choices, input }: { project: Project; choices: PreviewChoices; input: UploadInput },
): Promise<PutPreview> {
  await countPublication(deps, caller);
  const limits = effectiveLimits(deps.plans, caller.account, deps.now());
  return withUpload(
    deps,
    caller,
    { input, limits: uploadLimits(limits), staged: writtenBytes(deps, caller, 'staged') },
    async ({ upload, large }): Promise<UploadOutcome<PutPreview>> => {
      if (large !== undefined && needsWorker(upload)) {
        const more = { ...project, bytes: project.bytes + upload.bytes };
        requireQuota(calculateCharge(project, more, limits), caller.account);
        await limitQueuedUploads(deps, caller, deps.now());
        const push = { projectId: project.id, input, large, preview: choices };
        await queueForWorker(deps, caller, push);
        const { bytes, fileCount } = upload;
        const { uploadId } = large;
        return { result: { bytes, fileCount, uploadId }, publishedAs: undefined };
      }
      const work = { project, upload, choices };
      const result = await mapToUploadFailed(caller, () => storePreview(deps, caller, work));
      return { result, publishedAs: project.id, warnings: result.warnings };
    },
  );
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
