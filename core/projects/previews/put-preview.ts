import type { PublishingCaller } from '../../caller.ts';
import { newStoreId, type StoreId } from '../../content/content-keys.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { writtenBytes } from '../../limits/written-bytes.ts';
import { jobRetrySeconds, needsWorker, sendJob } from '../../uploads/job.ts';
import { limitQueuedUploads } from '../../uploads/storage-calls.ts';
import { mapToUploadFailed } from '../../uploads/upload-failed.ts';
import type { LargeUpload } from '../../uploads/upload.ts';
import { type UploadInput, type UploadOutcome, withUpload } from '../../uploads/with-upload.ts';
import { previewHost } from '../addresses/preview-host.ts';
import { changeProject } from '../change/change-project.ts';
import { requireOwnedProject } from '../owned-projects.ts';
import { type Project, warningsOf } from '../project.ts';
import { uploadLimits } from '../publishing/upload-limits.ts';
import { beginStoring, storeVersion, withoutFiles } from '../publishing/store-version.ts';
import { calculateCharge, effectiveLimits, requireQuota } from '../quota.ts';
import { discardUpload } from '../removal/abandoned-upload.ts';
import { isSameContent, type PushDeps } from '../versions/push-version.ts';
import { readManifest } from '../versions/kept-versions.ts';
import type { ReplaceFilesDeps } from '../versions/replace-files.ts';
import { describePreview, endFiles, runningPreviews } from './manage-previews.ts';
import type { NamedPreview } from './named-preview.ts';

/** The most previews of one project: open pull requests, and no more than a listing shows. */
const maxPreviews = 20;

/** What a preview is made with, beside its files. */
export type PreviewChoices = Pick<NamedPreview, 'name' | 'access'> & {
  /** Counted from each push. */
  lifeSeconds: number;
};

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
        await queue(deps, caller, { project, choices, input, large });
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

/** An upload that passed its checks, for a preview; `queued` by a worker: the store of its intent. */
export interface PreviewWork {
  project: Project;
  upload: PreparedUpload;
  choices: PreviewChoices;
  queued?: { store: StoreId; number: number };
  onStored?(file: { size: number }): void;
}

interface StoredPreview {
  preview: NamedPreview;
  isUnchanged: boolean;
  warnings?: ReturnType<typeof warningsOf>['warnings'];
}

/** Stores an upload, and makes the preview show it. @throws CodedError */
export async function storePreview(
  deps: PushDeps,
  caller: PublishingCaller,
  { project, upload, choices, queued, onStored }: PreviewWork,
): Promise<StoredPreview> {
  const { id, spa } = project;
  const store = queued?.store ?? (await beginStoring(deps, id, deps.now()));
  const target = { projectId: id, store };
  const written = writtenBytes(deps, caller, 'stored');
  const stored = await storeVersion(deps.content, target, upload, {
    spa,
    written,
    ...(onStored !== undefined && { onStored }),
  });
  let former: NamedPreview | undefined;
  let preview: NamedPreview | undefined;
  let isUnchanged = false;
  try {
    await changeProject(deps, caller, id, async ({ project: current, live, now }) => {
      requireAddress(current, choices.name);
      requirePlace(current, choices.name, now);
      const others = runningPreviews(current, now);
      former = others.find(({ name }) => name === choices.name);
      const shown = former && (await deps.projects.getDroppedVersion(id, former.version));
      const files = shown && (await readManifest(deps.content, id, shown));
      isUnchanged =
        shown !== undefined && files !== undefined && isSameContent({ ...shown, files }, stored);
      const number = queued?.number ?? current.lastVersion + 1;
      preview = nextPreview(choices, { former, now, stored, number });
      const isKept = isUnchanged && former !== undefined;
      if (isKept && former !== undefined) preview = { ...preview, version: former.version };
      const previews = [...others.filter((one) => one !== former), preview];
      const fields = { lastVersion: Math.max(current.lastVersion, number), previews };
      if (isKept) return { fields: { previews }, live };
      const { publishedBy } = caller;
      const version = {
        ...withoutFiles(stored),
        version: number,
        createdAt: instant(now),
        publishedBy,
      };
      return { fields, live, aside: { version, until: preview.expiresAt } };
    });
  } catch (error) {
    if (error instanceof CodedError) await discardUpload(deps, target);
    throw error;
  }
  if (preview === undefined) throw new Error('no preview was written');
  if (isUnchanged) await discardUpload(deps, target);
  if (isUnchanged) await deps.projects.postponeDrop(id, preview.version, preview.expiresAt);
  else if (former !== undefined) await endFiles(deps, id, former);
  return { preview, isUnchanged, ...warningsOf(stored) };
}

function nextPreview(
  { name, access, lifeSeconds }: PreviewChoices,
  {
    former,
    now,
    stored,
    number,
  }: {
    former: NamedPreview | undefined;
    now: Date;
    stored: { bytes: number; fileCount: number };
    number: number;
  },
): NamedPreview {
  const { bytes, fileCount } = stored;
  const updatedAt = instant(now);
  const createdAt = former?.createdAt ?? updatedAt;
  const expiresAt = instant(plusSeconds(now, lifeSeconds));
  return { name, access, version: number, bytes, fileCount, createdAt, updatedAt, expiresAt };
}

/** Leaves the storing to a worker. It takes the version's number now, so that a later push gets another. */
async function queue(
  deps: ReplaceFilesDeps,
  caller: PublishingCaller,
  {
    project: { id },
    choices,
    input,
    large: { uploadId },
  }: {
    project: Project;
    choices: PreviewChoices;
    input: UploadInput;
    large: LargeUpload;
  },
): Promise<void> {
  const { requestId, account, publishedBy } = caller;
  const { zipIndexHtmlPath, home, asFileBundle, includeHidden, allowSecrets } = input;
  const options = { zipIndexHtmlPath, home, asFileBundle, includeHidden, allowSecrets };
  const store = newStoreId();
  await changeProject(deps, caller, id, ({ project, live, now }) => {
    const number = project.lastVersion + 1;
    const job = { kind: 'push', uploadId, accountId: account.id, number, requestId } as const;
    const begins = {
      projectId: id,
      store,
      startedAt: instant(now),
      sweepAt: instant(plusSeconds(now, jobRetrySeconds)),
      job: { ...job, ...options, preview: choices, publishedBy },
    };
    return { fields: { lastVersion: number }, live, begins };
  });
  await sendJob(deps, { projectId: id, store }, account.id);
}

/** @throws CodedError INVALID_REQUEST */
function requireAddress({ host }: Project, name: string): void {
  if (previewHost({ host, shows: name }) !== undefined) return;
  throw refusedName('is too long beside the name in the address of the project');
}

/** @throws CodedError INVALID_REQUEST */
function requirePlace(project: Project, name: string, now: Date): void {
  const others = runningPreviews(project, now).filter((one) => one.name !== name);
  if (others.length < maxPreviews) return;
  throw refusedName(`would be one too many: a project has at most ${maxPreviews} previews`);
}

function refusedName(message: string): CodedError {
  return new CodedError('INVALID_REQUEST', {
    error: `\`name\` ${message}.`,
    details: [{ path: 'name', message }],
    nextStep:
      'Take a shorter name, or delete previews: GET /v1/projects/{projectId}/previews lists them.',
  });
}
