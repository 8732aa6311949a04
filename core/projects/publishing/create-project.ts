import type { Access, ExpiresIn, Slug, WorkspaceId } from '../../../contract/fields.ts';
import { type Plans, quotaOf } from '../../accounts/account.ts';
import type { AccountStore } from '../../accounts/ports.ts';
import type { AccountCaller } from '../../caller.ts';
import { newStoreId } from '../../content/content-keys.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import { handOut, type JobQueue, jobSeconds, needsWorker } from '../../uploads/job.ts';
import type { OpenUploadDeps } from '../../uploads/open-upload.ts';
import type { LargeUpload } from '../../uploads/upload.ts';
import {
  type AnyUpload,
  type Understood,
  type Used,
  withUpload,
} from '../../uploads/with-upload.ts';
import type { Addresses } from '../addresses/addresses.ts';
import { type Change, creationOf } from '../settings/change.ts';
import { checkSlug } from '../addresses/check-slug.ts';
import { notYours, requireChanged, slugTaken } from '../settings/change-project.ts';
import { toldOf } from '../versions/deployment.ts';
import { endAfter } from '../removal/ending.ts';
import { failingAsUpload } from './failing-as-upload.ts';
import {
  type FirstVersion,
  goLive,
  newProject,
  newProjectId,
  storeFirstVersion,
} from './first-version.ts';
import { isWritten } from './is-written.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import { passwordHashFor } from '../settings/password-hash.ts';
import { projectWarnings } from '../settings/password-warning.ts';
import type { Project } from '../project.ts';
import { noHistory } from '../history/project-history.ts';
import { chargeOf, checkCharge, limitsOf, type SumLimits } from '../quota.ts';
import { isReserved } from '../addresses/reserved-slugs.ts';
import { titleSlugs } from '../addresses/slugs.ts';
import { removeIntent } from '../removal/sweep.ts';
import { uploadLimits } from './upload-limits.ts';

