import type {
  Access,
  ProjectId,
  ExpiresIn,
  Slug,
  Spa,
  WorkspaceId,
} from '../../../contract/fields.ts';
import { defaultSettings } from '../../../contract/project-settings.ts';
import type { PublishingCaller } from '../../caller.ts';
import { newStoreId } from '../../content/content-keys.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { requireAssignable } from '../../domains/assign-domain.ts';
import type { DomainStore } from '../../domains/ports.ts';
import { countPublication } from '../../limits/count-publication.ts';
import type { Counters } from '../../limits/counters.ts';
import { writtenBytes } from '../../limits/written-bytes.ts';
import type { ContentStore } from '../../ports.ts';
import { type JobQueue, needsWorker, sendJob, type UploadJob } from '../../uploads/job.ts';
import type { UploadDeps } from '../../uploads/lock-upload.ts';
import { limitQueuedUploads } from '../../uploads/storage-calls.ts';
import { mapToUploadFailed } from '../../uploads/upload-failed.ts';
import { type UploadInput, type UploadOutcome, withUpload } from '../../uploads/with-upload.ts';
import type { LargeUpload } from '../../uploads/upload.ts';
import { checkSlug } from '../addresses/check-slug.ts';
import { type Project, type Version, warningsOf } from '../project.ts';
import { effectiveLimits } from '../quota.ts';
import { expiryOf } from '../removal/expiry.ts';
import { passwordHashFor, projectWarnings } from '../settings/passwords.ts';
import { newPeople, type PeopleDeps, requireMail } from '../settings/people.ts';
import { newProjectId, storeFirstVersion } from './first-version.ts';
import {
  describeNewProject,
  type NewProjectRequest,
  type PublishNewDeps,
  publishNewProject,
  requireRoom,
  writeUnderFreeSlug,
} from './publish-new-project.ts';
import { type PictureChoice, type TakePicturesDeps, withPictures } from './take-pictures.ts';
import { uploadLimits } from './upload-limits.ts';

