import type {
  Access,
  AccountId,
  ProjectId,
  ExpiresIn,
  Slug,
  Spa,
  WorkspaceId,
  PublishedBy,
} from '../../../contract/fields.ts';
import { defaultSettings } from '../../../contract/project-settings.ts';
import { type Plans, describeQuota } from '../../accounts/account.ts';
import type { AccountStore } from '../../accounts/ports.ts';
import type { PublishingCaller, Caller } from '../../caller.ts';
import { newStoreId, type StoreKey } from '../../content/content-keys.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { requireAssignable } from '../../domains/assign-domain.ts';
import type { StoredDomain } from '../../domains/domain.ts';
import type { DomainStore } from '../../domains/ports.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { Counters } from '../../limits/counters.ts';
import { type WrittenBytes, writtenBytes } from '../../limits/written-bytes.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import {
  type JobQueue,
  jobRetrySeconds,
  needsWorker,
  sendJob,
  type UploadJob,
} from '../../uploads/job.ts';
import type { UploadDeps } from '../../uploads/lock-upload.ts';
import { limitQueuedUploads } from '../../uploads/storage-calls.ts';
import { mapToUploadFailed } from '../../uploads/upload-failed.ts';
import { type UploadInput, type UploadOutcome, withUpload } from '../../uploads/with-upload.ts';
import type { LargeUpload } from '../../uploads/upload.ts';
import type { Addresses } from '../addresses/addresses.ts';
import { checkSlug, isReserved, slugTaken, titleSlugsTaken } from '../addresses/check-slug.ts';
import { titleSlugs } from '../addresses/slugs.ts';
import { confirmWrite } from '../confirm-write.ts';
import { noHistory } from '../history/project-history.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import { type Project, type Version, warningsOf } from '../project.ts';
import { calculateCharge, effectiveLimits, requireQuota, type TotalLimits } from '../quota.ts';
import { discardUpload } from '../removal/abandoned-upload.ts';
import { expiryAfter } from '../removal/expiry.ts';
import { passwordHashFor, projectWarnings } from '../settings/passwords.ts';
import { buildCreation, type ProjectChange, requireChanged } from '../change/project-change.ts';
import {
  type FirstVersion,
  newProject,
  newProjectId,
  publishedProject,
  storeFirstVersion,
} from './first-version.ts';
import { uploadLimits } from './upload-limits.ts';

/** The dependencies for publishing to an account. */
export interface CreateProjectDeps extends UploadDeps {
  projects: ProjectStore;
  domains: Pick<DomainStore, 'get'>;
  owned: Pick<OwnedProjectStore, 'change'>;
  accounts: Pick<AccountStore, 'get'>;
  content: ContentStore;
  jobs: JobQueue;
  addresses: Addresses;
  plans: Plans;
  brand: string;
  /** Reports bytes of a refused upload that the next sweep has to remove. */
  onFailure(item: unknown, error: unknown): void;
  counters: Pick<Counters, 'count'>;
  now(): Date;
}

/** The owner's input for a new project. */
export interface NewProject extends UploadInput {
  /** Default: a title made from the names of the files. */
  title?: string | undefined;
  slug?: Slug | undefined;
  domainId?: string | undefined;
  workspaceId?: WorkspaceId | undefined;
  access: Access;
  password?: string | undefined;
  expiresIn?: ExpiresIn | undefined;
  spa?: Spa | undefined;
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
  const { domainId } = input;
  const domain =
    domainId === undefined ? undefined : await requireAssignable(deps, caller, domainId);
  if (input.slug !== undefined) await checkSlug(deps, caller, input.slug, domain);
  const limits = effectiveLimits(deps.plans, caller.account, deps.now());
  const details = await projectDetails(caller, input);
  const { project, warnings, uploadId } = await withUpload(
    deps,
    caller,
    { input, limits: uploadLimits(limits) },
    async ({ upload, large }): Promise<UploadOutcome<Published>> => {
      const title = input.title ?? upload.title;
      const { publishedBy } = caller;
      const named = { ...details, title };
      const request = { input, details: named, upload, limits, domain, publishedBy };
      requireRoom(caller, request);
      if (large !== undefined && needsWorker(upload)) {
        await limitQueuedUploads(deps, caller, deps.now());
        const from = { uploadId: large.uploadId, requestId: caller.requestId };
        const queued = await queueForWorker(deps, request, from);
        const { uploadId } = large;
        return { result: { project: queued, uploadId }, publishedAs: undefined };
      }
      const written = writtenBytes(deps, caller, 'stored');
      const result = await mapToUploadFailed(caller, () => publish(deps, request, written));
      return { result, publishedAs: result.project.id };
    },
  );
  // The project is published already. If this read fails, the response has the totals from before.
  const account = await deps.accounts.get(caller.account.id).catch(() => undefined);
  const { id: projectId, host, title, type, slug, expiresAt, createdAt } = project;
  const { version, fileCount, bytes } = project;
  const url = deps.addresses.siteUrl(host);
  const quota = describeQuota(account ?? caller.account, limits);
  const content = { version, type, fileCount, bytes, uploadId };
  const advice = projectWarnings(input, warnings);
  return { projectId, url, title, slug, ...content, expiresAt, createdAt, quota, ...advice };
}