/** What publishing to an account needs. */
export interface CreateProjectDeps extends OpenUploadDeps {
  projects: ProjectStore;
  owned: Pick<OwnedProjectStore, 'change'>;
  accounts: Pick<AccountStore, 'get'>;
  content: ContentStore;
  jobs: JobQueue;
  addresses: Addresses;
  plans: Plans;
  brand: string;
  /** Told of bytes of a refused upload that the next sweep has to remove. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** A project as its owner asks for it. */
export interface NewProject extends AnyUpload {
  /** Made from the names of the files where there is none. */
  title?: string | undefined;
  slug?: Slug | undefined;
  domainId?: string | undefined;
  workspaceId?: WorkspaceId | undefined;
  access: Access;
  password?: string | undefined;
  expiresIn?: ExpiresIn | undefined;
}

/**
 * Publishes an upload as a project of the caller's own.
 *
 * What can be refused cheaply is refused before bytes are stored; the quota and the address are
 * settled in the step that makes the project visible, and nothing of a refused one remains.
 * @throws CodedError those of prepareUpload; NOT_FOUND, SLUG_TAKEN, PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED; UPLOAD_FAILED when storing fails
 */
export async function createProject(
  deps: CreateProjectDeps,
  caller: AccountCaller,
  input: NewProject,
) {
  // No account has a domain yet.
  if (input.domainId !== undefined) throw notYours('domainId', 'domain');
  if (input.slug !== undefined) await checkSlug(deps, caller, input.slug);
  const limits = limitsOf(deps.plans, caller.account, deps.now());
  const facts = await factsOf(caller, input);
  const { project, told: rules } = await withUpload(
    deps,
    caller,
    { input, limits: uploadLimits(limits) },
    async (understood) => {
      const { bytes, title: ownTitle } = understood.upload;
      const still = { archivedAt: null, removingAt: null, history: noHistory };
      const counted = { ...facts, ...still, bytes };
      checkCharge(chargeOf(undefined, counted, limits), caller.account);
      const titled = { ...facts, title: input.title ?? ownTitle };
      const wanted = { input, facts: titled, limits, ...understood };
      return publishOrAccept(deps, caller, wanted);
    },
  );
  const account = await deps.accounts.get(caller.account.id);
  const { id: projectId, host, title, type, slug, expiresAt, createdAt } = project;
  const { version, fileCount, bytes } = project;
  const url = deps.addresses.siteUrl(host);
  const quota = quotaOf(account ?? caller.account, limits);
  const content = { version, type, fileCount, bytes };
  const told = projectWarnings(input, rules.warnings);
  return { projectId, url, title, slug, ...content, expiresAt, createdAt, quota, ...told };
}

async function publishOrAccept(
  deps: CreateProjectDeps,
  caller: AccountCaller,
  wanted: Wanted & Understood,
): Promise<Used<Published>> {
  const { large } = wanted;
  if (large !== undefined && needsWorker(wanted.upload)) {
    const project = await accept(deps, caller, { ...wanted, large });
    return { result: { project, told: {} }, publishedAs: undefined };
  }
  const result = await failingAsUpload(caller, () => publish(deps, wanted));
  return { result, publishedAs: result.project.id };
}

/** A project that is there, and what its owner is told about its content. */
interface Published {
  project: Project;
  told: ReturnType<typeof toldOf>;
}

interface Wanted {
  input: NewProject;
  facts: Awaited<ReturnType<typeof factsOf>> & { title: string };
  upload: PreparedUpload;
  limits: SumLimits;
}

async function publish(deps: CreateProjectDeps, wanted: Wanted): Promise<Published> {
  const first = await storeFirstVersion(deps, wanted.upload, deps.now());
  try {
    const project = await appear(deps, wanted, (slug) => firstChange(deps, first, wanted, slug));
    return { project, told: toldOf(first.stored) };
  } catch (error) {
    if (error instanceof CodedError) await withdraw(deps, first);
    throw error;
  }
}

/** It is the owner's at once, and `uploading` until a worker has stored it. */
async function accept(
  deps: CreateProjectDeps,
  { requestId }: AccountCaller,
  wanted: Wanted & { large: LargeUpload },
): Promise<Project> {
  const { input, facts, upload, limits, large } = wanted;
  const { uploadId } = large;
  const { zipIndexHtmlPath, asFileBundle } = input;
  const projectId = newProjectId();
  const store = newStoreId();
  const job = { kind: 'first', uploadId, accountId: facts.ownerId, number: 1, requestId } as const;
  const project = await appear(deps, wanted, (slug) => {
    const now = deps.now();
    const begins = {
      projectId,
      store,
      startedAt: instant(now),
      sweepAt: instant(plusSeconds(now, jobSeconds)),
      job: { ...job, zipIndexHtmlPath, asFileBundle },
    };
    return creationOf(
      projectAt(deps, { projectId, upload, input, facts }, slug),
      { begins, limits },
      now,
    );
  });
  await handOut(deps, { projectId, store });
  return project;
}

/** Writes the change under the first address that is free. */
async function appear(
  deps: CreateProjectDeps,
  { input: { slug }, facts: { title } }: Pick<Wanted, 'input' | 'facts'>,
  make: (slug: Slug) => Change,
): Promise<Project> {
  const slugs =
    slug === undefined ? titleSlugs(title, (one) => !isReserved(one, deps.brand)) : [slug];
  const live = await goLive(slugs, make, async (change) =>
    deps.owned.change(change).catch(async (error: unknown) => {
      if (await isWritten(deps.projects, change.after)) return 'changed' as const;
      throw error;
    }),
  );
  if (live === undefined) throw slugTaken(slug ?? 'every address made from the title');
  if (live.outcome === 'lost') throw new Error('a new project met one with its id');
  requireChanged(live.publication, live.outcome);
  return live.publication.after;
}

function firstChange(
  deps: CreateProjectDeps,
  { projectId, stored }: FirstVersion,
  { limits, ...wanted }: Wanted,
  slug: Slug,
): Change {
  const { files: _, ...content } = stored;
  const project = projectAt(deps, { projectId, ...wanted }, slug);
  const version = { ...content, version: 1, createdAt: project.createdAt };
  const now = new Date(project.createdAt);
  return creationOf({ ...project, version: 1, lastVersion: 1 }, { version, limits }, now);
}

function projectAt(
  deps: CreateProjectDeps,
  { projectId, upload, input, facts }: Omit<Wanted, 'limits'> & { projectId: Project['id'] },
  slug: Slug,
): Project {
  const now = deps.now();
  const host = deps.addresses.hostOf(slug);
  const expiresAt = endAfter(input.expiresIn, now);
  return newProject(projectId, upload, { ...facts, slug, host, expiresAt }, now);
}

/** It surely was not published: its bytes may go at once, and the sweep need not look for them. */
async function withdraw(
  deps: CreateProjectDeps,
  { projectId, stored }: FirstVersion,
): Promise<void> {
  const { store } = stored;
  try {
    await removeIntent(deps, projectId, store, deps.now());
  } catch (error) {
    deps.onFailure({ kind: 'intent', projectId, store }, error);
  }
}

async function factsOf({ account }: AccountCaller, input: NewProject) {
  const { access, workspaceId = null } = input;
  const passwordHash = await passwordHashFor(input);
  return { access, workspaceId, passwordHash, ownerId: account.id };
}