/** The dependencies for publishing to an account. */
export interface CreateProjectDeps
  extends PublishNewDeps,
    UploadDeps,
    Pick<TakePicturesDeps, 'pictures'>,
    Pick<PeopleDeps, 'sendsMail'> {
  domains: Pick<DomainStore, 'get'>;
  content: ContentStore;
  jobs: JobQueue;
  counters: Pick<Counters, 'count'>;
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** The owner's input for a new project. */
export interface NewProject extends UploadInput, PictureChoice {
  /** Default: a title made from the names of the files. */
  title?: string | undefined;
  slug?: Slug | undefined;
  /** What an address without `slug` is made from, if not from the title. */
  addressTitle?: string | undefined;
  domainId?: string | undefined;
  workspaceId?: WorkspaceId | undefined;
  access: Access;
  password?: string | undefined;
  people?: string[] | undefined;
  deniedPeople?: string[] | undefined;
  expiresIn?: ExpiresIn | undefined;
  expiresAt?: string | undefined;
  spa?: Spa | undefined;
  prettyUrls?: boolean | undefined;
  /** What the caller says about the first version. */
  note?: string | undefined;
  /** An unused id by which a repeated call finds the project that it made; by default a new one. */
  projectId?: ProjectId | undefined;
}

/**
 * Publishes an upload as a project of the caller's own.
 *
 * Cheap checks come before any bytes are stored. The write that makes the project visible decides
 * about quota and address; when it refuses, the stored bytes are removed.
 * @throws CodedError those of prepareUpload; those of requireAssignable; NOT_FOUND, SLUG_TAKEN, PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED, RATE_LIMITED; UPLOAD_FAILED when storing fails
 */
export async function createProject(
  deps: CreateProjectDeps,
  caller: PublishingCaller,
  input: NewProject,
) {
  const { domainId, slug, addressTitle } = input;
  const domain =
    domainId === undefined ? undefined : await requireAssignable(deps, caller, domainId);
  if (slug !== undefined) await checkSlug(deps, caller, slug, domain);
  const limits = effectiveLimits(deps.plans, caller.account, deps.now());
  requireMail(deps, input.access, 'INVALID_REQUEST');
  const people = await newPeople(deps, { caller, limits }, input);
  const details = { ...(await projectDetails(caller, input)), peopleStamp: people?.stamp };
  const expiresAt = (now: Date) => expiryOf(input, now, 'INVALID_REQUEST') ?? null;
  // Refused before anything is stored.
  expiresAt(deps.now());
  await countPublication(deps, caller);
  const { publishedBy } = caller;
  const { note } = input;
  const { project, warnings, uploadId } = await withUpload(
    deps,
    caller,
    { input, limits: uploadLimits(limits), staged: writtenBytes(deps, caller, 'staged') },
    async ({ upload, large, received }): Promise<UploadOutcome<Published>> => {
      const named = { ...details, title: input.title ?? upload.title };
      const address = { slug, addressTitle, domain, expiresAt };
      const request = {
        details: named,
        content: upload,
        ...address,
        limits,
        people,
        publishedBy,
        note,
      };
      requireRoom(caller, request);
      if (large !== undefined && needsWorker(upload)) {
        await limitQueuedUploads(deps, caller, deps.now());
        const job = { uploadId: large.uploadId, requestId: caller.requestId, received };
        const queued = await queueForWorker(deps, request, input, job);
        return { result: { project: queued, uploadId: job.uploadId }, publishedAs: undefined };
      }
      const result = await mapToUploadFailed(caller, () =>
        publish(deps, caller, { request, upload, input }),
      );
      return { result, publishedAs: result.project.id, warnings: result.warnings };
    },
  );
  const created = await describeNewProject(deps, caller, project);
  return { ...created, uploadId, ...projectWarnings(input, warnings) };
}

async function projectDetails({ account }: PublishingCaller, input: NewProject) {
  const { access, workspaceId = null } = input;
  const { spa = defaultSettings.spa, prettyUrls = defaultSettings.prettyUrls } = input;
  const passwordHash = await passwordHashFor(input);
  return { access, workspaceId, passwordHash, spa, prettyUrls, ownerId: account.id };
}

/** A published project, and the lines of its rules that were ignored. */
interface Published extends Pick<Version, 'warnings'> {
  project: Project;
  /** The upload that a worker publishes later. */
  uploadId?: LargeUpload['uploadId'];
}

async function publish(
  deps: CreateProjectDeps,
  caller: PublishingCaller,
  {
    request,
    upload,
    input,
  }: { request: NewProjectRequest; upload: PreparedUpload; input: NewProject },
): Promise<Published> {
  const { takePictures, projectId } = input;
  const choice = { takePictures, replacedBytes: 0, by: 'request' } as const;
  const whole = await withPictures(deps, caller, upload, choice);
  const options = { ...request.details, projectId, written: writtenBytes(deps, caller, 'stored') };
  const first = await storeFirstVersion(deps, whole, deps.now(), options);
  return { project: await publishNewProject(deps, request, first), ...warningsOf(first.stored) };
}

/**
 * Creates the project of an upload that takes longer than its request may. The owner sees it
 * immediately; it is `uploading` until a worker has published it (`publish-queued-upload.ts`).
 */
async function queueForWorker(
  deps: CreateProjectDeps,
  request: NewProjectRequest,
  input: NewProject,
  { uploadId, requestId, received }: Pick<UploadJob, 'uploadId' | 'requestId' | 'received'>,
): Promise<Project> {
  const { zipIndexHtmlPath, home, asFileBundle, includeHidden, allowSecrets, takePictures } = input;
  const { ownerId: accountId } = request.details;
  const { publishedBy, note } = request;
  const key = { projectId: input.projectId ?? newProjectId(), store: newStoreId() };
  const job = { kind: 'first', uploadId, accountId, number: 1, requestId } as const;
  const choices = { zipIndexHtmlPath, home, asFileBundle, includeHidden, allowSecrets };
  const options = { ...choices, takePictures, received };
  const queued = { ...key, job: { ...job, ...options, publishedBy, note } };
  const project = await writeUnderFreeSlug(deps, request, queued);
  await sendJob(deps, key, accountId);
  return project;
}