async function projectDetails({ account }: PublishingCaller, input: NewProject) {
  const { access, workspaceId = null, spa = defaultSettings.spa } = input;
  const passwordHash = await passwordHashFor(input);
  return { access, workspaceId, passwordHash, spa, ownerId: account.id };
}

/**
 * An early check of the quota; the write checks it again. @throws CodedError PROJECT_LIMIT_REACHED,
 * STORAGE_LIMIT_REACHED
 */
function requireRoom({ account }: PublishingCaller, { details, upload, limits }: PublishRequest) {
  const active = { archivedAt: null, removingAt: null, history: noHistory };
  const counted = { ...details, ...active, bytes: upload.bytes };
  requireQuota(calculateCharge(undefined, counted, limits), account);
}

/** A request to publish that passed its checks: its settings, and the content. */
interface PublishRequest {
  input: NewProject;
  details: Pick<Project, 'title' | 'access' | 'workspaceId' | 'passwordHash' | 'spa'> & {
    ownerId: AccountId;
  };
  upload: PreparedUpload;
  limits: TotalLimits;
  /** The custom domain beneath which it is published. */
  domain: StoredDomain | undefined;
  publishedBy: PublishedBy;
}

/** A published project, and the lines of its rules that were ignored. */
interface Published extends Pick<Version, 'warnings'> {
  project: Project;
  /** The upload that a worker publishes later. */
  uploadId?: LargeUpload['uploadId'];
}

async function publish(
  deps: CreateProjectDeps,
  request: PublishRequest,
  written: WrittenBytes,
): Promise<Published> {
  const first = await storeFirstVersion(deps, request.upload, deps.now(), {
    ...request.details,
    projectId: request.input.projectId,
    written,
  });
  try {
    return { project: await writeUnderFreeSlug(deps, request, first), ...warningsOf(first.stored) };
  } catch (error) {
    // After any other error it may be published. The sweep decides by its intent.
    if (error instanceof CodedError) {
      await discardUpload(deps, { projectId: first.projectId, ...first.stored });
    }
    throw error;
  }
}

/**
 * Creates the project of an upload that takes longer than its request may. The owner sees it
 * immediately; it is `uploading` until a worker has published it (`publish-queued-upload.ts`).
 */
async function queueForWorker(
  deps: CreateProjectDeps,
  request: PublishRequest,
  { uploadId, requestId }: Pick<LargeUpload, 'uploadId'> & Pick<Caller, 'requestId'>,
): Promise<Project> {
  const { zipIndexHtmlPath, home, asFileBundle, includeHidden, allowSecrets } = request.input;
  const { ownerId: accountId } = request.details;
  const { publishedBy } = request;
  const key = { projectId: request.input.projectId ?? newProjectId(), store: newStoreId() };
  const job = { kind: 'first', uploadId, accountId, number: 1, requestId } as const;
  const options = { zipIndexHtmlPath, home, asFileBundle, includeHidden, allowSecrets };
  const queued = { ...key, job: { ...job, ...options, publishedBy } };
  const project = await writeUnderFreeSlug(deps, request, queued);
  await sendJob(deps, key, accountId);
  return project;
}

/** The first version: stored already, or a job for a worker. */
type First = FirstVersion | (StoreKey & { job: UploadJob });

/** Writes the new project under the first of its slugs that is free. @throws CodedError SLUG_TAKEN; those of requireChanged */
async function writeUnderFreeSlug(
  deps: CreateProjectDeps,
  request: PublishRequest,
  first: First,
): Promise<Project> {
  const { slug: chosen } = request.input;
  const brand = request.domain === undefined ? deps.brand : undefined;
  const fromTitle = titleSlugs(request.details.title, (slug) => !isReserved(slug, brand));
  for (const slug of chosen === undefined ? fromTitle : [chosen]) {
    const change = buildFirstChange(deps, request, first, slug);
    const outcome = await deps.owned
      .change(change)
      .catch(confirmWrite(deps.projects, change, 'changed' as const));
    if (outcome === 'slug-taken' || outcome === 'slug-reserved') continue;
    if (outcome === 'lost') throw new Error('a project with the id of a new one exists already');
    requireChanged(change, outcome);
    return change.after;
  }
  throw chosen === undefined ? titleSlugsTaken() : slugTaken(chosen);
}

function buildFirstChange(
  deps: CreateProjectDeps,
  { input, details, upload, limits, domain, publishedBy }: PublishRequest,
  first: First,
  slug: Slug,
): ProjectChange {
  const now = deps.now();
  const host = deps.addresses.hostOf(slug, domain?.name);
  const domainId = domain?.id ?? null;
  const located = {
    ...details,
    slug,
    host,
    domainId,
    expiresAt: expiryAfter(input.expiresIn, now),
  };
  if ('stored' in first) {
    const publishing = { now, publishedBy };
    const { project, version } = publishedProject(first, located, publishing);
    return buildCreation(project, { version, limits }, now);
  }
  const sweepAt = instant(plusSeconds(now, jobRetrySeconds));
  const begins = { ...first, startedAt: instant(now), sweepAt };
  return buildCreation(newProject(first.projectId, upload, located, now), { begins, limits }, now);
}
