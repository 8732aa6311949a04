import type { Access, ExpiresIn, Slug } from '../../contract/fields.ts';
import type { PlanLimits } from '../../contract/plans.ts';
import { type Plans, quotaOf } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/ports.ts';
import type { AccountCaller } from '../caller.ts';
import { prepareUpload, type Upload, type UploadLimits } from '../content/prepare-upload.ts';
import { CodedError } from '../errors.ts';
import type { ContentStore, ProjectStore } from '../ports.ts';
import type { Addresses } from './addresses.ts';
import { endAfter } from './ending.ts';
import { type FirstVersion, firstPublication, goLive, storeFirstVersion } from './first-version.ts';
import type { OwnedProjectStore } from './owned-projects.ts';
import { hashPassword } from './password-hash.ts';
import type { Project } from './project.ts';
import { type Charge, chargeOf, checkCharge, limitsOf, overQuota } from './quota.ts';
import { isReserved } from './reserved-slugs.ts';
import { titleSlugs } from './slugs.ts';
import { removeIntent } from './sweep.ts';

/** What publishing to an account needs. */
export interface CreateProjectDeps {
  projects: ProjectStore;
  owned: Pick<OwnedProjectStore, 'publish'>;
  accounts: Pick<AccountStore, 'get'>;
  content: ContentStore;
  addresses: Addresses;
  plans: Plans;
  brand: string;
  /** Told of bytes of a refused upload that the next sweep has to remove. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** A project as its owner asks for it. */
export interface NewProject extends Upload {
  title: string;
  slug?: Slug | undefined;
  domainId?: string | undefined;
  workspaceId?: string | undefined;
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
  checkBelongings(input);
  if (input.slug !== undefined) await checkSlug(deps, input.slug);
  const limits = limitsOf(deps.plans, caller.account, deps.now());
  const upload = await prepareUpload(input, uploadLimits(limits));
  const charge = chargeOf(caller.account, limits, upload.bytes);
  checkCharge(charge, caller.account);
  const passwordHash = await passwordHashOf(input);
  const project = await failingAsUpload(caller, async () => {
    const first = await storeFirstVersion(deps, upload, deps.now());
    return publish(deps, first, { input, charge, passwordHash });
  });
  const account = await deps.accounts.get(caller.account.id);
  const { id, host, title, type, slug, expiresAt, createdAt } = project;
  const url = deps.addresses.siteUrl(host);
  const quota = quotaOf(account ?? caller.account, limits);
  return { projectId: id, url, title, type, slug, expiresAt, createdAt, quota };
}

interface Wanted {
  input: NewProject;
  charge: Charge;
  passwordHash: string | null;
}

async function publish(
  deps: CreateProjectDeps,
  first: FirstVersion,
  { input, charge, passwordHash }: Wanted,
): Promise<Project> {
  const { title, slug, access, expiresIn } = input;
  const slugs =
    slug === undefined ? titleSlugs(title, (one) => !isReserved(one, deps.brand)) : [slug];
  const live = await goLive(
    slugs,
    (one) => {
      const now = deps.now();
      const host = deps.addresses.hostOf(one);
      const expiresAt = endAfter(expiresIn, now);
      const own = { title, access, passwordHash, expiresAt, ownerId: charge.accountId };
      return firstPublication(first, { slug: one, host, ...own }, now);
    },
    (publication) => deps.owned.publish(publication, charge),
  );
  if (live?.outcome === 'published') return live.publication.project;
  await withdraw(deps, first);
  if (live !== undefined) throw overQuota(charge, live.outcome.refused) ?? new Error('refused');
  throw slugTaken(slug ?? 'every address made from the title');
}

/** It surely was not published: its bytes may go at once, and the sweep need not look for them. */
async function withdraw(deps: CreateProjectDeps, { projectId }: FirstVersion): Promise<void> {
  try {
    await removeIntent(deps, projectId, 1);
  } catch (error) {
    deps.onFailure({ kind: 'intent', projectId, version: 1 }, error);
  }
}

/** No domain and no workspace exists yet, so that no id names one. */
function checkBelongings({ domainId, workspaceId }: NewProject): void {
  if (domainId !== undefined) throw notFound('domainId', 'domain');
  if (workspaceId !== undefined) throw notFound('workspaceId', 'workspace');
}

async function checkSlug(deps: CreateProjectDeps, slug: Slug): Promise<void> {
  if (isReserved(slug, deps.brand)) throw slugTaken(slug);
  if (await deps.projects.holds(deps.addresses.hostOf(slug))) throw slugTaken(slug);
}

/** The plan's limits as an upload meets them; -1 means unlimited. */
function uploadLimits({ maxFilesPerProject, maxUploadBytes }: PlanLimits): UploadLimits {
  const files = maxFilesPerProject === -1 ? Number.POSITIVE_INFINITY : maxFilesPerProject;
  const bytes = maxUploadBytes === -1 ? Number.POSITIVE_INFINITY : maxUploadBytes;
  return {
    maxParts: files,
    maxBytes: bytes,
    maxArchiveEntries: files,
    maxArchiveBytes: 4 * bytes,
  };
}

async function passwordHashOf({ access, password }: NewProject): Promise<string | null> {
  if (access !== 'password') return null;
  if (password === undefined) throw new Error('a password is required');
  return hashPassword(password);
}

async function failingAsUpload<T>({ requestId }: AccountCaller, work: () => Promise<T>) {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    const error = 'The upload could not be stored.';
    throw new CodedError('UPLOAD_FAILED', { error, requestId }, { cause });
  }
}

function notFound(field: string, what: string): CodedError {
  return new CodedError('NOT_FOUND', { error: `${field}: you have no ${what} with this id.` });
}

function slugTaken(slug: string): CodedError {
  return new CodedError('SLUG_TAKEN', { error: `The address is taken: ${slug}.` });
}
