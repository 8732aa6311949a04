import type { AccountId, PublishedBy, Slug } from '../../../contract/fields.ts';
import { type Plans, describeQuota } from '../../accounts/account.ts';
import type { AccountStore } from '../../accounts/ports.ts';
import type { AccountCaller } from '../../caller.ts';
import type { StoreKey } from '../../content/content-keys.ts';
import type { StoredDomain } from '../../domains/domain.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import type { PeopleList } from '../../people/people-list.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import { jobRetrySeconds, type UploadJob } from '../../uploads/job.ts';
import type { Addresses } from '../addresses/addresses.ts';
import { isReserved, slugTaken, titleSlugsTaken } from '../addresses/check-slug.ts';
import { titleSlugs } from '../addresses/slugs.ts';
import { buildCreation, type ProjectChange, requireChanged } from '../change/project-change.ts';
import { confirmWrite } from '../confirm-write.ts';
import { noHistory } from '../history/project-history.ts';
import type { OwnedProjectStore } from '../owned-projects.ts';
import type { Project } from '../project.ts';
import { calculateCharge, effectiveLimits, requireQuota, type TotalLimits } from '../quota.ts';
import { discardUpload } from '../removal/abandoned-upload.ts';
import {
  type FirstVersion,
  newProject,
  type ProjectDetails,
  publishedProject,
} from './first-version.ts';

/** The dependencies for publishing a new project of an account. */
export interface PublishNewDeps {
  projects: ProjectStore;
  owned: Pick<OwnedProjectStore, 'change'>;
  accounts: Pick<AccountStore, 'get'>;
  content: Pick<ContentStore, 'deletePrefix'>;
  addresses: Addresses;
  plans: Plans;
  brand: string;
  /** Reports bytes of a refused project that the next sweep has to remove. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** A new project of an account that passed its checks; its address is chosen when it is written. */
export interface NewProjectRequest {
  details: Omit<ProjectDetails, 'slug' | 'host' | 'domainId' | 'expiresAt'> & {
    ownerId: AccountId;
  };
  content: FirstVersion['upload'];
  /** The address that the owner chose; made from `addressTitle`, else from the title, where there is none. */
  slug: Slug | undefined;
  addressTitle?: string | undefined;
  domain: StoredDomain | undefined;
  expiresAt(now: Date): Project['expiresAt'];
  limits: TotalLimits;
  /** The list of people that the stamp in `details` names. */
  people?: PeopleList | undefined;
  publishedBy: PublishedBy;
  note?: string | undefined;
}

/** Checked again by the write. @throws CodedError PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED */
export function requireRoom(
  { account }: AccountCaller,
  { details, content, limits }: Pick<NewProjectRequest, 'details' | 'content' | 'limits'>,
): void {
  const active = { archivedAt: null, removingAt: null, history: noHistory };
  const counted = { ...details, ...active, bytes: content.bytes };
  requireQuota(calculateCharge(undefined, counted, limits), account);
}

/**
 * Publishes a stored first version as a project. The write that makes the project visible decides about
 * quota and address; when it refuses, the stored bytes are removed.
 * @throws CodedError SLUG_TAKEN, PROJECT_LIMIT_REACHED, STORAGE_LIMIT_REACHED; those of requireChanged
 */
export async function publishNewProject(
  deps: PublishNewDeps,
  request: NewProjectRequest,
  first: FirstVersion,
): Promise<Project> {
  try {
    return await writeUnderFreeSlug(deps, request, first);
  } catch (error) {
    // After any other error it may be published. The sweep decides by its intent.
    if (error instanceof CodedError) {
      await discardUpload(deps, { projectId: first.projectId, store: first.stored.store });
    }
    throw error;
  }
}

/** The first version: stored already, or a job for a worker. */
type First = FirstVersion | (StoreKey & { job: UploadJob });

/** Writes the new project under the first of its slugs that is free. @throws CodedError SLUG_TAKEN; those of requireChanged */
export async function writeUnderFreeSlug(
  deps: PublishNewDeps,
  request: NewProjectRequest,
  first: First,
): Promise<Project> {
  const { slug: chosen } = request;
  const brand = request.domain === undefined ? deps.brand : undefined;
  const named = request.addressTitle ?? request.details.title;
  const fromTitle = titleSlugs(named, (slug) => !isReserved(slug, brand));
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
  deps: PublishNewDeps,
  request: NewProjectRequest,
  first: First,
  slug: Slug,
): ProjectChange {
  const { details, content, limits, people, domain, publishedBy, note } = request;
  const now = deps.now();
  const host = deps.addresses.hostOf(slug, domain?.name);
  const domainId = domain?.id ?? null;
  const located = { ...details, slug, host, domainId, expiresAt: request.expiresAt(now) };
  if ('stored' in first) {
    const { project, version } = publishedProject(first, located, { now, publishedBy, note });
    return buildCreation(project, { version, limits, people }, now);
  }
  const sweepAt = instant(plusSeconds(now, jobRetrySeconds));
  const begins = { ...first, startedAt: instant(now), sweepAt };
  const project = newProject(first.projectId, content, located, now);
  return buildCreation(project, { begins, limits, people }, now);
}

/** What the owner is told of a new project, with the account's totals after it. */
export async function describeNewProject(
  deps: PublishNewDeps,
  { account: before }: AccountCaller,
  project: Project,
) {
  // It is published: without an answer to this read, the totals are those from before.
  const account = await deps.accounts.get(before.id).catch(() => undefined);
  const { id: projectId, host, title, type, slug, expiresAt, createdAt } = project;
  const { version, fileCount, bytes } = project;
  const url = deps.addresses.siteUrl(host);
  const limits = effectiveLimits(deps.plans, before, deps.now());
  const quota = describeQuota(account ?? before, limits);
  const content = { version, type, fileCount, bytes };
  return { projectId, url, title, slug, ...content, expiresAt, createdAt, quota };
}
